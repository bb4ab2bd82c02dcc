// How many topics there may be, and that whoever misses some is told.

import EventStream
import Testing

@Suite struct TopicLimitTests {
    private func limit(_ name: String, _ maximum: Int) -> String {
        "event: limit\ndata: {\"limit\":\"\(name)\",\"maximum\":\(maximum)}\n\n"
    }

    @Test func `a stream that begins with more than it may have is told at once`() {
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

    @Test func `a topic that nobody had room for is told to be let go`() {
        let script = StreamScript(topics: 1)
        script.open(0, "*")
        script.frame("a", "1")
        _ = script.hub.takeWatchChanges()
        let left = script.topic("b")
        #expect(script.hub.takeWatchChanges() == [left])
        #expect(script.hub.variants(watching: left).isEmpty)
    }

    @Test func `events without a resource leave a bounded number of topics, and none goes unheard`() {
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

    @Test func `what concerns all of a kind is heard by whoever named one of it`() {
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

    @Test func `changes of who watches are taken a few at a time`() {
        let script = StreamScript()
        for index in 0..<100 { _ = script.topic("t\(index)") }
        script.open(0, "*")
        var taken: Set<TopicIndex> = []
        for _ in 0..<4 { taken.formUnion(script.hub.takeWatchChanges(most: 25)) }
        #expect(taken.count == 100 && !script.hub.hasWatchChanges)
    }

    @Test func `a form that nobody watches in any more is told`() {
        let script = StreamScript()
        let topic = script.topic("a")
        script.open(0, "a")
        script.open(1, "a") { $0.variant = Variant(text: true, stamp: false) }
        #expect(script.hub.takeVariantLosses().isEmpty)
        script.hub.unsubscribe(StreamScript.key(1))
        #expect(script.hub.takeVariantLosses() == [topic])
        script.hub.unsubscribe(StreamScript.key(0))
        #expect(script.hub.takeVariantLosses().isEmpty && script.hub.takeWatchChanges().contains(topic))
    }
}
