// What a misspelt name may have been meant to be.

import Base
import Testing

@Suite struct NearestNameTests {
    private static let names = [
        "as", "fps", "to", "by", "delay", "label", "duration", "easing", "endDelay", "ttl", "tick-rate",
    ]

    @Test(arguments: [
        ("too", "to"), ("tu", "to"), ("TO", "to"), ("duraton", "duration"), ("duratoin", "duration"),
        ("enddelay", "endDelay"), ("end_delay", "endDelay"), ("Easing", "easing"), ("tick-rat", "tick-rate"),
        ("fsp", "fps"), ("dely", "delay"), ("lable", "label"),
    ])
    func `a near misspelling gets a hint to the right name`(written: String, meant: String) {
        #expect(NearestName.hint(for: written, among: Self.names) == "; did you mean \(meant)?")
    }

    @Test(arguments: [
        "", "x", "o", "current", "speed", "durable", "rate", String(repeating: "duration", count: 1_000), "🍏🍏",
    ])
    func `a name far from all known ones gets no hint`(written: String) {
        #expect(NearestName.hint(for: written, among: Self.names).isEmpty)
    }

    @Test func `without known names there is no hint`() {
        #expect(NearestName.hint(for: "to", among: [String]()).isEmpty)
    }
}
