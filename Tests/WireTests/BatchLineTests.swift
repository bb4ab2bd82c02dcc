// Lines of a batch: what counts as one, and how long it may be.

import Testing

@testable import Wire

@Suite struct BatchLineTests {
    private func lines(_ text: String, upTo limit: Int = .max) -> [String] {
        BatchDecoder.lines(Array(text.utf8), upTo: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("", []), ("\n\n", []), ("a", ["a"]), ("a\n", ["a"]), ("\r\n a\r\n\t\nb", [" a\r", "b"]),
        ("a\n\nb\n", ["a", "b"]),
    ])
    func `empty lines of a batch are skipped`(text: String, expected: [String]) {
        #expect(lines(text) == expected)
    }

    @Test func `a batch's lines are split only up to the requested number`() {
        #expect(lines(String(repeating: "0\n", count: 100_000), upTo: 11).count == 11)
    }

    @Test(arguments: [
        (#"[{"ticker":"a","to":1}]"#, "each line is one object"),
        (#"{"id":"a","to":1}"#, "a line names what it is for"),
    ])
    func `a batch line that is no command is refused with the expected form`(line: String, reason: String) {
        let refusal = #expect(throws: Problem.self) { try BatchDecoder.command(Array(line.utf8)[...]) }
        #expect(refusal?.status == 422 && refusal?.detail.hasPrefix(reason) == true)
    }

    @Test func `a batch line above the size limit of a request gets a 413`() throws {
        func line(_ length: Int) -> [UInt8] {
            let text = #"{"ticker":"a","to":1}"#
            return Array((text + String(repeating: " ", count: length - text.utf8.count)).utf8)
        }
        _ = try BatchDecoder.command(line(BatchDecoder.maximumLineBytes)[...])
        let refusal = #expect(throws: Problem.self) {
            try BatchDecoder.command(line(BatchDecoder.maximumLineBytes + 1)[...])
        }
        #expect(refusal?.status == 413)
    }
}
