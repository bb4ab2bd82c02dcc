// swift-tools-version: 6.2
// A folder of Sources is a floor, a target is a room of it. make test-build holds every import against this list.
import PackageDescription

// Warnings are errors wherever make builds. Not for whoever depends on the package: Xcode's build system suppresses the
// warnings of dependencies, and the compiler refuses to do both.
let isStrict = Context.environment["STRICT_BUILD"] != nil
let warnings: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []

// Fuzzers bring a main of their own: their program is part of the package where they are built, and nowhere else.
let isFuzzing = Context.environment["TWEENCAST_FUZZ"] != nil

let settings: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ]

/// A folder of Sources. A target imports from its own floor and from those above it in this list.
enum Floor: String {
    case foundation = "Foundation"
    case libraries = "Libraries"
    case core = "Core"
    case adapters = "Adapters"
    case service = "Service"
}

func room(
    _ name: String, on floor: Floor, _ dependencies: [Target.Dependency] = [], excluding excluded: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(floor.rawValue)/\(name)", exclude: excluded,
        swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "tweencast",
    // Where InlineArray is part of the system. On Linux there is no such floor.
    platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
    products: [
        .library(name: "Tween", targets: ["Tween"]),
        .library(name: "Labels", targets: ["Labels"]),
        .library(name: "LabelMotion", targets: ["LabelMotion"]),
        .library(name: "Locales", targets: ["Locales"]),
        .library(name: "Schedules", targets: ["Schedules"]),
        .executable(name: "tweencast", targets: ["tweencast"]),
    ],
    targets: [
        // Of the service alone. Their module maps link them; pkg-config would be asked for each by every consumer.
        .systemLibrary(name: "CMicroHTTPD", path: "Sources/C/CMicroHTTPD"),
        .systemLibrary(name: "CLinux", path: "Sources/C/CLinux"),
        .systemLibrary(name: "CUring", path: "Sources/C/CUring"),
        .systemLibrary(name: "CZlib", path: "Sources/C/CZlib"),
        // Counts allocations; linked into benchmarks and tests alone.
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        // The contract, as bytes in the program.
        .target(name: "CContract", path: "Sources/C/CContract"),
        .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite"),
        .systemLibrary(name: "CCurl", path: "Sources/C/CCurl"),
        .systemLibrary(name: "CGnuTLS", path: "Sources/C/CGnuTLS"),
        .systemLibrary(name: "CHiredis", path: "Sources/C/CHiredis"),
        .systemLibrary(name: "CSystemd", path: "Sources/C/CSystemd"),

        // Foundation
        room("Conversions", on: .foundation),
        room("Primitives", on: .foundation, ["Conversions"]),
        room("Metrics", on: .foundation),

        // Libraries
        room("Tween", on: .libraries, ["Conversions"]),
        room("Labels", on: .libraries, ["Conversions"]),
        room("LabelMotion", on: .libraries, ["Tween", "Labels"]),
        room(
            "Locales", on: .libraries, ["Labels", "Conversions"],
            excluding: ["Words/make-word-patterns.mjs", "Words/LICENSE-UNICODE"]),
        room("Recurrences", on: .libraries, ["Tween", "Primitives", "Conversions"]),
        room("Calendars", on: .libraries, ["Recurrences", "Tween", "Primitives", "Conversions"]),
        room("Schedules", on: .libraries, ["Calendars", "Recurrences", "Tween", "Primitives", "Conversions"]),

        // Core
        room("Board", on: .core, ["Recurrences", "Tween", "Labels", "Primitives", "Conversions"]),
        room("Wire", on: .core, ["Board", "Recurrences", "Tween", "Labels", "Primitives", "Conversions"]),
        room("Machine", on: .core, ["Board", "Recurrences", "Wire", "Labels", "Tween", "Primitives", "Conversions"]),
        room(
            "Replication", on: .core,
            ["Machine", "Board", "Recurrences", "Labels", "Tween", "Primitives", "Conversions"]),
        room("EventStream", on: .core, ["Metrics", "Primitives", "Conversions"]),
        room("Storage", on: .core, ["Metrics", "Primitives"]),

        // Adapters
        room("Threads", on: .adapters, ["Conversions", "CLinux"]),
        room("Supervision", on: .adapters, ["Threads", "Conversions", "CSystemd", "CLinux"]),
        room(
            "HTTPTransport", on: .adapters,
            ["Primitives", "Threads", "Conversions", "CMicroHTTPD", "CGnuTLS", "CLinux", "CUring", "CZlib"]),
        room("Webhooks", on: .adapters, ["Threads", "Primitives", "Conversions", "CCurl", "CGnuTLS"]),
        room("Tokens", on: .adapters, ["Wire", "CGnuTLS"]),
        room("StorageSQLite", on: .adapters, ["Storage", "Threads", "Metrics", "Conversions", "CSQLite"]),
        room("RedisLink", on: .adapters, ["Conversions", "CHiredis"]),
        room(
            "ReplicationRedis", on: .adapters,
            [
                "Replication", "RedisLink", "Machine", "Board", "Recurrences", "Wire", "Tween", "Threads", "Primitives",
                "Conversions",
            ]),

        // Service
        room("Access", on: .service, ["EventStream", "Tokens", "Wire", "Tween", "Primitives"]),
        room(
            "Gateway", on: .service,
            [
                "Access", "Tokens", "Machine", "Board", "Recurrences", "Wire", "Labels", "Locales", "EventStream",
                "HTTPTransport", "Webhooks", "Threads", "Metrics", "Tween", "Primitives",
            ]),
        room(
            "Publishing", on: .service,
            ["Machine", "Board", "Recurrences", "Wire", "Labels", "Tween", "EventStream", "Primitives", "Conversions"]),
        room(
            "Committing", on: .service,
            [
                "Machine", "Board", "Recurrences", "Wire", "Tween", "Storage", "Threads", "Metrics", "Primitives",
                "Conversions",
            ]),
        room(
            "TweencastService", on: .service,
            [
                "Tween", "Labels", "Board", "Recurrences", "Calendars", "Wire", "Machine", "Publishing", "Committing",
                "Replication", "Access", "Gateway", "EventStream", "HTTPTransport", "Storage", "Threads", "Webhooks",
                "Metrics", "Primitives", "Conversions", "CContract",
            ],
            excluding: ["openapi.yaml", "asyncapi.yaml"]),

        .executableTarget(
            name: "tweencast",
            dependencies: [
                "TweencastService", "Committing", "Storage", "StorageSQLite", "RedisLink", "Replication",
                "ReplicationRedis",
                "Access", "Tokens", "Gateway", "HTTPTransport", "Machine", "Wire", "Threads", "Webhooks", "Supervision",
                "Primitives", "Conversions", "CGnuTLS",
            ],
            swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "Machine", "Board", "Recurrences", "Wire", "Labels", "Tween", "Storage", "Threads", "Primitives",
                "CGnuTLS",
            ],
            path: "Tests/Support", swiftSettings: settings),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Tween", "Labels", "Locales", "Board", "Wire", "EventStream", "Machine", "Publishing", "Primitives",
                "CAllocations",
            ],
            path: "Benchmarks/Frames", swiftSettings: settings),

        tests("ConversionsTests", ["Conversions"]),
        tests("MetricsTests", ["Metrics"]),
        tests("PrimitivesTests", ["Primitives", "TestSupport"]),
        tests("TweenTests", ["Tween", "TestSupport"]),
        tests("LabelsTests", ["Labels", "Locales", "TestSupport"]),
        tests("LabelMotionTests", ["LabelMotion", "Tween", "Labels"]),
        .target(
            name: "Examples", dependencies: ["LabelMotion", "Tween", "Labels", "Locales", "Schedules"],
            path: "docs/examples",
            // Programs on their own, without this package.
            exclude: ["clients"],
            swiftSettings: settings),
        tests("ExamplesTests", ["Examples", "Tween", "Labels", "LabelMotion", "Schedules"]),
        tests("RecurrencesTests", ["Recurrences", "Tween", "TestSupport"]),
        tests(
            "SchedulesTests",
            ["Schedules", "Calendars", "Recurrences", "Board", "Tween", "Primitives", "TestSupport"]),
        tests("BoardTests", ["Board", "Recurrences", "Tween", "Labels", "TestSupport", "Primitives"]),
        tests(
            "CalendarsTests", ["Calendars", "Recurrences", "Tween", "Primitives", "TestSupport"],
            resources: [.copy("Resources")]),
        tests(
            "WireTests",
            ["Wire", "Board", "Locales", "Recurrences", "Tween", "Labels", "TestSupport", "Primitives", "CAllocations"]),
        // Takes random turns, records logs and replays them; the tests compare what processes of it say.
        .executableTarget(
            name: "turns",
            dependencies: [
                "Replication", "Machine", "Gateway", "Calendars", "Recurrences", "Board", "Wire", "Tween", "Primitives",
                "TestSupport",
            ],
            path: "Tests/Turns", swiftSettings: settings),
        tests("MachineTests", ["turns", "Machine", "Board", "Wire", "Labels", "Tween", "Primitives", "TestSupport"]),
        tests(
            "ReplicationTests",
            ["Replication", "Machine", "Board", "Wire", "Labels", "Tween", "Primitives", "TestSupport", "Recurrences"]),
        tests(
            "AccessTests", ["Access", "Tokens", "EventStream", "Wire", "Primitives"]),
        tests("EventStreamTests", ["EventStream", "Metrics", "Primitives", "TestSupport"]),
        tests("HTTPTransportTests", ["HTTPTransport", "CLinux", "CUring", "Primitives", "TestSupport", "Threads"]),
        tests("ThreadsTests", ["Threads"]),
        tests("SupervisionTests", ["Supervision", "TestSupport"]),
        tests("RedisLinkTests", ["RedisLink", "Threads", "TestSupport"]),
        tests(
            "ReplicationRedisTests",
            [
                "ReplicationRedis", "Replication", "RedisLink", "Machine", "Board", "Wire", "Tween", "Threads",
                "Primitives",
                "TestSupport",
            ]),
        tests("StorageTests", ["Storage", "StorageSQLite", "TestSupport", "Primitives"]),
        tests("WebhooksTests", ["Webhooks", "Primitives", "TestSupport"]),
        tests("TokensTests", ["Tokens"]),
        tests(
            "PublishingTests",
            ["Publishing", "Machine", "Board", "Wire", "Labels", "Tween", "EventStream", "Primitives", "TestSupport"]),
        tests(
            "CommittingTests",
            [
                "Committing", "Machine", "Board", "Wire", "Labels", "Tween", "Storage", "StorageSQLite", "Primitives",
                "TestSupport",
            ]),
        tests(
            "GatewayTests",
            [
                "Gateway", "Access", "Tokens", "Webhooks", "Machine", "Board", "Wire", "HTTPTransport", "EventStream",
                "Metrics", "Primitives",
            ]),
        tests(
            "ServiceTests",
            [
                "TweencastService", "Machine", "Publishing", "Committing", "Replication", "Gateway", "Labels",
                "Locales", "Wire", "Board", "EventStream", "HTTPTransport", "Storage", "Threads", "Tween", "Metrics",
                "Primitives", "TestSupport", "Recurrences",
            ]),
        tests(
            "IntegrationTests",
            ["tweencast", "TweencastService", "Gateway", "HTTPTransport", "Metrics", "Tokens", "TestSupport"]),
        tests(
            "ComparisonTests", ["Tween", "TestSupport"], resources: [.copy("Pages")]),
        // What the fuzzers hold against the sources, and the tests with inputs that were worth keeping.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Tween", "Labels", "Recurrences", "Calendars", "Board", "Wire", "Machine", "Replication", "EventStream",
                "HTTPTransport", "Gateway", "Access", "Tokens", "Webhooks", "Primitives", "TestSupport",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay", swiftSettings: settings),
        tests("ArchitectureTests", []),
    ]
        + (isFuzzing
            ? [
                .executableTarget(
                    name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program", swiftSettings: settings)
            ] : [])
)
