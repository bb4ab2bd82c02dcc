// The JSON reader against the grammar, and against Foundation's.

import Foundation
import Testing

@testable import Wire

@Suite struct JSONTests {
    static let valid = [
        "{}", "[]", "0", "-0", "1.5e-7", "1E+2", "true", "false", "null", #""""#, #" [1 , 2 ] "#,
        #"{"a":{"b":[null]}}"#,
        #""\u0041\n\"\\\/""#, #""\ud83d\ude00""#, "\"\u{e9}\u{1F468}\"", "\t\r\n1\n", #"{"":1}"#,
        "12345678901234567890.12",
    ]
    static let invalid = [
        "", " ", "{", "[", "[1,]", "[,1]", #"{"a":1,}"#, #"{"a"}"#, #"{a:1}"#, "01", "+1", "1.", ".5", "1e", "0x1F",
        "NaN",
        "Infinity", "tru", "nul", #""a"#, #""\x""#, #""\u12""#, #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, "\"\u{1}\"",
        "1 2",
        "'a'", "[1 2]", #"{"a":1 "b":2}"#, "//1", "[1]]",
    ]

    @Test(arguments: valid) func `what the grammar allows is read, as Foundation reads it`(text: String) throws {
        _ = try JSONDocument(Array(text.utf8))
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    @Test(arguments: invalid) func `what it forbids is refused with its place`(text: String) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect((error?.offset ?? -1) >= 0)
    }

    @Test func `a name that stands twice is refused by name`() {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(#"{"to":1,"to":2}"#.utf8)) }
        #expect(error?.reason == .duplicate(name: "to"))
    }

    @Test func `invalid UTF-8 is refused`() {
        #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xC0, 0x80, 0x22]) }
    }

    @Test func `nesting is bounded`() throws {
        let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        _ = try JSONDocument(Array(deep(JSONParser.maximumDepth).utf8))
        #expect(throws: JSONError.self) { try JSONDocument(Array(deep(JSONParser.maximumDepth + 1).utf8)) }
    }

    @Test(arguments: ["plain", "quote\" back\\ tab\t", "line\u{2028}sep", "emoji 👨‍👩‍👧", "\u{0}\u{1F}\u{7F}"])
    func `what is written reads back`(text: String) throws {
        var json = JSONWriter()
        json.object { $0.member("text", text) }
        let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String]
        #expect(object?["text"] == text)
        guard case .object(let members) = try JSONDocument(json.bytes).root.content,
            case .string(let read) = members.first?.value.content
        else {
            Issue.record("no string was read")
            return
        }
        #expect(read == text)
    }

    @Test(arguments: [
        (0.0, "0"), (250, "250"), (-3, "-3"), (12.5, "12.5"), (0.1 + 0.2, "0.30000000000000004"),
        (9_007_199_254_740_991, "9007199254740991"), (.infinity, "null"), (.nan, "null"),
    ])
    func `numbers are the shortest that read back`(value: Double, text: String) {
        var bytes: [UInt8] = []
        NumberText.append(value, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
