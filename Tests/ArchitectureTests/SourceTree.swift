// The package's sources as text.

import Foundation

/// A source file and what it imports.
struct SourceFile {
    let target: String
    /// The folder of its target.
    let folder: String
    /// From the top of the package.
    let path: String
    let lines: [Substring]

    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 1, index + 1 < words.count else { return nil }
            // `package import X`, `public import X`, `@testable import X`.
            guard
                index == 0 || ["package", "public", "private", "internal"].contains(words[0]) || words[0].hasPrefix("@")
            else { return nil }
            return words[index + 1].split(separator: ".").first.map(String.init)
        }
    }
}

enum SourceTree {
    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every file below a folder, relative to it.
    static func paths(below folder: String) -> [String] {
        let base = root.appending(path: folder)
        let found = FileManager.default.enumerator(atPath: base.path)
        return (found?.allObjects as? [String] ?? []).sorted()
    }

    /// Floors of `Sources`, the lowest first; the program stands above them.
    static let floors = ["Foundation", "Libraries", "Core", "Adapters", "Service"]

    /// The folders of targets by their names: those of the floors, the module maps of C, the program, and what tests,
    /// measurements and the guide have.
    static func folders() throws -> [String: String] {
        var folders = [
            "tweencast": "Sources/tweencast", "TestSupport": "Tests/Support", "bench": "Benchmarks/Frames",
            "CAllocations": "Benchmarks/CAllocations", "Examples": "docs/examples",
        ]
        for floor in floors + ["C"] {
            let folder = root.appending(path: "Sources/" + floor).path
            for target in try FileManager.default.contentsOfDirectory(atPath: folder) {
                folders[target] = "Sources/\(floor)/\(target)"
            }
        }
        return folders
    }

    /// The Swift files of all these targets. Clients among the examples are programs on their own.
    static func sources() throws -> [SourceFile] {
        try folders().sorted { $0.value < $1.value }.flatMap { target, folder in
            try paths(below: folder).filter { $0.hasSuffix(".swift") && !$0.hasPrefix("clients/") }.map { path in
                let lines = try text(of: "\(folder)/\(path)").split(separator: "\n", omittingEmptySubsequences: false)
                return SourceFile(target: target, folder: folder, path: "\(folder)/\(path)", lines: lines)
            }
        }
    }

    /// The text of a file, by its path from the top.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
