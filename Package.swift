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

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
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

        library("Tween"),
        library("Labels"),
        library("LabelMotion", ["Tween", "Labels"]),
        library("Locales", ["Labels"]),
        library("Board", ["Tween", "Labels"]),
        library("Calendars", ["Board", "Tween"]),
        library("Wire", ["Board", "Tween", "Labels"]),
        library("EventStream"),
        library("HTTPTransport", ["Threads", "CMicroHTTPD", "CLinux"]),
        library("Threads", ["CLinux"]),
        library("Storage"),
        library("StorageSQLite", ["Storage", "Threads", "CSQLite"]),
        library(
            "TweencastService",
            [
                "Tween", "Labels", "Locales", "Board", "Calendars", "Wire", "EventStream", "HTTPTransport", "Storage",
                "Threads",
            ]),
        .executableTarget(
            name: "tweencast", dependencies: ["TweencastService", "Storage", "StorageSQLite"], swiftSettings: settings),
        library("TestSupport"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Tween", "Labels", "Locales", "Board", "Wire", "EventStream", "TweencastService", "CAllocations",
            ],
            swiftSettings: settings),

        .target(name: "FaultInjection", path: "Tests/FaultInjection"),
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
        tests("EventStreamTests", ["EventStream", "TestSupport"]),
        tests("HTTPTransportTests", ["HTTPTransport", "TestSupport", "Threads"]),
        tests("StorageTests", ["Storage", "StorageSQLite", "TestSupport"]),
        tests("ServiceTests", ["TweencastService", "Wire", "Board", "Storage", "Tween", "TestSupport"]),
        tests("IntegrationTests", ["tweencast", "TestSupport"]),
        tests(
            "ComparisonTests", ["Tween", "Labels", "Locales", "TestSupport"], resources: [.copy("Pages")]),
        tests("ArchitectureTests", ["TestSupport"]),
    ]
)
