// The package's sources as text.

import Foundation

/// A source file and what it imports.
struct SourceFile {
    let target: String
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

    /// The targets of `Sources`, in Swift and C.
    static func targets() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path))
    }

    /// The Swift files of `Sources`, and the examples; clients of the server are programs on their own.
    static func sources() throws -> [SourceFile] {
        let sources = try paths(below: "Sources").filter { $0.hasSuffix(".swift") }.map { path in
            try file("Sources/" + path, of: String(path.split(separator: "/")[0]), as: path)
        }
        let examples = try paths(below: "docs/examples").filter {
            $0.hasSuffix(".swift") && !$0.hasPrefix("clients/")
        }.map { path in
            try file("docs/examples/" + path, of: "Examples", as: "docs/examples/" + path)
        }
        return sources + examples
    }

    /// The text of a file, by its path from the top.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func file(_ location: String, of target: String, as path: String) throws -> SourceFile {
        SourceFile(
            target: target, path: path,
            lines: try text(of: location).split(separator: "\n", omittingEmptySubsequences: false))
    }
}
