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
        .executable(name: "tweencast", targets: ["tweencast"]),
    ],
    targets: [
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        library("Tween"),
        library("Labels"),
        library("Locales", ["Labels"]),
        library("Board", ["Tween", "Labels"]),
        library("Wire", ["Board", "Tween", "Labels"]),
        library("EventStream"),
        library("HTTPTransport", ["Threads", "CMicroHTTPD", "CLinux"]),
        library("Threads", ["CLinux"]),
        library("Storage"),
        library("StorageSQLite", ["Storage", "Threads", "CSQLite"]),
        library(
            "TweencastService",
            ["Tween", "Labels", "Locales", "Board", "Wire", "EventStream", "HTTPTransport", "Storage", "Threads"]),
        .executableTarget(
            name: "tweencast", dependencies: ["TweencastService", "Storage", "StorageSQLite"], swiftSettings: settings),
        library("TestSupport"),
        .executableTarget(
            name: "bench", dependencies: ["Tween", "Labels", "Locales", "Board", "Wire", "EventStream"],
            swiftSettings: settings),

        tests("TweenTests", ["Tween", "TestSupport"], resources: [.copy("Resources")]),
        tests("LabelsTests", ["Labels", "Locales", "TestSupport"], resources: [.copy("Resources")]),
        tests("BoardTests", ["Board", "Tween", "Labels", "TestSupport"]),
        tests("WireTests", ["Wire", "Board", "Tween", "Labels", "TestSupport"]),
        tests("EventStreamTests", ["EventStream", "TestSupport"]),
        tests("HTTPTransportTests", ["HTTPTransport", "TestSupport"]),
        tests("StorageTests", ["Storage", "StorageSQLite", "TestSupport"]),
        tests("ServiceTests", ["TweencastService", "Wire", "Board", "Storage", "Tween", "TestSupport"]),
        tests("IntegrationTests", ["tweencast", "TestSupport"]),
        tests(
            "ComparisonTests", ["Tween", "Labels", "Locales", "TestSupport"], resources: [.copy("Pages")]),
        tests("ArchitectureTests", ["TestSupport"]),
    ]
)
