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
        .library(name: "TweencastClient", targets: ["TweencastClient"]),
        .executable(name: "tweencast", targets: ["tweencast"]),
    ],
    targets: [
        // Sources/Foundation
        room("Base", on: .foundation),

        // Sources/Libraries
        room("Labels", on: .libraries, ["Base"]),
        room("Tween", on: .libraries, ["Base"]),
        room("LabelMotion", on: .libraries, ["Labels", "Tween"]),
        room(
            "Locales", on: .libraries, ["Labels", "Base"],
            excluding: ["Words/make-word-patterns.mjs", "Words/LICENSE-UNICODE"]),
        room("RecurrenceRules", on: .libraries, ["Tween", "Base"]),
        room("Schedules", on: .libraries, ["RecurrenceRules", "Tween", "Base"]),

        // Sources/Core
        room("Board", on: .core, ["Labels", "RecurrenceRules", "Tween", "Base"]),
        room("EventStream", on: .core, ["Base"]),
        room("Wire", on: .core, ["Board", "EventStream", "Labels", "RecurrenceRules", "Tween", "Base"]),
        room("Machine", on: .core, ["Board", "Wire", "Labels", "RecurrenceRules", "Tween", "Base"]),
        room("Replication", on: .core, ["Board", "Machine", "Labels", "RecurrenceRules", "Tween", "Base"]),
        room("Storage", on: .core, ["Base"]),

        // Sources/Adapters
        room("OperatingSystem", on: .adapters, ["Base", "CLinux", "CSystemd"]),
        room(
            "HTTPTransport", on: .adapters,
            ["OperatingSystem", "Base", "CGnuTLS", "CLinux", "CMicroHTTPD", "CUring", "CZlib"]),
        room(
            "ReplicationRedis", on: .adapters,
            [
                "OperatingSystem", "Board", "Machine", "Replication", "Wire", "RecurrenceRules", "Tween", "Base",
                "CHiredis",
            ]),
        room("StorageSQLite", on: .adapters, ["OperatingSystem", "Storage", "Base", "CSQLite"]),
        room("Tokens", on: .adapters, ["Wire", "CGnuTLS"]),
        room("HTTPClient", on: .adapters, ["Base", "CCurl", "CLinux"]),
        // For other programs, too: they need libcurl, and no other C library.
        room("TweencastClient", on: .adapters, ["HTTPClient", "LabelMotion", "Tween"]),
        room("Webhooks", on: .adapters, ["HTTPClient", "OperatingSystem", "Machine", "CGnuTLS"]),

        // Sources/Service
        room(
            "Gateway", on: .service,
            [
                "HTTPTransport", "OperatingSystem", "Tokens", "Board", "EventStream", "Machine", "Wire", "Labels",
                "Locales", "RecurrenceRules", "Tween", "Base",
            ]),
        room(
            "Persistence", on: .service,
            ["OperatingSystem", "Board", "Machine", "Storage", "Wire", "RecurrenceRules", "Tween", "Base"]),
        room(
            "Publishing", on: .service,
            ["Board", "EventStream", "Machine", "Wire", "Labels", "RecurrenceRules", "Tween", "Base"]),
        room(
            "TweencastService", on: .service,
            [
                "Gateway", "Persistence", "Publishing", "HTTPClient", "HTTPTransport", "OperatingSystem", "Webhooks",
                "Board", "EventStream", "Machine", "Replication", "Storage", "Wire", "Labels", "RecurrenceRules",
                "Tween", "Base", "CContract",
            ], excluding: ["openapi.yaml", "asyncapi.yaml"]),

        .executableTarget(
            name: "tweencast",
            dependencies: [
                "Gateway", "Persistence", "TweencastService", "HTTPClient", "HTTPTransport", "OperatingSystem",
                "ReplicationRedis", "StorageSQLite", "Tokens", "TweencastClient", "Webhooks", "Machine", "Replication",
                "Storage", "Wire", "Base", "CGnuTLS",
            ],
            swiftSettings: settings),

        // Module maps of C libraries, of the service alone. They link them; pkg-config would be asked for each by every consumer.
        .systemLibrary(name: "CCurl", path: "Sources/C/CCurl"),
        .systemLibrary(name: "CGnuTLS", path: "Sources/C/CGnuTLS"),
        .systemLibrary(name: "CHiredis", path: "Sources/C/CHiredis"),
        .systemLibrary(name: "CLinux", path: "Sources/C/CLinux"),
        // The interpreter that Redis has: for the scripts of a simulated one alone.
        .systemLibrary(name: "CLua", path: "Sources/C/CLua"),
        .systemLibrary(name: "CMicroHTTPD", path: "Sources/C/CMicroHTTPD"),
        .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite"),
        .systemLibrary(name: "CSystemd", path: "Sources/C/CSystemd"),
        .systemLibrary(name: "CUring", path: "Sources/C/CUring"),
        .systemLibrary(name: "CZlib", path: "Sources/C/CZlib"),
        // The contract, as bytes in the program.
        .target(name: "CContract", path: "Sources/C/CContract"),

        // What tests, measurements and the guide have.
        .target(
            name: "TestSupport",
            dependencies: [
                "OperatingSystem", "Board", "Machine", "Storage", "Wire", "Labels", "RecurrenceRules", "Tween", "Base",
                "CGnuTLS",
            ],
            path: "Tests/Support", swiftSettings: settings),
        // Counts allocations.
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CAllocations", "Publishing", "Board", "EventStream", "Machine", "Wire", "Labels", "Locales", "Tween",
                "Base",
            ],
            path: "Benchmarks/Frames", swiftSettings: settings),
        .target(
            name: "Examples", dependencies: ["LabelMotion", "Labels", "Locales", "Schedules", "Tween"],
            path: "docs/examples",
            // Programs and pages on their own, without this package.
            exclude: ["clients", "feeds", "on-your-page.html"],
            swiftSettings: settings),
        // Takes random turns, records logs and replays them; the tests compare what processes of it say.
        .executableTarget(
            name: "turns",
            dependencies: [
                "TestSupport", "Gateway", "Board", "Machine", "Replication", "Wire", "RecurrenceRules", "Tween", "Base",
            ],
            path: "Tests/Turns", swiftSettings: settings),
        // Whole worlds of servers, faults and clients, repeated by a seed.
        .executableTarget(
            name: "simulation",
            dependencies: [
                "TweencastService", "Gateway", "HTTPTransport", "ReplicationRedis", "Tokens", "Webhooks", "Board",
                "Machine", "Replication", "Storage", "Wire", "RecurrenceRules", "Tween", "Base", "CLua",
            ],
            path: "Tests/Simulation/Program", swiftSettings: settings),
        // The client library as the shared vectors run it.
        .executableTarget(
            name: "client-vectors", dependencies: ["TweencastClient"], path: "Tests/ClientVectors",
            swiftSettings: settings),
        // What the fuzzers hold against the sources, and the tests with inputs that were worth keeping.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "TestSupport", "Gateway", "HTTPClient", "HTTPTransport", "OperatingSystem", "Tokens", "Webhooks",
                "Board", "EventStream", "Machine", "Replication", "Wire", "Labels", "RecurrenceRules", "Tween", "Base",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay", swiftSettings: settings),

        tests("BaseTests", ["TestSupport", "Base"]),
        tests("LabelsTests", ["TestSupport", "Labels", "Locales"]),
        tests("TweenTests", ["TestSupport", "Tween"]),
        tests("LabelMotionTests", ["LabelMotion", "Labels", "Locales", "Tween"]),
        tests(
            "RecurrenceRulesTests", ["TestSupport", "RecurrenceRules", "Tween", "Base"], resources: [.copy("Resources")]
        ),
        tests("SchedulesTests", ["TestSupport", "Board", "RecurrenceRules", "Schedules", "Tween", "Base"]),
        tests("BoardTests", ["TestSupport", "Board", "Labels", "RecurrenceRules", "Tween", "Base"]),
        tests("EventStreamTests", ["TestSupport", "EventStream", "Base"]),
        tests(
            "WireTests",
            ["CAllocations", "TestSupport", "Board", "Wire", "Labels", "Locales", "RecurrenceRules", "Tween", "Base"]),
        tests("MachineTests", ["turns", "TestSupport", "Board", "Machine", "Wire", "Labels", "Tween", "Base"]),
        tests(
            "ReplicationTests",
            ["TestSupport", "Board", "Machine", "Replication", "Wire", "Labels", "RecurrenceRules", "Tween", "Base"]),
        tests("StorageTests", ["TestSupport", "StorageSQLite", "Storage", "Base"]),
        tests("OperatingSystemTests", ["TestSupport", "OperatingSystem"]),
        tests("HTTPTransportTests", ["TestSupport", "HTTPTransport", "OperatingSystem", "Base", "CLinux", "CUring"]),
        tests(
            "ReplicationRedisTests",
            [
                "TestSupport", "OperatingSystem", "ReplicationRedis", "Board", "Machine", "Replication", "Wire",
                "Tween", "Base",
            ]),
        tests("TokensTests", ["Tokens"]),
        tests("HTTPClientTests", ["TestSupport", "HTTPClient"]),
        tests("TweencastClientTests", ["TestSupport", "TweencastClient"]),
        tests("WebhooksTests", ["TestSupport", "Webhooks", "HTTPClient", "OperatingSystem", "Machine"]),
        tests(
            "GatewayTests",
            [
                "Gateway", "HTTPTransport", "OperatingSystem", "Tokens", "Board", "EventStream", "Machine", "Wire",
                "Labels", "Tween", "Base",
            ]),
        tests(
            "PersistenceTests",
            [
                "TestSupport", "Persistence", "StorageSQLite", "Board", "Machine", "Storage", "Wire", "Labels", "Tween",
                "Base",
            ]),
        tests(
            "PublishingTests",
            [
                "CAllocations", "TestSupport", "Publishing", "Board", "EventStream", "Machine", "Wire", "Labels",
                "Tween", "Base",
            ]),
        tests("ArchitectureTests", []),
        tests("ComparisonTests", ["TestSupport", "Base", "Board", "Wire", "Tween"], resources: [.copy("Pages")]),
        tests("ExamplesTests", ["Examples", "LabelMotion", "Labels", "Schedules", "Tween"]),
        tests(
            "IntegrationTests",
            [
                "tweencast", "TestSupport", "Gateway", "OperatingSystem", "TweencastClient", "TweencastService",
                "HTTPTransport", "Tokens",
                "Base",
            ]),
        tests(
            "ServiceTests",
            [
                "TestSupport", "Gateway", "Persistence", "Publishing", "TweencastService", "HTTPTransport",
                "OperatingSystem", "Board", "EventStream", "Machine", "Replication", "Storage", "Wire", "Labels",
                "Locales", "RecurrenceRules", "Tween", "Base",
            ]),
    ]
        + (isFuzzing
            ? [
                .executableTarget(
                    name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program", swiftSettings: settings)
            ] : [])
)
