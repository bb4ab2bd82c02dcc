// swift-tools-version: 6.3
// One layer is one target, and arrows only point down; ArchitectureTests holds every import against this list.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "tweencast",
    products: [
        .library(name: "Tween", targets: ["Tween"]),
        .library(name: "Labels", targets: ["Labels"]),
        .library(name: "LabelMotion", targets: ["LabelMotion"]),
        .library(name: "Locales", targets: ["Locales"]),
        .executable(name: "tweencast", targets: ["tweencast"]),
        // For tests alone: loaded into the program to make its disk fail.
        .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
    ],
    targets: [
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CLinux"),
        // Counts allocations; linked into the benchmarks alone.
        .target(name: "CAllocations"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),

        library("Conversions"),
        library("Primitives", ["Conversions"]),
        library("Tween", ["Conversions"]),
        library("Labels", ["Conversions"]),
        library("LabelMotion", ["Tween", "Labels", "Conversions"]),
        library("Locales", ["Labels", "Conversions"]),
        library("Board", ["Tween", "Labels", "Primitives", "Conversions"]),
        library("Calendars", ["Board", "Tween", "Conversions"]),
        library("Wire", ["Board", "Tween", "Labels", "Conversions"]),
        library("EventStream", ["Primitives", "Conversions"]),
        library("HTTPTransport", ["Primitives", "Threads", "Conversions", "CMicroHTTPD", "CLinux"]),
        library("Threads", ["Conversions", "CLinux"]),
        library("Storage", ["Conversions"]),
        library("Webhooks", ["Threads", "Conversions", "CCurl", "CGnuTLS"]),
        library("StorageSQLite", ["Storage", "Threads", "Conversions", "CSQLite"]),
        library(
            "TweencastService",
            [
                "Tween", "Labels", "Locales", "Board", "Calendars", "Wire", "EventStream", "HTTPTransport", "Storage",
                "Threads", "Webhooks", "Primitives", "Conversions",
            ],
            // The contract is part of the program: it answers wherever that runs.
            resources: [.embedInCode("openapi.yaml")]),
        .executableTarget(
            name: "tweencast",
            dependencies: ["TweencastService", "Storage", "StorageSQLite", "Threads", "Webhooks", "Conversions"],
            swiftSettings: settings),
        library("TestSupport"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Tween", "Labels", "Locales", "Board", "Wire", "EventStream", "TweencastService", "Primitives",
                "CAllocations",
            ],
            swiftSettings: settings),

        .target(name: "FaultInjection", path: "Tests/FaultInjection"),
        tests("ConversionsTests", ["Conversions"]),
        tests("PrimitivesTests", ["Primitives", "TestSupport"]),
        tests("TweenTests", ["Tween", "TestSupport"], resources: [.copy("Resources")]),
        tests("LabelsTests", ["Labels", "Locales", "TestSupport"], resources: [.copy("Resources")]),
        tests("LabelMotionTests", ["LabelMotion", "Tween", "Labels"]),
        .target(
            name: "Examples", dependencies: ["LabelMotion", "Tween", "Labels", "Locales"], path: "docs/examples",
            swiftSettings: settings),
        tests("ExamplesTests", ["Examples", "Tween", "Labels", "LabelMotion"]),
        tests("BoardTests", ["Board", "Tween", "Labels", "TestSupport"]),
        tests(
            "CalendarsTests", ["Calendars", "Board", "Tween", "TestSupport"], resources: [.copy("Resources")]),
        tests("WireTests", ["Wire", "Board", "Tween", "Labels", "TestSupport"]),
        tests("EventStreamTests", ["EventStream", "Primitives", "TestSupport"]),
        tests("HTTPTransportTests", ["HTTPTransport", "Primitives", "TestSupport", "Threads"]),
        tests("ThreadsTests", ["Threads"]),
        tests("StorageTests", ["Storage", "StorageSQLite", "TestSupport"]),
        tests("WebhooksTests", ["Webhooks", "TestSupport"]),
        tests(
            "ServiceTests",
            [
                "TweencastService", "Wire", "Board", "EventStream", "HTTPTransport", "Storage", "StorageSQLite",
                "Threads", "Tween", "Webhooks", "Primitives", "TestSupport",
            ]),
        tests("IntegrationTests", ["tweencast", "TestSupport"]),
        tests(
            "ComparisonTests", ["Tween", "Labels", "Locales", "TestSupport"], resources: [.copy("Pages")]),
        tests("ArchitectureTests", ["TestSupport"]),
    ]
)
