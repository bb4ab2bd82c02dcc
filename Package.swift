// swift-tools-version: 6.2
// One layer is one target, and arrows only point down; make test-build holds every import against this list.
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

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], excluding excluded: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: excluded, swiftSettings: settings)
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
        .systemLibrary(name: "CMicroHTTPD"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CUring"),
        .systemLibrary(name: "CZlib"),
        // Counts allocations; linked into benchmarks and tests alone.
        .target(name: "CAllocations"),
        // The contract, as bytes in the program.
        .target(name: "CContract"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CGnuTLS"),
        .systemLibrary(name: "CHiredis"),
        .systemLibrary(name: "CSystemd"),

        library("Conversions"),
        library("Primitives", ["Conversions"]),
        library("Metrics"),
        library("Tween", ["Conversions"]),
        library("Labels", ["Conversions"]),
        library("LabelMotion", ["Tween", "Labels"]),
        library(
            "Locales", ["Labels", "Conversions"],
            excluding: ["Words/make-word-patterns.mjs", "Words/LICENSE-UNICODE"]),
        library("Recurrences", ["Tween", "Primitives", "Conversions"]),
        library("Calendars", ["Recurrences", "Tween", "Primitives", "Conversions"]),
        library("Schedules", ["Calendars", "Recurrences", "Tween", "Primitives", "Conversions"]),
        library("Board", ["Recurrences", "Tween", "Labels", "Primitives", "Conversions"]),
        library("Wire", ["Board", "Recurrences", "Tween", "Labels", "Primitives", "Conversions"]),
        library("Machine", ["Board", "Recurrences", "Wire", "Labels", "Tween", "Primitives", "Conversions"]),
        library(
            "Replication",
            ["Machine", "Board", "Recurrences", "Labels", "Tween", "Primitives", "Conversions"]),
        library("EventStream", ["Metrics", "Primitives", "Conversions"]),
        library(
            "HTTPTransport",
            ["Primitives", "Threads", "Conversions", "CMicroHTTPD", "CGnuTLS", "CLinux", "CUring", "CZlib"]),
        library(
            "Publishing",
            ["Machine", "Board", "Recurrences", "Wire", "Labels", "Tween", "EventStream", "Primitives", "Conversions"]),
        library(
            "Committing",
            [
                "Machine", "Board", "Recurrences", "Wire", "Tween", "Storage", "Threads", "Metrics", "Primitives",
                "Conversions",
            ]),
        library("Access", ["EventStream", "Tokens", "Wire", "Tween", "Primitives"]),
        library(
            "Gateway",
            [
                "Access", "Tokens", "Machine", "Board", "Recurrences", "Wire", "Labels", "Locales", "EventStream",
                "HTTPTransport", "Webhooks", "Threads", "Metrics", "Tween", "Primitives",
            ]),
        library("Threads", ["Conversions", "CLinux"]),
        library("Supervision", ["Threads", "Conversions", "CSystemd", "CLinux"]),
        library("Storage", ["Metrics", "Primitives"]),
        library("Webhooks", ["Threads", "Primitives", "Conversions", "CCurl", "CGnuTLS"]),
        library("Tokens", ["Wire", "CGnuTLS"]),
        library("RedisLink", ["Conversions", "CHiredis"]),
        library(
            "ReplicationRedis",
            [
                "Replication", "RedisLink", "Machine", "Board", "Recurrences", "Wire", "Tween", "Threads", "Primitives",
                "Conversions",
            ]),
        library("StorageSQLite", ["Storage", "Threads", "Metrics", "Conversions", "CSQLite"]),
        library(
            "TweencastService",
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
        library(
            "TestSupport",
            [
                "Machine", "Board", "Recurrences", "Wire", "Labels", "Tween", "Storage", "Threads", "Primitives",
                "CGnuTLS",
            ]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Tween", "Labels", "Locales", "Board", "Wire", "EventStream", "Machine", "Publishing", "Primitives",
                "CAllocations",
            ],
            swiftSettings: settings),

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
