// What frames write, held against the label they write for.

import Base
import Board
import TestSupport
import Testing
import Tween

@testable import Labels
@testable import Wire

@Suite struct FrameLabelTests {
    private static let now = Instant(nanoseconds: 0)

    /// Makes plans as a seeded generator wants them.
    private final class Plans: Planner {
        let plan: NumberPlan

        init(_ plan: NumberPlan) { self.plan = plan }

        func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan { plan }

        func words(in locale: String) throws(CommandError) -> TimeWords { .english }
    }

    /// A track in motion whose numbers are written by a plan.
    private func track(_ kind: ResourceKind, _ json: String, _ plan: NumberPlan) throws -> Track {
        var engine = Engine(configuration: Engine.Configuration(planner: Plans(plan)))
        let name = ResourceName(kind, "t")
        let update = try UpdateDecoder.update(Array(json.utf8), kind: kind, role: .update)
        _ = try engine.apply(.update(name, update), at: Self.now)
        return try #require(engine.track(name))
    }

    /// A frame as the track itself writes it, the long way.
    private func long(_ track: Track, _ value: Double, _ stamp: FrameStamp?) -> String {
        let position = Position.moving(value)
        var text: [UInt8] = []
        var bytes: [UInt8] = []
        track.appendText(position, at: Self.now, escaped: true, to: &text)
        let share = track.share(of: position, at: Self.now)
        FrameEncoder.append(
            FramePrefix(track.name), value: position, fraction: share?.fraction, percent: share?.percent,
            escapedText: text, stamp: stamp, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same as ticks put it; nil where they leave it to the track.
    private func short(_ track: Track, _ value: Double, _ stamp: FrameStamp?) -> String? {
        let share = track.progressScale?.share(of: value)
        guard var label = FrameLabel(track), let numbers = label.numbers(of: value, share) else { return nil }
        let prefix = FramePrefix(track.name)
        var isPut = true
        // What stands around it stays.
        var bytes = Array("before".utf8)
        bytes.append(room: FrameEncoder.room(prefix, text: label.room)) { out, start in
            let end = FrameEncoder.put(
                prefix, value: value, share, &label, showing: numbers, stamp: stamp, into: &out, at: start)
            isPut = end != nil
            return end ?? start
        }
        #expect(bytes.starts(with: "before".utf8))
        return isPut ? String(decoding: bytes.dropFirst(6), as: UTF8.self) : nil
    }

    /// Plans of every layout that a frame label can hold.
    static func plan(using random: inout SeededRandom) -> NumberPlan {
        var plan = NumberPlan(decimals: Int.random(in: 0...12, using: &random))
        plan.minimumDecimals = Int.random(in: 0...plan.maximumDecimals, using: &random)
        plan.minimumIntegerDigits = [1, 1, 1, 2, 5, 21].randomElement(using: &random) ?? 1
        plan.rounding = RoundingRule.allCases.randomElement(using: &random) ?? .halfExpand
        let groupings: [NumberPlan.Grouping] = [
            .none, .thousands, .init(primary: 3, secondary: 2), .init(primary: 3, minimum: 2),
            .init(primary: 4, secondary: 0), .init(primary: 1), .init(primary: 20, secondary: 1),
        ]
        plan.grouping = groupings.randomElement(using: &random) ?? .none
        let separators = [",", "\u{202F}", "12345678", "nine bytes", "\"", ""]
        plan.groupSeparator = Array((separators.randomElement(using: &random) ?? "").utf8)
        plan.decimalSeparator = Array(([".", "\u{066B}", "a point \\"].randomElement(using: &random) ?? "").utf8)
        plan.shift = [0, 0, 2].randomElement(using: &random) ?? 0
        if let zero: Unicode.Scalar = [nil, nil, "\u{0660}", "\u{1D7CE}"].randomElement(using: &random) ?? nil {
            plan.digits = DigitSet(zero: zero) ?? .ascii
        }
        if Bool.random(using: &random) {
            plan.affixes = SignedAffixes(
                positive: Affixes(prefix: Array("+".utf8), suffix: Array("\u{A0}€ and \"more\" of it".utf8)),
                negative: Affixes(prefix: Array("(".utf8), suffix: Array(")".utf8)),
                zero: Affixes(prefix: Array("none: ".utf8)))
        }
        return plan
    }

    private static let templates = [
        "{percent}%", "{value} of {maximum}", "{percent}{value}{fraction}", "{{{value}}} \\\"\\n", "no number",
        "{fraction}|{value}|{target}|{percent}|{maximum}\\u2028", "{elapsed} {value}",
    ]
    private static let labels = [
        "", "Loading assets 0", "0 of 17", "\\\"é\\\" 5 \\n end", "a long label around 1 number",
    ]
    private static let format = #""format":{"locale":"en"}"#

    @Test func `a frame written by the fast path equals the one its track writes`() throws {
        var random = SeededRandom(seed: 7)
        var compared = 0
        for round in 0..<3_000 {
            let plan = Self.plan(using: &random)
            let maximum = ["1000", "0.7", "3", "1e9", "null"].randomElement(using: &random) ?? "3"
            let track =
                round.isMultiple(of: 2)
                ? try track(
                    .ticker,
                    #"{"to":1,"duration":9,"label":"\#(Self.labels[round / 2 % 5])",\#(Self.format)}"#, plan)
                : try track(
                    .progress,
                    #"{"from":0,"current":1,"maximum":\#(maximum),"duration":9,"label":"\#(Self.templates[round % 7])",\#(Self.format)}"#,
                    plan)
            let stamp = Bool.random(using: &random) ? FrameStamp(unixNanoseconds: 1_700_000_000, tick: -3) : nil
            for _ in 0..<8 {
                let size = Int.random(in: -7...16, using: &random)
                let value = Double.random(in: -1...1, using: &random) * pow10(size)
                guard let frame = short(track, value, stamp) else { continue }
                #expect(frame == long(track, value, stamp))
                compared += 1
            }
        }
        #expect(compared > 7_000)
    }

    private func pow10(_ exponent: Int) -> Double {
        exponent < 0 ? 1 / PowersOfTen.double(-exponent) : PowersOfTen.double(exponent)
    }

    @Test func `two values compare equal exactly when their formatted texts are equal`() throws {
        let track = try track(
            .ticker, #"{"to":1,"duration":9,"label":"about 0 units","decimals":1}"#, .plain(decimals: 1))
        var label = try #require(FrameLabel(track))
        for (one, other) in [(1.04, 1.0), (1.06, 1.04), (-0.04, 0.04), (-0.06, 0.06), (0, -0.0), (9.96, 10.01)] {
            let numbers = (label.numbers(of: one, nil), label.numbers(of: other, nil))
            #expect(numbers.0 != nil && numbers.1 != nil)
            var texts: ([UInt8], [UInt8]) = ([], [])
            track.appendText(.moving(one), at: Self.now, escaped: true, to: &texts.0)
            track.appendText(.moving(other), at: Self.now, escaped: true, to: &texts.1)
            #expect((numbers.0 == numbers.1) == (texts.0 == texts.1), "\(one), \(other)")
        }
    }

    @Test(arguments: [
        (ResourceKind.ticker, #""label":"{n, plural, one {# coin} other {# coins}}""#),
        (.progress, #""label":"{value} in {eta}""#), (.progress, #""label":"{rate}""#),
    ])
    func `a plural label or one with a time has no fast path`(kind: ResourceKind, label: String) throws {
        let member = kind == .ticker ? "to" : "current"
        #expect(FrameLabel(try track(kind, "{\"\(member)\":1,\"duration\":9,\(label)}", .plain(decimals: 0))) == nil)
    }

    @Test(arguments: [Double.infinity, .nan, 1e17, 1.7e308])
    func `a number beyond fixed-point digits has no fast path`(value: Double) throws {
        let track = try track(.ticker, #"{"to":1,"duration":9,"decimals":1}"#, .plain(decimals: 1))
        var label = try #require(FrameLabel(track))
        let numbers = label.numbers(of: value, nil)
        #expect(numbers == nil)
    }

    @Test func `digits are written with leading zeros up to the requested count`() {
        for (number, count) in [(0, 1), (7, 1), (7, 8), (12_345_678, 8), (123_456_789, 9), (5, 20), (.max, 20)]
            as [(UInt64, Int)]
        {
            var bytes: [UInt8] = []
            bytes.append(room: 40) { out, start in out.put(digits: number, count: count, at: start) }
            let plain = String(number)
            #expect(
                String(decoding: bytes, as: UTF8.self)
                    == String(repeating: "0", count: count - plain.count) + plain)
        }
    }
}
