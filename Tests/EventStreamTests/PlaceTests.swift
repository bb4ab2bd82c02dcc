// The place that each stream begins at: coming back to it, nobody misses anything.

import Base
import EventStream
import Testing

@Suite struct PlaceTests {
    /// Ids of `hello` and `reset`, and whether each has one.
    private func places(_ text: String) -> [String] {
        text.split(separator: "\n\n").filter { $0.contains("event: hello") || $0.contains("event: reset") }
            .map { $0.split(separator: "\n").first { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) } ?? "none" }
    }

    private func come(_ script: StreamScript, _ slot: UInt32, with id: String? = nil) -> String {
        script.open(slot, "a") { $0.lastEventID = id }
        return script.drainAll(slot)
    }

    @Test(arguments: [0, 3])
    func `a first stream's hello has the newest event's id, from which a reconnect replays`(count: Int) throws {
        let script = StreamScript()
        for _ in 0..<count { script.event("milestone", "a") }
        script.tick()
        let place = try #require(places(come(script, 0)).first)
        #expect(place == "e-\(count)")
        script.shard.closed(StreamScript.key(0))
        script.event("complete", "a")
        script.event("complete", "b")
        let again = come(script, 1, with: place)
        #expect(again.components("event: complete") == 1 && !again.contains("reset"))
    }

    @Test func `a reconnected stream's hello repeats its id, so an interrupted replay starts again`() {
        let script = StreamScript(hub: { $0.replayPortion = 20 })
        for _ in 0..<9 { script.event("milestone", "a") }
        script.tick()
        script.open(0, "a") { $0.lastEventID = "e-4" }
        let sent = script.drain()[0] ?? ""
        #expect(places(sent) == ["e-4"])
        #expect(sent.components("event: milestone") < 5)
    }

    @Test func `after an unknown or expired id the reset event has the newest id`() {
        let script = StreamScript(history: 3)
        for _ in 0..<9 { script.event("milestone", "a") }
        script.tick()
        #expect(places(come(script, 0, with: "other-3")) == ["none", "e-9"])
        // The events behind it are kept no more.
        #expect(places(come(script, 1, with: "e-2")) == ["e-2", "e-9"])
        script.hub.replacePast(by: PastEvents(maximumBytes: 0), epoch: "f", after: [], last: 12)
        script.tick()
        #expect(places(script.drainAll(0)) == ["f-12"])
    }

    @Test func `a stream that answers a request has the id from before it in its hello`() {
        let script = StreamScript()
        for _ in 0..<2 { script.event("milestone", "a") }
        script.open(0, "a") { $0.after = EventID(epoch: "e", number: 1) }
        #expect(places(script.drainAll(0)) == ["e-1"])
    }

    @Test func `an id of a run without events stays valid after restarts`() throws {
        var past = PastEvents(maximumBytes: HubConfiguration().historyBytes)
        try past.append([], last: 0, epoch: "one", at: 0)
        for epoch in ["two", "three"] {
            let script = StreamScript(epoch: epoch, past: past)
            #expect(places(come(script, 0)) == ["one-0"])
            script.event("complete", "a")
            script.tick()
            #expect(places(come(script, 1)) == ["\(epoch)-1"])
            let missed = come(script, 2, with: "one-0")
            #expect(missed.contains("id: \(epoch)-1\n") && !missed.contains("reset"))
        }
        #expect(throws: PastEvents.Damage.self) { try past.append([], last: 0, epoch: "two", at: 0) }
    }

    @Test func `an id stays valid after a restart that published nothing`() throws {
        let first = StreamScript(epoch: "one")
        first.event("milestone", "a")
        let portion = try #require(first.hub.drainLogPortion())
        var past = PastEvents(maximumBytes: HubConfiguration().historyBytes)
        try past.append(portion.bytes, last: portion.last, epoch: "one", at: 0)
        let second = StreamScript(epoch: "two", past: past)
        #expect(places(come(second, 0)) == ["one-1"])
        #expect(places(come(second, 1, with: "one-1")) == ["one-1"])
        let third = StreamScript(epoch: "three", past: past)
        third.event("complete", "a")
        third.tick()
        let missed = come(third, 0, with: "one-1")
        #expect(missed.contains("id: three-2\n") && !missed.contains("reset"))
    }

    @Test func `a stream opened while events are held gets no hello before they are released`() {
        let script = StreamScript()
        script.event("milestone", "a")
        script.tick()
        script.hub.hold()
        script.event("milestone", "a")
        script.hub.flush(now: script.now, isHeld: true)
        #expect(come(script, 0, with: "e-1").isEmpty)
        script.hub.flush(now: script.now)
        let sent = script.drainAll(0)
        #expect(sent.components("event: hello") == 1 && sent.components("event: milestone") == 1, "\(sent)")
    }
}
