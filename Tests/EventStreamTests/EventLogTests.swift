// Named events over a restart: told once to whoever missed them, whatever run they came from.

import Base
import EventStream
import Testing

@Suite struct EventLogTests {
    /// A run that published events 1 to 4 and stored the first three.
    private static func firstRun() throws -> PastEvents {
        let script = StreamScript(epoch: "one")
        for _ in 0..<2 { script.event("milestone", "a") }
        let first = try #require(script.hub.drainLogPortion())
        script.event("complete", "b", .completion)
        let second = try #require(script.hub.drainLogPortion())
        script.event("milestone", "a")
        #expect((first.first, first.last) == (1, 2))
        #expect((second.first, second.last) == (3, 3))
        var past = PastEvents(maximumBytes: HubConfiguration().historyBytes)
        try past.append(first.bytes, last: first.last, epoch: "one", at: 0)
        try past.append(second.bytes, last: second.last, epoch: "one", at: 0)
        return past
    }

    @Test(arguments: [
        ("one-0", ["1", "2", "4"]), ("one-1", ["2", "4"]), ("one-3", ["4"]), ("one-4", ["4"]), ("two-3", ["4"]),
        ("two-4", []),
    ])
    func `a client of the previous run is replayed what it missed`(id: String, expected: [String]) throws {
        let script = StreamScript(epoch: "two", past: try Self.firstRun())
        // What the first run published last was not stored: it happens anew.
        script.event("milestone", "a")
        script.tick()
        script.open(0, "a") { $0.lastEventID = id }
        let sent = script.drain()[0] ?? ""
        let numbers = sent.withoutPlaces.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap {
            $0.split(separator: "-").last
        }
        #expect(numbers.map(String.init) == expected)
        #expect(!sent.contains("reset"))
    }

    @Test(arguments: [
        ("one-3", false), ("one-4", true), ("one-6", true), ("two-5", false), ("two-6", false), ("three-5", false),
        ("three-6", false), ("three-7", true),
    ])
    func `a client that read beyond a restored backup gets a reset`(
        id: String, isReset: Bool
    ) throws {
        // The copied run ends at 3; behind it, the restored board's first run has stored 4 and 5.
        var past = try Self.firstRun()
        past.copyEnd = 3
        try past.append(Array("4 0 0 a 1\nx5 0 0 a 1\ny".utf8), last: 5, epoch: "two", at: 0)
        let script = StreamScript(epoch: "three", past: past)
        script.event("milestone", "a")
        script.tick()
        script.open(0, "a") { $0.lastEventID = id }
        let sent = script.drain()[0] ?? ""
        #expect(sent.contains("event: reset\ndata: {\"reason\":\"unknown\"}") == isReset)
        // Otherwise it has missed what came after its id.
        #expect(sent.contains("event: milestone") == (!isReset && id != "three-6"))
    }

    /// The second run told two events and was killed before it had stored any.
    @Test func `a client of a run that stored nothing is sent the events since, without a reset`() throws {
        var past = try Self.firstRun()
        past.add(run: "two")
        let script = StreamScript(epoch: "three", past: past)
        script.event("milestone", "a")
        script.tick()
        script.open(0, "a") { $0.lastEventID = "two-9" }
        let sent = script.drain()[0] ?? ""
        #expect(!sent.contains("reset") && sent.contains("event: milestone"))
        past.add(run: "")
        #expect(past.lastNumbers[""] == nil)
    }

    @Test func `a run that stored nothing is known after more such runs, up to a limit`() throws {
        var silent: [EventID] = []
        for number in 0..<40 {
            var past = try Self.firstRun()
            past.add(run: "silent-\(number)", after: silent)
            silent = past.silentRuns
            #expect(past.lastNumbers["silent-\(max(0, number - 31))"] == past.lastNumber)
        }
        #expect(silent.count == 32 && silent.last?.epoch == "silent-39")
        var past = try Self.firstRun()
        past.add(run: "one", after: silent)
        #expect(past.silentRuns == silent, "a run with a stored event isn't silent")
    }

    @Test func `a Last-Event-ID of an unknown run gets a reset`() throws {
        let script = StreamScript(epoch: "two", past: try Self.firstRun())
        script.open(0, "a") { $0.lastEventID = "zero-1" }
        #expect(script.drain()[0]?.contains("event: reset") == true)
    }

    @Test(arguments: [("one-4", false), ("one-5", true), ("two-6", false), ("zero-1", true)])
    func `after a takeover, a client that read beyond the log's end gets a reset`(
        id: String, isReset: Bool
    ) {
        let script = StreamScript(epoch: "one")
        for _ in 0..<4 { script.event("milestone", "a") }
        script.hub.begin(epoch: "two", after: [EventID(epoch: "one", number: 4)])
        for _ in 0..<2 { script.event("milestone", "a") }
        script.tick()
        script.open(0, "a") { $0.lastEventID = id }
        #expect(script.drain()[0]?.contains("event: reset") == isReset)
    }

    @Test func `a takeover that lost events resets open streams and rejects ids from before`() {
        let script = StreamScript(epoch: "one")
        script.event("milestone", "a")
        script.tick()
        script.open(0, "a") { $0.lastEventID = "one-1" }
        script.open(1, "a")
        #expect(script.drain()[0]?.contains("event: reset") == false)
        script.hub.begin(epoch: "two", after: [], hasLost: true)
        script.tick()
        script.open(2, "a") { $0.lastEventID = "one-1" }
        let sent = script.drain()
        #expect([0, 1, 2].map { sent[$0]?.contains("event: reset") ?? false } == [true, false, true])
    }

    @Test func `a once stream gets a completion of the previous run and ends`() throws {
        let script = StreamScript(epoch: "two", past: try Self.firstRun())
        script.open(0, "b") {
            $0.lastEventID = "one-1"
            $0.terms.once = true
        }
        let sent = script.drain()[0] ?? ""
        #expect(sent.contains("event: complete") && sent.hasSuffix("<end>"))
    }

    @Test func `event log entries that are repeated or out of order are damage, and their numbers count`() throws {
        var past = PastEvents(maximumBytes: HubConfiguration().historyBytes)
        try past.append(Array("5 1 0 a 1\nx6 1 0 a 1\ny".utf8), last: 6, epoch: "one", at: .min)
        for text in [
            "5 1 0 a 1\nx6 1 0 a 1\ny", "6 1 0 a 1\nx", "3 1 0 a 1\nx", "8 1 0 a 1\nx7 1 0 a 1\ny", "7 1 0 a 1\nx",
        ] {
            let last: Int64 = text.hasPrefix("8") || text.hasPrefix("7") ? 8 : 6
            #expect(throws: PastEvents.Damage.self) {
                try past.append(Array(text.utf8), last: last, epoch: "one", at: 0)
            }
        }
        // One that can't be used still has its numbers.
        #expect(past.lastNumber == 8)
        try past.append(Array("12 1 0 a 1\nx".utf8), last: 12, epoch: "two", at: 0)
        #expect(past.lastNumber == 12)
        #expect(throws: PastEvents.Damage.self) {
            try past.append(Array("\(Int64.max) 1 0 a 1\nx".utf8), last: .max, epoch: "two", at: 0)
        }
        #expect(past.lastNumber == 12)
        _ = StreamScript(epoch: "three", past: past)
    }

    @Test(arguments: ["x", "1 0 0 a\n", "1 9 0 a 1\nx", "1 0 0 a 9\nx", "1 0 0 a -1\nx", "1 0 0 a 1"])
    func `a malformed entry of the event log is damage`(text: String) {
        #expect(throws: PastEvents.Damage.self) {
            var past = PastEvents(maximumBytes: HubConfiguration().historyBytes)
            try past.append(Array(text.utf8), last: 1, epoch: "one", at: 0)
        }
    }
}
