// Reconnecting: what was missed, and nothing twice.

import EventStream
import TestSupport
import Testing

@Suite struct ReplayTests {
    @Test func `a reconnect replays only missed events of its own topics, once`() {
        let script = StreamScript()
        for index in 1...6 { script.event("milestone", index % 2 == 0 ? "a" : "b") }
        script.tick()
        script.open(0, "a") { $0.lastEventID = "e-2" }
        let sent = script.drain()[0] ?? ""
        #expect(!sent.withoutPlaces.contains("e-2\n") && sent.contains("id: e-4\n") && sent.contains("id: e-6\n"))
        #expect(!sent.contains("id: e-3\n") && !sent.contains("reset"))
    }

    @Test(arguments: ["other-3", "nonsense", "e-99", ""])
    func `an unknown, malformed or future Last-Event-ID gets a reset and the state`(id: String) {
        let script = StreamScript()
        _ = script.topic("a")
        script.event("milestone", "a")
        script.tick()
        script.open(0, "a", state: "S") { $0.lastEventID = id }
        let sent = script.drain()[0] ?? ""
        #expect(sent.contains("event: reset"))
        #expect(sent.contains("data: S\n\n"))
    }

    @Test func `a Last-Event-ID older than the history gets a reset`() {
        let script = StreamScript(history: 5)
        for _ in 0..<20 { script.event("milestone", "a") }
        script.tick()
        script.open(0, "a") { $0.lastEventID = "e-3" }
        script.open(1, "a") { $0.lastEventID = "e-15" }
        let sent = script.drain()
        #expect(sent[0]?.contains("event: reset") == true)
        #expect(sent[1]?.contains("event: reset") == false)
        #expect(sent[1]?.components("event: milestone") == 5)
    }

    @Test func `a thousand reconnects lose no event and see none twice`() {
        let script = StreamScript(history: 10_000)
        var seen: [Int] = []
        var last = "e-0"
        var random = SeededRandom(seed: 26)
        for round in 0..<1_000 {
            for _ in 0..<Int.random(in: 0..<3, using: &random) { script.event("milestone", "a") }
            script.tick()
            let slot = UInt32(round % 7)
            script.open(slot, "a") { $0.lastEventID = last }
            for _ in 0..<Int.random(in: 0..<3, using: &random) { script.event("milestone", "a") }
            script.tick()
            for line in (script.drain()[slot] ?? "").withoutPlaces.split(separator: "\n") where line.hasPrefix("id: ") {
                last = String(line.dropFirst(4))
                seen.append(Int(line.dropFirst(6)) ?? -1)
            }
            script.shard.closed(StreamScript.key(slot))
            script.hub.unsubscribe(StreamScript.key(slot))
        }
        #expect(seen == Array(1...seen.count))
    }

    @Test func `a reused topic number sends nothing to the old topic's streams`() {
        let script = StreamScript()
        script.open(0, "a*")
        script.open(1, "b")
        _ = script.drain()
        let old = script.topic("ab")
        script.frame("ab", "1")
        script.tick()
        _ = script.drain()
        script.hub.unsubscribe(StreamScript.key(0))
        script.shard.closed(StreamScript.key(0))
        script.hub.release(old)
        script.tick()
        let new = script.topic("c")
        #expect(new == old)
        script.frame("c", "2")
        script.tick()
        #expect(script.drain().isEmpty)
    }
}
