// How many topics there may be, and that whoever misses some is told.

import EventStream
import Testing

@Suite struct TopicLimitTests {
    private func limit(_ name: String, _ maximum: Int) -> String {
        "event: limit\ndata: {\"limit\":\"\(name)\",\"maximum\":\(maximum)}\n\n"
    }

    @Test func `a stream that starts with too many topics gets a limit event at once`() {
        let script = StreamScript(topics: 3)
        for index in 0..<5 { _ = script.topic("t\(index)") }
        script.open(0, "*", state: "S")
        script.open(1, "t1", state: "S")
        let sent = script.drain()
        #expect(sent[0]?.components(limit("topics", 3)) == 1 && sent[0]?.components("data: S") == 3)
        #expect(sent[1]?.contains("limit") == false)
    }

    @Test func `topics of all streams together are bounded`() {
        let script = StreamScript(hub: { $0.maximumLinks = 10 })
        for index in 0..<6 { _ = script.topic("t\(index)") }
        script.open(0, "*", state: "S")
        script.open(1, "*", state: "S")
        let sent = script.drain()
        #expect(sent[0]?.contains("limit") == false)
        #expect(sent[1]?.components(limit("allTopics", 10)) == 1 && sent[1]?.components("data: S") == 4)
        #expect(script.hub.linkCount == 10)
        // What one leaves another may have.
        script.hub.unsubscribe(StreamScript.key(0))
        script.shard.closed(StreamScript.key(0))
        script.open(2, "*", state: "S")
        #expect(script.drain()[2]?.contains("limit") == false)
        #expect(script.hub.linkCount == 10)
    }

    @Test func `names of all streams together are bounded`() {
        let script = StreamScript(hub: { $0.maximumPatterns = 3 })
        script.open(0, "a", "b")
        script.open(1, "c", "d")
        script.open(2, "e")
        for name in ["a", "c", "e"] { script.event("milestone", name) }
        script.tick()
        let sent = script.drain()
        #expect(sent[1]?.contains(limit("patterns", 3)) == true && sent[1]?.contains("milestone") == false)
        #expect(sent[0]?.contains("milestone") == true && sent[2]?.contains("milestone") == true)
    }

    /// Which of a script's streams were told of a limit.
    private func limited(_ script: StreamScript, _ limit: String) -> [UInt32] {
        script.drain().filter { $0.value.contains(limit) }.keys.sorted()
    }

    private func leave(_ script: StreamScript, _ slots: ClosedRange<UInt32>) {
        for slot in slots {
            script.hub.unsubscribe(StreamScript.key(slot))
            script.shard.closed(StreamScript.key(slot))
        }
    }

    @Test func `one owner's streams cannot take all names: a share stays free for others`() {
        let script = StreamScript(hub: { $0.maximumPatterns = 12 })
        // Whatever is given back is there again.
        for _ in 0..<3 {
            for slot in UInt32(0)...4 { script.open(slot, "a\(slot)", "b\(slot)") { $0.owner = "one" } }
            #expect(limited(script, limit("patterns", 12)) == [3, 4])
            script.open(5, "a", "b") { $0.owner = "another" }
            // What is not held to a share has the rest.
            script.open(6, "c", "d", "e", "f")
            script.open(7, "g")
            #expect(limited(script, limit("patterns", 12)) == [7])
            #expect(script.hub.patternCount == 12)
            leave(script, 0...7)
            #expect(script.hub.patternCount == 0)
        }
    }

    @Test func `one owner's streams cannot take all topics: a share stays free for others`() {
        let script = StreamScript(hub: { $0.maximumLinks = 12 })
        for _ in 0..<3 {
            for index in 0..<6 { _ = script.topic("t\(index)") }
            script.open(0, "*") { $0.owner = "one" }
            script.open(1, "*") { $0.owner = "one" }
            #expect(limited(script, limit("allTopics", 12)) == [1])
            script.open(2, "t0", "t1", "t2") { $0.owner = "another" }
            // One more than its share is heard of neither at once nor when it comes.
            script.frame("u0", "U")
            script.tick()
            #expect(script.drain()[0]?.contains("event: limit") == true)
            script.open(3, "*")
            #expect(limited(script, limit("allTopics", 12)) == [3])
            #expect(script.hub.linkCount == 12)
            // A topic that goes gives back what it took.
            script.hub.release(script.topic("t0"))
            #expect(script.hub.linkCount == 9)
            leave(script, 0...3)
            #expect(script.hub.linkCount == 0)
            script.tick()
            for name in script.hub.drainWatchChanges() { script.hub.release(name) }
            script.tick()
        }
    }

    @Test func `a topic that found no room in any stream is reported for release`() {
        let script = StreamScript(topics: 1)
        script.open(0, "*")
        script.frame("a", "1")
        _ = script.hub.drainWatchChanges()
        let left = script.topic("b")
        #expect(script.hub.drainWatchChanges() == [left])
        #expect(script.hub.variants(watching: left).isEmpty)
    }

    @Test func `notifications leave a bounded number of topics, and every one is sent`() {
        let script = StreamScript(history: 10, topics: 100, hub: { $0.maximumPassingTopics = 16 })
        script.open(0, "*")
        script.open(1, "n3", "n999")
        var heard = ""
        var named = ""
        for index in 0..<2_000 {
            script.event("notification", "n\(index % 1_000)")
            script.tick()
            let sent = script.drain()
            heard += sent[0] ?? ""
            named += sent[1] ?? ""
            #expect(script.hub.linkCount <= 20)
        }
        #expect(heard.components("event: notification") == 2_000 && !heard.contains("limit"))
        #expect(named.components("event: notification") == 4)
    }

    @Test func `an event for all of a kind reaches streams of any topic of that kind`() {
        let script = StreamScript()
        script.open(0, "a")
        script.open(1, "x*")
        _ = script.drain()
        script.publish("paused", on: .all(.ticker), payload: Array("{}".utf8))
        script.publish("paused", on: .all(.schedule), payload: Array("{}".utf8))
        script.tick()
        let sent = script.drain()
        #expect(sent[0]?.components("event: paused") == 1 && sent[1]?.components("event: paused") == 1)
    }

    @Test func `watch changes are taken in portions`() {
        let script = StreamScript()
        for index in 0..<100 { _ = script.topic("t\(index)") }
        script.open(0, "*")
        var taken: Set<TopicIndex> = []
        for _ in 0..<4 { taken.formUnion(script.hub.drainWatchChanges(most: 25)) }
        #expect(taken.count == 100 && !script.hub.hasWatchChanges)
    }

    @Test func `a topic whose last stream in a form leaves is reported`() {
        let script = StreamScript()
        let topic = script.topic("a")
        script.open(0, "a")
        script.open(1, "a") { $0.parts = $0.parts.with(Variant(text: true, stamp: false)) }
        #expect(script.hub.drainVariantLosses().isEmpty)
        script.hub.unsubscribe(StreamScript.key(1))
        #expect(script.hub.drainVariantLosses() == [topic])
        script.hub.unsubscribe(StreamScript.key(0))
        #expect(script.hub.drainVariantLosses().isEmpty && script.hub.drainWatchChanges().contains(topic))
    }
}
