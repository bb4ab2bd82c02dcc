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
    func `lines that hold nothing are left out`(text: String, expected: [String]) {
        #expect(lines(text) == expected)
    }

    @Test func `no more lines are looked for than are asked for`() {
        #expect(lines(String(repeating: "0\n", count: 100_000), upTo: 11).count == 11)
    }

    @Test(arguments: [
        (#"[{"ticker":"a","to":1}]"#, "each line is one object"),
        (#"{"id":"a","to":1}"#, "a line names what it is for"),
    ])
    func `a line that is no command says what one looks like`(line: String, reason: String) {
        let refusal = #expect(throws: Problem.self) { try BatchDecoder.command(Array(line.utf8)[...]) }
        #expect(refusal?.status == 422 && refusal?.detail.hasPrefix(reason) == true)
    }

    @Test func `a line holds what a single request may hold`() throws {
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
