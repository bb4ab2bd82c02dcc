// Descriptors and countdown labels: the strings that JSON, viewer and command line share.

import Foundation
import Labels
import Testing

struct DescriptorTests {
    @Test func `a moving ticker's descriptor has value, target and trend, and its label at the target`() throws {
        let label = TickerLabel("Temperature: 13F")
        let moving = TickerDescriptor(label, value: 72.25, target: ExactDecimal(250), progress: 0.259)
        #expect(moving.value == "72")
        #expect(moving.text == "Temperature: 72F")
        #expect(moving.target == "250")
        #expect(moving.percent == "25%")
        #expect(moving.trend == "rising")
        #expect(moving.accessible == "Temperature: 250F")
        let still = TickerDescriptor(label, value: 250, target: ExactDecimal(250))
        #expect(still.fields.map(\.name) == ["value", "text", "trend", "accessible"])
        #expect(still.text == "Temperature: 250F")
    }

    private static let sentences: [(ProgressDescriptor.State, Int?, Double?, String)] = [
        (.running, 42, 125, "42 percent, 2 minutes left"), (.running, 42, 7_300, "42 percent, 2 hours left"),
        (.running, 42, nil, "42 percent"), (.stalled, 42, 10, "42 percent, stalled"),
        (.paused, 42, 10, "42 percent, paused"), (.done, 100, 0, "100 percent, done"),
        (.running, nil, 10, "7, total unknown, 10 seconds left"),
    ]

    @Test(arguments: sentences)
    func `a progress has an accessible sentence with percentage, state and time left`(
        state: ProgressDescriptor.State, percent: Int?, eta: Double?, sentence: String
    ) {
        let values = ProgressLabel.Values(value: 7, percent: percent, eta: eta)
        let descriptor = ProgressDescriptor(.standard, values, state: state)
        #expect(descriptor.accessible == sentence)
        #expect(descriptor.percent == percent.map { "\($0)%" })
    }

    @Test func `a schedule has an accessible sentence with the time left`() throws {
        let label = try CountdownLabel(parsing: "Launch")
        let pending = ScheduleDescriptor(label, seconds: 7_500, due: "2026-11-21T00:00:00Z")
        #expect(pending.text == "Launch 2:05:00")
        #expect(pending.remaining == "2 h 5 min")
        #expect(pending.accessible == "in 2 hours, 5 minutes")
        #expect(ScheduleDescriptor(label, seconds: 0).accessible == "due now")
        #expect(ScheduleDescriptor(label, seconds: 8, state: .paused).accessible == "paused, 8 seconds left")
        #expect(ScheduleDescriptor(label, seconds: nil, state: .ended).fields.map(\.name) == ["state", "accessible"])
    }

    @Test func `a descriptor is a JSON object of strings`() throws {
        var bytes: [UInt8] = []
        let descriptor = TickerDescriptor(TickerLabel("\"\n5"), value: 1, target: ExactDecimal(7))
        descriptor.appendJSON(to: &bytes)
        let decoded = try JSONDecoder().decode([String: String].self, from: Data(bytes))
        #expect(decoded == ["value": "7", "text": "\"\n7", "trend": "steady", "accessible": "\"\n7"])
    }

    private static let labels = [
        "", "{0}", "Temperature: 13F", "\"\n5\\", "007 of 9", "\u{2028}1,234.50 €",
        "{n, plural, one {# \"coin\"} other {# coins}}",
    ]

    @Test(arguments: labels, [nil, 0, 0.259, 1])
    func `a ticker descriptor written straight as JSON equals its encoded strings`(text: String, progress: Double?)
        throws
    {
        let label = try TickerLabel.isMessage(text) ? TickerLabel(message: text) : TickerLabel(text)
        for (value, target) in [(72.25, "250"), (-3, "-3.5"), (1, "1"), (1e9, "0.05")] {
            let target = try #require(ExactDecimal(parsing: target))
            var (strings, bytes): ([UInt8], [UInt8]) = ([], [])
            TickerDescriptor(label, value: value, target: target, progress: progress).appendJSON(to: &strings)
            TickerDescriptor.appendJSON(
                label.escapedForJSON(), value: value, target: target, progress: progress, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: strings, as: UTF8.self))
        }
    }

    @Test(arguments: [
        ("", "1:05"), ("Launch", "Launch 1:05"), ("T-minus 10 s", "T-minus 65 s"),
        ("{remaining} left", "1 min 5 s left"),
        ("{minutes}m {seconds}s {{x}}", "1m 5s {x}"), ("{days}/{hours}/{total}/{words}", "0/0/65/1 minute, 5 seconds"),
    ])
    func `a countdown label shows the remaining time in its placeholders`(text: String, shown: String) throws {
        #expect(try CountdownLabel(parsing: text).text(of: TimeSpan(seconds: 65)) == shown)
    }

    @Test(arguments: ["{", "{weeks}", "x}"])
    func `a malformed countdown label is refused`(text: String) {
        #expect(throws: LabelError.self) { try CountdownLabel(parsing: text) }
    }
}
