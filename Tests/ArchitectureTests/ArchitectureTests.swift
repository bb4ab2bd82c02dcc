// The house: what of the system a target may import, and what no source may hold.

import Foundation
import Testing

@Suite struct ArchitectureTests {
    /// What of the system a target may import: `Board` and `Machine` have neither a clock nor a disk. Which targets it may
    /// import stands in Package.swift, and SwiftPM holds it to that: make test-build.
    static let systemModules: [String: Set<String>] = [
        "Base": ["Synchronization"],
        "Tween": ["Synchronization", "CoreGraphics"],
        "Labels": [],
        "LabelMotion": ["FoundationEssentials", "Foundation"],
        "Examples": ["Foundation"],
        "Locales": ["FoundationInternationalization", "FoundationEssentials", "Foundation", "Synchronization"],
        "RecurrenceRules": ["FoundationInternationalization", "FoundationEssentials", "Foundation", "Synchronization"],
        "Schedules": ["FoundationEssentials", "Foundation"],
        "Board": [],
        "EventStream": ["Synchronization"],
        "Wire": ["FoundationEssentials"],
        "Machine": [],
        "Replication": ["Synchronization"],
        "Storage": ["Synchronization", "Glibc"],
        "OperatingSystem": ["Glibc", "Synchronization"],
        "HTTPTransport": ["Synchronization", "Glibc"],
        "ReplicationRedis": ["Synchronization", "Glibc"],
        "StorageSQLite": ["Synchronization", "Glibc"],
        "Tokens": [],
        "HTTPClient": ["Synchronization", "Glibc"],
        "TweencastClient": ["FoundationEssentials", "Synchronization"],
        "Webhooks": ["FoundationEssentials", "Synchronization"],
        "Gateway": ["Synchronization"],
        "Persistence": ["Synchronization"],
        "Publishing": [],
        "TweencastService": ["Synchronization", "Glibc", "FoundationEssentials"],
        "tweencast": ["FoundationEssentials", "Synchronization", "Glibc"],
        "TestSupport": ["Glibc", "Foundation", "FoundationEssentials", "Synchronization", "Testing"],
        "bench": ["Glibc", "Synchronization"],
        "client-vectors": ["Foundation"],
    ]

    /// The one file of a target that may import more: its bridge to the system.
    static let exceptions: [String: Set<String>] = [
        "Sources/Libraries/Tween/MathFunctions.swift": ["Glibc", "Darwin", "Musl", "Android", "WASILibc", "ucrt"],
        "Sources/Libraries/LabelMotion/TextLabel+platforms.swift": ["UIKit", "AppKit"],
    ]

    @Test func `every import of a system module is allowed for its target`() throws {
        let targets = try SourceTree.folders()
        for file in try SourceTree.sources() {
            let modules = try #require(Self.systemModules[file.target], "\(file.target) is not in the table")
            let extra = Self.exceptions[file.path] ?? []
            for module in file.imports where targets[module] == nil {
                #expect(modules.contains(module) || extra.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func `a target imports from the floors below, and on its own floor what the page draws behind it`() throws {
        let folders = try SourceTree.folders()
        func floor(_ target: String) -> Int? {
            let folder = folders[target] ?? ""
            return SourceTree.floors.firstIndex { folder.hasPrefix("Sources/\($0)/") }
        }
        let page = try SourceTree.text(of: "docs/architecture.md")
        let drawing = try #require(page.split(separator: "```", maxSplits: 2).dropFirst().first)
        let arrows = Self.arrows(in: drawing)
        for file in try SourceTree.sources() {
            guard let own = floor(file.target) else { continue }
            for module in file.imports where module != file.target {
                guard let other = floor(module) else { continue }
                #expect(other <= own, "\(file.path) imports \(module) from a floor above")
                let isDrawn = arrows[file.target, default: []].contains(module)
                #expect(other < own || isDrawn, "\(file.path) imports \(module), not drawn behind \(file.target)")
            }
        }
        let drawn = drawing.split(separator: " ---").map { Set($0.split { !$0.isLetter }.map(String.init)) }
            .filter { !$0.isEmpty }.dropFirst()
        try #require(drawn.count == SourceTree.floors.count)
        for (words, (index, name)) in zip(drawn.reversed(), SourceTree.floors.enumerated()) {
            let targets = Set(folders.keys.filter { floor($0) == index })
            #expect(
                words.contains(name) && targets.isSubset(of: words),
                "\(targets.subtracting(words)) isn't drawn on \(name)")
        }
    }

    /// What the drawing shows behind each target: of `A, B > C > D`, C and D behind A and B, and D behind C.
    private static func arrows(in drawing: Substring) -> [String: Set<String>] {
        var arrows: [String: Set<String>] = [:]
        for line in drawing.split(separator: "\n") where line.contains(">") {
            // Wider gaps separate the floor's name, a chain and a remark.
            let chain = line.split(separator: "  ").first { $0.contains(">") } ?? ""
            let links = chain.split(separator: ">").map { $0.split { !$0.isLetter }.map(String.init) }
            for (place, targets) in links.enumerated() {
                for target in targets { arrows[target, default: []].formUnion(links.dropFirst(place + 1).joined()) }
            }
        }
        return arrows
    }

    @Test func `no file is longer than 400 lines`() throws {
        // Generated tables, in files of their own, are as long as their data.
        for file in try SourceTree.sources() where !file.path.hasSuffix("+data.swift") {
            #expect(file.lines.count <= 400, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func `frames are encoded in FrameForm.swift alone`() throws {
        let encoders = [
            "FrameEncoder.append(", "FrameEncoder.put(", "MotionEncoder.payload(", "ScheduleEncoder.appendFrame(",
        ]
        for file in try SourceTree.sources() {
            let calls = encoders.filter { call in file.lines.contains { $0.contains(call) } }
            let isWay = file.path == "Sources/Service/Publishing/Frames/FrameForm.swift"
            #expect(calls == (isWay ? encoders : []), "\(file.path)")
            if isWay { #expect(file.lines.count <= 200) }
        }
    }

    @Test(arguments: ["try!", "as!", "fatalError(", "TODO", "FIXME", "print(\"DEBUG"])
    func `no source contains a forced try or cast, a fatal error or a TODO`(word: String) throws {
        for file in try SourceTree.sources() where file.target != "TestSupport" {
            for (number, line) in file.lines.enumerated() {
                #expect(!line.contains(word), "\(file.path):\(number + 1) holds \(word)")
            }
        }
    }

    @Test(arguments: ["@unchecked Sendable", "nonisolated(unsafe)"])
    func `every unchecked Sendable and unsafe nonisolated has a comment with the reason`(marker: String) throws {
        for file in try SourceTree.sources() {
            for (number, line) in file.lines.enumerated() where line.contains(marker) && !line.contains("//") {
                let near = file.lines[max(0, number - 3)...min(file.lines.count - 1, number + 3)]
                #expect(near.contains { $0.contains("because") }, "\(file.path):\(number + 1) gives no reason")
            }
        }
    }

    @Test func `only Descriptor closes file descriptors`() throws {
        for file in try SourceTree.sources()
        where file.path != "Sources/Adapters/OperatingSystem/Descriptors/Descriptor.swift"
            && file.imports.contains("Glibc")
        {
            for (number, line) in file.lines.enumerated() where Self.closesByNumber(line) {
                Issue.record("\(file.path):\(number + 1) closes a descriptor by its number, which only Descriptor does")
            }
        }
    }

    /// Whether a line calls close(2), and not a method of that name.
    private static func closesByNumber(_ line: Substring) -> Bool {
        guard let call = line.firstRange(of: "close(") else { return false }
        let before = line[..<call.lowerBound]
        let isMethod = before.last.map { $0.isLetter || $0 == "." || $0 == "_" } ?? false
        let isOwn = before.hasSuffix("func ") || line[call.upperBound...].hasPrefix(")")
        return before.hasSuffix("Glibc.") || !isMethod && !isOwn
    }

    @Test func `the check for close calls ignores methods named close`() {
        #expect(
            ["    close(descriptor)", "defer { close(fd) }", "Glibc.close(number)"].allSatisfy(Self.closesByNumber))
        #expect(
            !["store.close()", "close()", "func close(_ slot: Int)", "log.close(a)", "x"].contains(
                where: Self.closesByNumber))
    }

    /// Targets that speak to C, and tools.
    private static let adapters: Set<String> = [
        "HTTPClient", "HTTPTransport", "StorageSQLite", "ReplicationRedis", "OperatingSystem", "Tokens", "Webhooks",
        "TestSupport", "tweencast", "bench",
    ]

    /// Files of others that hold the word, each with its reason.
    private static let unsafeExceptions: [String: String] = [
        "Sources/Foundation/Base/Numbers/TextWord.swift":
            "only by their pointer are a literal's bytes folded into a number at compile time",
        "Sources/Core/EventStream/Hub/FrameSeries.swift":
            "raw bytes of a span are unsafe for types that not all bytes make",
        "Sources/Libraries/Labels/Text/StaticText.swift": "an array takes bytes of a span by a pointer alone",
        "Sources/Libraries/Labels/Text/MutableRawSpan+text.swift":
            "raw bytes of a span are unsafe for types that not all bytes make",
        "Sources/Service/TweencastService/Service/Contract.swift": "the contract's bytes are embedded by C",
    ]

    @Test func `unsafe code is confined to adapters over C`() throws {
        var unused = Set(Self.unsafeExceptions.keys)
        for file in try SourceTree.sources() where !Self.adapters.contains(file.target) {
            for (number, line) in file.lines.enumerated() {
                let isComment = line.drop { $0 == " " }.hasPrefix("//")
                let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                guard !isComment, words.contains(where: { $0 == "unsafe" || $0.hasPrefix("Unsafe") }) else { continue }
                unused.remove(file.path)
                #expect(Self.unsafeExceptions[file.path] != nil, "\(file.path):\(number + 1)")
            }
        }
        #expect(unused.isEmpty, "no exception is needed any more for \(unused)")
    }

    @Test func `no function but a table is longer than 50 lines`() throws {
        for file in try SourceTree.sources() {
            for function in FunctionLengths.functions(in: file) where !function.isTable {
                #expect(function.length <= 50, "\(file.path):\(function.line) is \(function.length) lines long")
            }
        }
    }

    @Test func `the function length check finds and measures functions`() {
        let text = """
            struct A {
                @inline(__always)
                private mutating func long(
                    _ a: Int
                ) -> Int {
                    1
                    2
                }
                init() { short() }
                var b: Int {
                    func inner() {
                        3
                    }
                }
            }
            """
        let file = SourceFile(target: "T", folder: "T", path: "T/A.swift", lines: text.split(separator: "\n"))
        #expect(FunctionLengths.functions(in: file).map(\.length) == [4, 1])
    }

    @Test(arguments: [
        ("        case .b: 2", true), ("        default: 2", false),
        ("        }\n        other()\n        if a {", false),
    ])
    func `only a switch over all cases counts as a table`(second: String, isTable: Bool) throws {
        let text = """
                func value(
                    of a: A
                ) -> Int {
                    switch a {
                    case .a: 1
            \(second)
                    }
                }
            """
        let file = SourceFile(target: "T", folder: "T", path: "T/A.swift", lines: text.split(separator: "\n"))
        #expect(FunctionLengths.functions(in: file).map(\.isTable) == [isTable])
    }

    @Test func `a target of more than a dozen files has folders`() throws {
        let files = try SourceTree.sources()
        for (target, files) in Dictionary(grouping: files, by: \.target) {
            let atTop = files.count { !$0.path.dropFirst($0.folder.count + 1).contains("/") }
            #expect(atTop <= 12, "\(target) has \(atTop) files at its top")
        }
    }

    @Test func `every source file begins with a comment`() throws {
        for file in try SourceTree.sources() {
            #expect(file.lines.first?.hasPrefix("//") == true, "\(file.path) begins without a comment")
        }
    }

    @Test func `the repository's top level contains only known files`() throws {
        let expected: Set<String> = [
            "Package.swift", "Sources", "Tests", "Benchmarks", "packaging", "public", "docs", "Makefile", "Dockerfile",
            "clients", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE",
        ]
        let transient: Set<String> = ["data", "Package.resolved"]
        let isComposeFile = { (name: String) in name.hasPrefix("compose.") && name.hasSuffix(".yaml") }
        let found = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
        for name in found where !name.hasPrefix(".") && !transient.contains(name) && !isComposeFile(name) {
            #expect(expected.contains(name), "\(name) has no place at the top level")
        }
    }

    @Test func `every library has tests`() throws {
        let untested: Set<String> = ["TestSupport", "Locales", "bench", "client-vectors", "tweencast"]
        let tests = SourceTree.paths(below: "Tests").filter { $0.hasSuffix("Tests.swift") }
        for target in Self.systemModules.keys where !untested.contains(target) {
            let name =
                target == "TweencastService"
                ? "ServiceTests" : target == "StorageSQLite" ? "StorageTests" : target + "Tests"
            #expect(tests.contains { $0.hasPrefix(name + "/") }, "\(target) has no tests")
        }
    }
}
