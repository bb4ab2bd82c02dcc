// Ticker labels against the vectors, and what the contract says beyond them.

import Foundation
import Labels
import TestSupport
import Testing

struct TickerLabelTests {
    /// Arabic digits and decimals behind a comma are numbers by the contract, and are written back as such.
    private static let decidedByContract: Set<String> = ["tick-arabic-digits", "tick-comma-not-group"]

    @Test(arguments: try VectorCase.all("ticker").filter { !decidedByContract.contains($0.id) })
    func `frames of a ticker label equal the test vectors`(vector: VectorCase) throws {
        let input = vector.input
        var label = TickerLabel(try #require(input["label"]?.text))
        let target = try #require(Self.decimal(input["to"]))
        let start = label.number ?? .zero
        let decimals = input["decimals"]?.number.map { Int($0) } ?? target.scale
        #expect(start.double == vector.expected["start"]?.number)
        #expect(Double(decimals) == vector.expected["decimals"]?.number)
        label.plan.decimals = decimals
        let progress = try #require(input["p"]?.number)
        guard progress < 1 else {
            #expect(label.text(of: target) == vector.expected["text"]?.text)
            return
        }
        let eased =
            switch try #require(input["curve"]?.text) {
            case "easeIn": pow(progress, 2.8)
            case "easeOut": 1 - pow(1 - progress, 2.8)
            default: progress
            }
        var bytes: [UInt8] = []
        label.append(start.double + eased * (target.double - start.double), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == vector.expected["text"]?.text)
    }

    @Test(arguments: try VectorCase.all("scan"))
    func `the number found in a label equals the test vectors`(vector: VectorCase) throws {
        let label = TickerLabel(try #require(vector.input["label"]?.text))
        #expect(label.number?.description == vector.expected["number"]?.text)
    }

    @Test(arguments: try VectorCase.all("replace"))
    func `the number in a label is replaced in place, as in the test vectors`(vector: VectorCase) throws {
        var label = TickerLabel(try #require(vector.input["label"]?.text))
        let value = try #require(ExactDecimal(parsing: vector.input["numberText"]?.text ?? ""))
        label.plan.decimals = value.scale
        #expect(label.text(of: value) == vector.expected["text"]?.text)
    }

    @Test(arguments: try VectorCase.all("render"))
    func `a value is written with its decimals, as in the test vectors`(vector: VectorCase) throws {
        var label = TickerLabel(try #require(vector.input["label"]?.text))
        label.plan.decimals = Int(vector.input["decimals"]?.number ?? 99)
        let value = try #require(Self.decimal(vector.input["value"]))
        #expect(label.text(of: value) == vector.expected["text"]?.text)
    }

    @Test(arguments: [
        ("٣ items", "3", "9 items"), (".5", "0.5", "9"), ("Total: 5.", "5", "Total: 9."), ("1.2.3", "1.2", "9.3"),
        ("-5°", "-5", "9°"), ("A-5", "5", "A-9"), ("é-5", "5", "é-9"), ("e\u{301}-5", "5", "e\u{301}-9"),
        ("3-5", "3", "9-5"), ("(-5)", "-5", "(9)"), ("--5", "5", "--9"), ("- 5", "5", "- 9"),
        ("12,345,678.90 €", "12345678.90", "9 €"), ("1234,567", "1234.567", "9"), ("1,2345", "1.2345", "9"),
        ("1,234,56", "1234", "9,56"), ("1,234.5,678", "1234.5", "9,678"), ("½ 7", "7", "½ 9"), ("x² 4", "4", "x² 9"),
        ("1٬2", "1", "9٬2"), ("०१२", "12", "9"), ("\u{2212}0.5%", "-0.5", "9%"), ("5..6", "5", "9..6"),
    ])
    func `a label's number is found by the documented rules for signs, groups and digits`(
        text: String, number: String, replaced: String
    ) {
        var label = TickerLabel(text)
        #expect(label.number == ExactDecimal(parsing: number))
        label.plan = .plain(decimals: 0)
        #expect(label.text(of: ExactDecimal(9)) == replaced)
    }

    @Test(arguments: ["", "Label", "inf", "nan", "²", "Ⅷ", "½", "%", "💯"])
    func `a text without a number is replaced by the number`(text: String) {
        let label = TickerLabel(text)
        #expect(label.number == nil)
        #expect(label.text(of: ExactDecimal(42)) == "42")
    }

    @Test func `an index selects which number in a label moves`() {
        let text = "Lap 3 of 10: 1,250.5 m"
        #expect(TickerLabel.numberCount(in: text) == 3)
        #expect(TickerLabel(text, index: 1).text(of: ExactDecimal(12)) == "Lap 3 of 12: 1,250.5 m")
        #expect(TickerLabel(text, index: 2).text(of: ExactDecimal(2_000)) == "Lap 3 of 10: 2,000.0 m")
        #expect(TickerLabel(text, index: 3).number == nil)
        #expect(TickerLabel(text, index: .max).number == nil)
    }

    @Test func `a run of 5000 digits is treated as text`() {
        let long = String(repeating: "9", count: 5_000)
        #expect(TickerLabel(long).number == nil)
        #expect(TickerLabel(long + " 7").number == ExactDecimal(7))
    }

    @Test func `a label escaped for JSON is valid inside a JSON string`() throws {
        let label = TickerLabel("say \"5\"\n\u{2028}\\").escapedForJSON()
        var bytes = Array("[\"".utf8)
        label.append(7.0, to: &bytes)
        bytes += Array("\"]".utf8)
        #expect(try JSONDecoder().decode([String].self, from: Data(bytes)) == ["say \"7\"\n\u{2028}\\"])
        #expect(!bytes.contains(0x0A))
    }

    private static func decimal(_ vector: JSONValue?) -> ExactDecimal? {
        vector?.text.flatMap { ExactDecimal(parsing: $0) } ?? vector?.number.flatMap { ExactDecimal($0) }
    }
}
