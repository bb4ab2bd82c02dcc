// What is kept for those who were away: never more than it may be, and a gap is never passed in silence.

import Base
import EventStream
import Testing

@Suite struct HistoryTests {
    /// A run whose store lost the events 11 to 20.
    private func past() throws -> PastEvents {
        let script = StreamScript(epoch: "one")
        var past = PastEvents(maximumBytes: HubConfiguration().historyBytes)
        for part in 0..<3 {
            for _ in 0..<10 { script.event("milestone", "a") }
            let portion = try #require(script.hub.drainLogPortion())
            if part != 1 { try past.append(portion.bytes, last: portion.last, epoch: "one", at: 0) }
        }
        return past
    }

    @Test(arguments: [(20, 10), (25, 5), (29, 1), (30, 0)])
    func `events after a gap in the log are replayed without a reset`(number: Int, count: Int) throws {
        let script = StreamScript(epoch: "two", past: try past())
        script.open(0, "a") { $0.lastEventID = "one-\(number)" }
        let sent = script.drainAll(0)
        #expect(sent.components("event: milestone") == count)
        #expect(!sent.contains("reset"))
    }

    @Test(arguments: [0, 5, 10, 11, 19])
    func `a client whose last event lies before a gap in the log gets a reset`(number: Int) throws {
        let script = StreamScript(epoch: "two", past: try past())
        script.open(0, "a") { $0.lastEventID = "one-\(number)" }
        let sent = script.drainAll(0)
        #expect(sent.contains("event: reset\ndata: {\"reason\":\"expired\"}"))
        #expect(sent.components("event: milestone") == 0)
    }

    @Test func `the history's bytes are limited, in memory, stored and read back`() throws {
        let limit = 100_000
        let script = StreamScript(history: 10_000, hub: { $0.historyBytes = limit })
        #expect(script.hub.oldestKept == 1)
        let payload = [UInt8](repeating: UInt8(ascii: "x"), count: 5_000)
        for _ in 0..<200 {
            script.publish("notification", on: TopicName(kind: .ticker, id: "a"), payload: payload)
        }
        #expect(script.hub.historyBytes <= limit && script.hub.historyBytes > limit / 2)
        let oldest = script.hub.oldestKept
        #expect((180...182).contains(oldest))
        // What made room already is not stored either.
        let portion = try #require(script.hub.drainLogPortion())
        #expect((portion.first, portion.last) == (oldest, 200))
        #expect(script.hub.drainLogPortion() == nil)
        // Nor is more read back than is kept.
        var past = PastEvents(maximumBytes: limit)
        for number in 1...5 {
            let lines = (0..<20).map { "\(number * 20 + $0) 0 0 a 5000\n" + String(repeating: "y", count: 5_000) }
            try past.append(Array(lines.joined().utf8), last: Int64(number * 20 + 19), epoch: "one", at: 0)
        }
        let next = StreamScript(history: 10_000, epoch: "two", past: past, hub: { $0.historyBytes = limit })
        #expect(next.hub.oldestKept > 100 && next.hub.lastEventID.number == 119)
    }

    @Test func `an event larger than the whole history is not replayed: older ids get a reset`() {
        let script = StreamScript(hub: { $0.historyBytes = 1_000 })
        for size in [10, 5_000, 10] {
            let payload = [UInt8](repeating: UInt8(ascii: "x"), count: size)
            script.publish("notification", on: TopicName(kind: .ticker, id: "a"), payload: payload)
        }
        script.open(0, "a") { $0.lastEventID = "e-1" }
        script.open(1, "a") { $0.lastEventID = "e-2" }
        let sent = script.drain()
        #expect(sent[0]?.contains("event: reset") == true)
        #expect(sent[1]?.contains("id: e-3\n") == true)
    }

    @Test(arguments: ["e-9223372036854775807", "e-9223372036854775808", "e--1", "e-01", "-1", "e-"])
    func `an extreme or malformed Last-Event-ID does not crash the hub`(id: String) {
        let script = StreamScript()
        script.event("milestone", "a")
        script.open(0, "a") { $0.lastEventID = id }
        #expect(script.drainAll(0).withoutPlaces.hasPrefix("event: hello"))
    }
}
