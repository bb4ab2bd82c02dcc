// The vectors of what the board decides: tickers as a whole, their timing, and which frames differ.

import Board
import Foundation
import Labels
import TestSupport
import Testing
import Tween

/// A case of `origins.json`.
struct OriginCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Number: Decodable, Sendable {
        var text: String
        var isString: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                (self.text, isString) = (text, true)
            } else {
                (text, isString) = (try container.decode(Double.self).description, false)
            }
        }

        /// As the contract reads it: a JSON number by value, a string as written.
        var decimal: ExactDecimal? {
            isString ? ExactDecimal(parsing: text) : ExactDecimal(jsonNumber: Array(text.utf8))
        }
    }

    struct Input: Decodable, Sendable {
        var label: String?
        var to: Number?
        var curve: String?
        var p: Double?
        var decimals: Int?
        var duration: Double?
        var tickRate: Double?
    }

    struct Expected: Decodable, Sendable {
        var start: Double?
        var value: Double?
        var text: String?
        var texts: [String]?
        var ticksIncludingStart: Int?
        var distinctTexts: Int?
        var firstText: String?
        var lastText: String?
    }

    var id: String
    var kind: String
    var input: Input
    var expected: Expected
    var testDescription: String { id }

    /// The cases of a kind.
    static func all(_ kind: String) throws -> [OriginCase] { try TestVectors.cases(kind, in: "origins.json") }

    func update() throws -> TrackUpdate {
        var update = TrackUpdate()
        update.label = input.label
        update.goal = .to(try #require(input.to?.decimal))
        update.decimals = input.decimals
        update.length = .seconds(input.duration ?? 2)
        update.curve = .easing(try Easing(parsing: input.curve ?? "linear"))
        return update
    }
}

@Suite struct OriginsTests {
    @Test(arguments: try OriginCase.all("ticker")) func `each ticker vector's start, value and text match`(
        _ vector: OriginCase
    )
        throws
    {
        // The contract decides: digits of any script are a number, written back in it, and so are decimals behind a comma.
        let decided: [String: (start: Double, text: String)] = [
            "tick-arabic-digits": (3, "٩ items"), "tick-comma-not-group": (1.23, "9"),
        ]
        let start = decided[vector.id]?.start ?? vector.expected.start
        var script = EngineScript()
        try script.apply(.update(ticker("t"), vector.update()))
        if let start { #expect(script.engine.track(ticker("t"))?.run?.origin.double == start || vector.input.p == 1) }
        script.wait(until: (vector.input.p ?? 0) * (vector.input.duration ?? 2))
        #expect(script.text("t") == decided[vector.id]?.text ?? vector.expected.text)
        let value = try #require(script.reading("t")?.value.double)
        if let expected = vector.expected.value { #expect(abs(value - expected) <= 1e-9 * max(1, abs(expected))) }
    }

    @Test(arguments: try OriginCase.all("frames")) func `frame vectors: equal consecutive texts are one frame`(
        _ vector: OriginCase
    ) throws {
        let rate = try #require(vector.input.tickRate)
        let duration = try #require(vector.input.duration)
        var script = EngineScript()
        try script.apply(.update(ticker("t"), vector.update()))
        var texts: [String] = []
        var ticks = 0
        for tick in 0...Int(duration * rate) {
            script.wait(until: Double(tick) / rate)
            ticks += 1
            let text = try #require(script.text("t"))
            if texts.last != text { texts.append(text) }
        }
        #expect(ticks == vector.expected.ticksIncludingStart)
        #expect(texts.count == vector.expected.distinctTexts)
        #expect(texts.first == vector.expected.firstText && texts.last == vector.expected.lastText)
    }

    @Test(arguments: try OriginCase.all("timing").filter { $0.input.label != nil })
    func `a motion without duration is one text and one completion at once`(_ vector: OriginCase) throws {
        var script = EngineScript()
        try script.apply(.update(ticker("t"), vector.update()))
        #expect(script.text("t") == vector.expected.texts?.last)
        #expect(script.log == ["complete t#1 finished"])
    }

    @Test func `the vector file holds all ticker, frame and timing cases`() throws {
        #expect(try OriginCase.all("ticker").count > 40)
        #expect(try OriginCase.all("frames").count == 5)
        #expect(try OriginCase.all("timing").count == 3)
    }
}
