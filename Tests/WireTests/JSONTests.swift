// The JSON reader against the grammar, and against Foundation's.

import Foundation
import TestSupport
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

    @Test(arguments: valid) func `valid JSON is accepted, as by Foundation`(text: String) throws {
        _ = try JSONDocument(Array(text.utf8))
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    @Test(arguments: invalid) func `invalid JSON is refused with the offset of the error`(text: String) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect((error?.offset ?? -1) >= 0)
    }

    @Test func `a duplicate name in an object is refused by name`() {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(#"{"to":1,"to":2}"#.utf8)) }
        #expect(error?.reason == .duplicate(name: "to"))
    }

    @Test func `a duplicate name is found among a thousand members`() {
        let names = (0..<1_000).map { "\"n\($0)\":0" }
        for place in [0, 1, 14, 15, 16, 17, 500, 998] {
            for text in [
                "{\(names.joined(separator: ",")),\"n\(place)\":1}",
                "{\"n\(place)\":1,\(names.joined(separator: ","))}",
            ] {
                let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
                #expect(error?.reason == .duplicate(name: "n\(place)"))
            }
        }
        #expect(throws: Never.self) { try JSONDocument(Array("{\(names.joined(separator: ","))}".utf8)) }
    }

    /// Work that grows with the square of these would take minutes, and a limit of time on the whole run.
    @Test func `JSON of 200000 members, elements or escapes is read in linear time`() throws {
        let count = 200_000
        let object = "{" + (0..<count).map { "\"n\($0)\":0" }.joined(separator: ",") + "}"
        let document = try JSONDocument(Array(object.utf8))
        var fields = try FieldReader(document, document.root, pointer: "")
        #expect(fields.read("n\(count - 1)") == nil && !fields.has("n\(count - 1)"))
        for number in 0..<count { _ = fields.read("m\(number)") }
        #expect(throws: Problem.self) { try fields.finish() }
        _ = try JSONDocument(Array(("[" + String(repeating: "0,", count: count) + "0]").utf8))
        let escapes = try JSONDocument(
            Array(("\"" + String(repeating: #"\n\u00e9\ud83d\ude00"#, count: count) + "\"").utf8))
        guard case .string(let text) = escapes.root.content else {
            Issue.record("no string was read")
            return
        }
        #expect(text.utf8.count == count * 7)
    }

    @Test func `an unpaired surrogate escape is refused, and a pair is decoded`() throws {
        let units: [UInt32] = [0, 0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF]
        for first in units {
            for second in units {
                let text =
                    "\"\\u\(String(first + 0x10000, radix: 16).dropFirst())\\u\(String(second + 0x10000, radix: 16, uppercase: true).dropFirst())\""
                let expected = String(validating: [UInt16(first), UInt16(second)], as: UTF16.self)
                guard let document = try? JSONDocument(Array(text.utf8)), case .string(let read) = document.root.content
                else {
                    #expect(expected == nil, "\(text) is refused")
                    continue
                }
                #expect(read == expected, "\(text)")
            }
        }
    }

    @Test func `randomly cut and changed JSON does not crash the reader`() {
        var random = SeededRandom(seed: 26)
        let texts =
            Self.valid + Self.invalid + [#"{"to":1,"label":"\ud83d\ude00","then":[{"notify":"n","data":[1e5,{}]}]}"#]
        for _ in 0..<20_000 {
            var bytes = Array(random.pick(texts).utf8) + Array(random.pick(texts).utf8)
            for _ in 0..<random.int(0...3) where !bytes.isEmpty {
                bytes[random.int(0...bytes.count - 1)] = random.pick([
                    0x22, 0x5C, 0x75, 0x7B, 0x5B, 0x2C, 0x3A, 0x64, 0x38, 0xFF,
                ])
            }
            bytes.removeLast(random.int(0...bytes.count))
            _ = try? JSONDocument(bytes)
        }
    }

    @Test func `invalid UTF-8 is refused`() {
        #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONError.self) { try JSONDocument([0x22, 0xC0, 0x80, 0x22]) }
    }

    @Test func `nesting beyond the limit is refused, and the limit of stored JSON is higher`() throws {
        let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        for origin in [JSONDocument.Origin.request, .stored] {
            _ = try JSONDocument(Array(deep(origin.maximumDepth).utf8), from: origin)
            #expect(throws: JSONError.self) {
                try JSONDocument(Array(deep(origin.maximumDepth + 1).utf8), from: origin)
            }
        }
        // Records wrap what clients wrote in a few levels of their own.
        #expect(JSONDocument.Origin.stored.maximumDepth >= JSONDocument.Origin.request.maximumDepth + 8)
    }

    @Test(arguments: ["plain", "quote\" back\\ tab\t", "line\u{2028}sep", "emoji 👨‍👩‍👧", "\u{0}\u{1F}\u{7F}"])
    func `a string with special characters reads back as it was written`(text: String) throws {
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
    func `a number is written with the fewest digits that read back`(value: Double, text: String) {
        var bytes: [UInt8] = []
        NumberText.append(value, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
