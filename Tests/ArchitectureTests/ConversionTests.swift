// No number that a client, a record or arithmetic has made may end the process on its way into an integer or a slice.

import Testing

@Suite struct ConversionTests {
    /// Tools that see no client's numbers, and the one place that may convert.
    private static let exempt: Set<String> = ["TestSupport", "bench", "Examples"]

    private static func files() throws -> [SourceFile] {
        try SourceTree.sources().filter {
            !exempt.contains($0.target) && !$0.path.hasPrefix("Sources/Foundation/Base/Numbers/")
        }
    }

    @Test func `doubles are converted to integers by saturating, or with a proof in a comment`() throws {
        for file in try Self.files() {
            for suspicion in ConversionRules.bareConversions(in: file) { Issue.record("\(suspicion)") }
        }
    }

    @Test func `slices with numeric bounds have a proof in a comment`() throws {
        for file in try Self.files() {
            for suspicion in ConversionRules.bareSlices(in: file) { Issue.record("\(suspicion)") }
        }
    }

    @Test(arguments: [
        "let a = Int(x * 1e9)", "let a = Int64(x.rounded(.down))", "let a = UInt64(Double(b) / 2)",
        "let a = Int(0.5 * b)",
        "let rate: Double\nlet a = Int32(1 / rate)", "let x = b.rounded()\nlet a = Int(x)",
        "let a = Int(now.seconds(since: start))", "let position: Double\nlet a = Int(wheel.position)",
        "let a = Int(0x1p3)",
    ])
    func `the conversion check finds trapping conversions`(text: String) {
        #expect(ConversionRules.bareConversions(in: Self.file(text)).count == 1)
    }

    @Test(arguments: [
        "let a = Int(saturating: x * 1e9)", "let a = Int(b)", "let a = Int64(instant.nanoseconds)",
        "// proven: it is small.\nlet a = Int(x * 1e9)", "let a = Int(text) // seconds since 0.5",
        "let a = UInt8(ascii: \".\")",
        "let rate: Double\nlet a = Int(rate.exponent)", "let a = Point(x * 1e9)",
    ])
    func `the conversion check ignores conversions that cannot trap`(text: String) {
        #expect(ConversionRules.bareConversions(in: Self.file(text)).isEmpty)
    }

    @Test func `the slice check finds numeric bounds and ignores indices`() {
        #expect(ConversionRules.bareSlices(in: Self.file("let a = bytes[start..<end]")).count == 1)
        #expect(ConversionRules.bareSlices(in: Self.file("let a = bytes[...4]")).count == 1)
        #expect(
            ConversionRules.bareSlices(in: Self.file("let a = bytes[...]\nlet b = bytes[i]\nlet c = [0...4]")).isEmpty)
        #expect(ConversionRules.bareSlices(in: Self.file("let i = t.firstIndex(of: c)\nlet a = t[..<i]")).isEmpty)
        #expect(ConversionRules.bareSlices(in: Self.file("// proven: looked at above.\nlet a = t[4...]")).isEmpty)
    }

    private static func file(_ text: String) -> SourceFile {
        SourceFile(target: "T", folder: "T", path: "T/T.swift", lines: text.split(separator: "\n"))
    }
}
