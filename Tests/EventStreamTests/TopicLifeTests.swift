// Topics that go and numbers that come again: nobody hears what was another's, and nobody goes deaf.

import EventStream
import Testing

@Suite struct TopicLifeTests {
    @Test func `events of a released topic don't reach the topic that reuses its number`() {
        let script = StreamScript()
        script.open(0, "y*")
        let old = script.topic("x")
        _ = script.drain()
        script.event("removed", "x", .removal)
        script.frame("x", "old")
        script.hub.release(old)
        #expect(script.topic("y1") != old)
        script.tick()
        #expect(script.topic("y2") == old)
        script.tick()
        #expect(script.drain().isEmpty)
    }

    @Test func `a stream of a prefix hears of every topic, however many came and went before`() {
        let script = StreamScript(topics: 10)
        script.open(0, "*")
        _ = script.drain()
        for round in 0..<100 {
            script.frame("t\(round)", "\(round)")
            script.tick()
            #expect(script.drain()[0] == "data: \(round)\n\n")
            script.event("removed", "t\(round)", .removal)
            script.hub.release(script.topic("t\(round)"))
            script.tick()
            #expect(script.drain()[0]?.contains("event: removed") == true)
        }
    }

    @Test func `a topic that a stream names outlives its resource`() {
        let script = StreamScript()
        script.open(0, "a")
        script.open(1, "a*")
        _ = script.drain()
        script.frame("a", "1")
        script.hub.release(script.topic("a"))
        script.frame("a", "2")
        script.tick()
        let sent = script.drain()
        #expect(sent[0] == "data: 2\n\n")
        #expect(sent[1] == "data: 2\n\n")
    }

    @Test func `a topic is bound to its resource's slot until released, and its watchers are reported`() {
        let script = StreamScript()
        script.open(0, "a")
        let topic = script.topic("a")
        _ = script.hub.drainWatchChanges()
        let isNew = [script.hub.bind(topic, to: 3), script.hub.bind(topic, to: 3)]
        #expect(isNew == [true, false] && script.hub.drainWatchChanges() == [topic])
        #expect(script.hub.slot(of: topic) == 3 && script.hub.topicsOfTracks == [-1, -1, -1, topic.rawValue])
        #expect(script.hub.unbindAll() == [topic] && script.hub.slot(of: topic) == nil)
        #expect(script.hub.bind(topic, to: 1))
        script.hub.release(topic)
        #expect(script.hub.slot(of: topic) == nil && script.hub.topicsOfTracks == [-1, -1])
    }

    @Test func `watch changes report a topic's first subscriber and its last one leaving`() {
        let script = StreamScript()
        let topic = script.topic("a")
        let text = Variant(text: true, stamp: false)
        script.open(0, "a")
        script.open(1, "a") { $0.parts = $0.parts.with(text) }
        #expect(script.hub.drainWatchChanges().contains(topic))
        #expect(Array(script.hub.variants(watching: topic)) == [.json, text])
        script.hub.unsubscribe(StreamScript.key(0))
        #expect(!script.hub.drainWatchChanges().contains(topic))
        #expect(Array(script.hub.variants(watching: topic)) == [text])
        script.hub.unsubscribe(StreamScript.key(1))
        #expect(script.hub.drainWatchChanges().contains(topic))
        #expect(script.hub.variants(watching: topic).isEmpty)
    }

    @Test func `topics over a stream's limit are not sent, and one limit event says so`() {
        let script = StreamScript(topics: 3)
        script.open(0, "*")
        _ = script.drain()
        for index in 0..<5 { script.frame("t\(index)", "\(index)") }
        script.tick()
        let sent = script.drain()[0] ?? ""
        #expect(sent.hasSuffix("data: 0\n\ndata: 1\n\ndata: 2\n\n"))
        // It is told so, once.
        let limit = "event: limit\ndata: {\"limit\":\"topics\",\"maximum\":3}\n\n"
        #expect(sent.components(limit) == 1 && sent.components("event:") == 1)
    }

    @Test func `a stream whose socket closed before its subscription is given back`() {
        let script = StreamScript()
        script.shard.opened(StreamScript.key(0), now: 0)
        script.shard.closed(StreamScript.key(0))
        #expect(script.closed == [StreamScript.key(0)])
        let late = Subscription(key: StreamScript.key(0), parts: StreamParts(TopicSelection([]), .json))
        script.hub.subscribe(late, hello: []) { _, _, _ in .frame }
        #expect(script.drain().isEmpty)
        #expect(script.closed == [StreamScript.key(0), StreamScript.key(0)])
    }

    @Test func `a reused stream slot gets nothing of its former stream`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        script.frame("a", "1")
        script.tick()
        script.shard.closed(StreamScript.key(0))
        script.open(0, "b", generation: 2)
        let greeting = script.drain()[0] ?? ""
        #expect(greeting.withoutPlaces.hasPrefix("event: hello") && !greeting.contains("data: 1"))
        script.hub.end(StreamScript.key(0), with: Array("stray".utf8), because: .draining)
        script.frame("a", "2")
        script.frame("b", "3")
        script.tick()
        #expect(script.drain()[0] == "data: 3\n\n")
    }

    @Test(arguments: [
        ("a", "a", true), ("a", "ab", false), ("a*", "a", true), ("a*", "ab", true), ("a*", "b", false),
        ("*", "anything", true), ("*", "*", false),
    ])
    func `a pattern matches one id, or with a star all ids with its prefix`(text: String, id: String, matches: Bool)
        throws
    {
        let pattern = try #require(TopicPattern(kind: .ticker, parsing: text))
        #expect(pattern.matches(TopicName(kind: .ticker, id: id)) == matches)
        #expect(!pattern.matches(TopicName(kind: .progress, id: id)))
    }

    @Test(arguments: ["", "a b", "a\nb", "**", "a*b", "\u{e9}", String(repeating: "x", count: 129)])
    func `a pattern that no topic's id can match is refused`(text: String) {
        #expect(TopicPattern(kind: .ticker, parsing: text) == nil)
    }
}
