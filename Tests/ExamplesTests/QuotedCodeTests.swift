// The code in the articles is the code that is compiled and run.

import Foundation
import Testing

@Suite struct QuotedCodeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The pages that quote, relative to the package.
    static func pages() -> [String] {
        files(below: "Sources", as: ".md") + ["README.md"]
    }

    @Test(arguments: pages())
    func `every Swift block in an article stands in an example or its test`(page: String) throws {
        let sources = try
            (Self.files(below: "docs/examples", as: ".swift")
            + Self.files(below: "Tests/ExamplesTests", as: ".swift")).map { try Self.lines(of: $0) }
        for block in Self.blocks(in: try Self.lines(of: page)) {
            // Empty lines part a block into pieces, which may come from several places.
            for piece in block.split(separator: "", omittingEmptySubsequences: true) {
                let isQuoted = sources.contains { Self.contains(piece, in: $0) }
                #expect(isQuoted, "\(page) quotes what isn't there: \(piece.joined(separator: "\n"))")
            }
        }
    }

    @Test func `every library has a documentation page, and the articles contain code`() throws {
        let pages = Self.pages()
        for library in ["Tween", "Labels", "LabelMotion", "Locales", "Schedules"] {
            #expect(pages.contains("Sources/Libraries/\(library)/\(library).docc/\(library).md"))
        }
        for article in ["AnimateALabel", "InterruptedSpring", "MoneyAndProgress"] {
            let page = try #require(pages.first { $0.hasSuffix("/\(article).md") })
            #expect(try !Self.blocks(in: Self.lines(of: page)).isEmpty)
        }
    }

    /// The lines of each block of Swift.
    private static func blocks(in lines: [String]) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in lines {
            if line == "```swift" {
                block = []
            } else if line == "```", let lines = block {
                blocks.append(lines)
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    private static func contains(_ piece: ArraySlice<String>, in source: [String]) -> Bool {
        guard source.count >= piece.count else { return false }
        return (0...(source.count - piece.count)).contains { start in
            source[start..<(start + piece.count)].elementsEqual(piece)
        }
    }

    /// The lines of a file without their indentation.
    private static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func files(below folder: String, as suffix: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (found?.allObjects as? [String] ?? []).filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }
}
