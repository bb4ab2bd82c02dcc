// Open streams that are to hear something else.

import Base
import EventStream
import Testing

extension StreamScript {
    /// Topics of tickers in one form.
    func part(_ texts: String..., as variant: Variant = .json) -> StreamPart {
        StreamPart(TopicSelection(texts.compactMap { pattern($0) }), variant)
    }

    /// Has an open stream hear other topics.
    /// - Parameter state: What a topic's state shows in a form.
    @discardableResult
    func change(
        _ slot: UInt32, generation: UInt32 = 1, to parts: StreamPart..., terms: StreamTerms = StreamTerms(),
        state: (TopicIndex, Variant) -> String = { _, _ in "S" }
    ) -> Bool {
        change(Self.key(slot, generation: generation), to: StreamParts(parts), terms, state: state)
    }

    func change(
        _ key: StreamID, to parts: StreamParts, _ terms: StreamTerms, state: (TopicIndex, Variant) -> String
    ) -> Bool {
        hub.change(key, to: parts, terms, existing: existing) { topic, variant, bytes in
            bytes.append(contentsOf: state(topic, variant).utf8)
            return .frame
        }
    }
}

@Suite struct ChangeTests {
    private let wheels = Variant(text: false, stamp: false, wheels: .odometer)
    private let display = Variant(text: false, stamp: false, display: .strings)

    @Test func `a changed stream goes on with kept topics, drops left ones and gets the state of new ones`() {
        let script = StreamScript()
        for id in ["a", "b", "c"] { script.frame(id, "0") }
        script.tick()
        script.open(0, "a", "b")
        _ = script.drain()
        #expect(script.change(0, to: script.part("b", "c")))
        for id in ["a", "b", "c"] {
            script.frame(id, id)
            script.event("milestone", id)
        }
        script.tick()
        #expect(
            script.drainAll(0)
                == "data: S\n\ndata: b\n\nid: e-2\nevent: milestone\ndata: {}\n\ndata: c\n\n"
                + "id: e-3\nevent: milestone\ndata: {}\n\n")
        #expect(script.hub.linkCount == 2 && script.hub.patternCount == 2)
    }

    @Test func `a form of a topic is charged to the owner who asked for it first`() throws {
        let script = StreamScript()
        let topic = script.topic("a")
        for (slot, form) in [(wheels, "first"), (wheels, "second"), (display, "second")].enumerated() {
            script.open(UInt32(slot), "a") {
                $0.parts = StreamParts([script.part("a", as: form.0)])
                $0.owner = form.1
            }
        }
        script.open(3, "a")
        let owners = [wheels, display, .json].map { script.hub.owner(of: $0, watching: topic) }
        #expect(owners[0] != owners[1] && owners[0] > 0 && owners[1] > 0 && owners[2] == 0)
        var found: [Int32] = []
        script.hub.findOwners(watching: topic, &found)
        #expect(Set(found) == [owners[0], owners[1]])
    }

    @Test func `a changed stream counts names and topics added and removed, not those that stay`() {
        let script = StreamScript()
        script.frame("a", "0")
        script.tick()
        script.open(0, "a", "b")
        _ = script.drain()
        let before = script.hub.topicChangeCount
        #expect(script.change(0, to: script.part("c", "d", "e")))
        // Two names and the topic of one leave, three names come.
        #expect(script.hub.topicChangeCount - before == 6)
    }

    @Test func `a frame published before a change is not sent after the new topic's state`() {
        let script = StreamScript()
        script.frame("a", "0")
        script.tick()
        script.open(0, "b")
        _ = script.drain()
        script.frame("a", "older")
        script.change(0, to: script.part("a"))
        script.tick()
        #expect(script.drainAll(0) == "data: S\n\n")
    }

    @Test func `a waiting frame is sent after a change only if its topic stays`() {
        let script = StreamScript()
        script.open(0, "a", "b")
        _ = script.drain()
        script.frame("a", "a")
        script.frame("b", "b")
        script.tick()
        script.change(0, to: script.part("b"))
        #expect(script.drainAll(0) == "data: b\n\n")
    }

    @Test func `a prefix added by a change hears later topics, and a removed one nothing`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        script.change(0, to: script.part("a", "b*"))
        script.frame("b1", "1")
        script.tick()
        #expect(script.drainAll(0) == "data: 1\n\n")
        script.change(0, to: script.part("a"))
        script.frame("b1", "2")
        script.frame("b2", "3")
        script.event("milestone", "b3")
        script.tick()
        #expect(script.drainAll(0).isEmpty)
        #expect(script.hub.variants(watching: script.topic("b1")).isEmpty)
    }

    @Test func `of several changes before a fill the last one counts`() {
        let script = StreamScript()
        for id in ["a", "b", "c"] { _ = script.topic(id) }
        script.open(0, "a")
        _ = script.drain()
        script.change(0, to: script.part("b"))
        script.change(0, to: script.part("a"))
        script.change(0, to: script.part("c"))
        for id in ["a", "b", "c"] { script.frame(id, id) }
        script.tick()
        let sent = script.drainAll(0)
        #expect(sent.hasSuffix("data: c\n\n") && !sent.contains("data: a") && !sent.contains("data: b"))
    }

    @Test func `a change amid a greeting greets only the new topics that are still missing`() {
        let script = StreamScript(hub: {
            $0.greetingPortion = 1; $0.topicsPerPortion = 2
        })
        let ids = (0..<9).map { "t\($0)" }
        for id in ids { _ = script.topic(id) }
        script.open(0, "t*", state: "S")
        #expect(script.drain()[0]?.components("data: S") == 1)
        script.change(0, to: script.part("t1", "t7", "t8"))
        #expect(script.drainAll(0, state: "S").components("data: S") <= 3)
        for id in ids { script.frame(id, id) }
        script.tick()
        #expect(script.drainAll(0) == "data: t1\n\ndata: t7\n\ndata: t8\n\n")
    }

    @Test func `a change amid a replay applies to the events still to be replayed`() {
        let script = StreamScript(hub: { $0.replayPortion = 1 })
        for index in 0..<6 { script.event("milestone", index % 2 == 0 ? "a" : "b") }
        script.tick()
        script.open(0, "a") { $0.lastEventID = "e-0" }
        #expect(script.drain()[0]?.components("event: milestone") == 1)
        script.change(0, to: script.part("b"))
        let rest = script.drainAll(0)
        #expect(["2", "4", "6"].allSatisfy { rest.contains("id: e-\($0)\n") } && !rest.contains("id: e-3\n"))
        script.event("milestone", "a")
        script.event("milestone", "b")
        script.tick()
        #expect(script.drainAll(0) == "id: e-8\nevent: milestone\ndata: {}\n\n")
    }

    // MARK: - Forms

    @Test func `a stream gets each topic in the forms it asked for`() {
        let script = StreamScript()
        for id in ["a", "b"] { _ = script.topic(id) }
        script.open(0, "none") { [self] in
            $0.parts = StreamParts([script.part("a"), script.part("b", as: wheels), script.part("b", as: display)])
        }
        _ = script.drain()
        for id in ["a", "b"] {
            for form in [Variant.json, wheels, display] { script.frame(id, "\(id)\(form.rawValue)", variant: form) }
        }
        script.tick()
        #expect(
            script.drain()[0]
                == "data: a\(Variant.json.rawValue)\n\ndata: b\(wheels.rawValue)\n\ndata: b\(display.rawValue)\n\n")
    }

    @Test(arguments: [true, false])
    func `an event of a topic subscribed in two forms is sent once, after both frames`(isOrdered: Bool) {
        let script = StreamScript()
        let forms = isOrdered ? [.json, wheels] : [wheels, .json]
        script.open(0, "a") { $0.parts = StreamParts(forms.map { script.part("a", as: $0) }) }
        script.open(1, "a")
        _ = script.drain()
        script.frame("a", "plain")
        script.frame("a", "wheels", variant: wheels)
        script.event("milestone", "a")
        script.tick()
        let sent = script.drain()
        let event = "id: e-1\nevent: milestone\ndata: {}\n\n"
        #expect(sent[0]?.hasSuffix(event) == true && sent[0]?.components("event:") == 1)
        #expect(sent[0]?.contains("data: plain") == true && sent[0]?.contains("data: wheels") == true)
        #expect(sent[1] == "data: plain\n\n" + event)
        #expect(script.statistics(of: StreamScript.key(0))?.events == 1)
    }

    @Test func `a change of a topic's form sends its state in the new form`() {
        let script = StreamScript()
        let (a, b) = (script.topic("a"), script.topic("b"))
        script.open(0, "a", "b")
        _ = script.drain()
        script.change(0, to: script.part("a"), script.part("b", as: wheels)) { topic, variant in
            "\(topic.rawValue) \(variant.rawValue)"
        }
        #expect(script.drainAll(0) == "data: \(b.rawValue) \(wheels.rawValue)\n\n")
        #expect(Array(script.hub.variants(watching: b)) == [wheels])
        #expect(Array(script.hub.variants(watching: a)) == [.json])
    }

    @Test func `parts in one form are merged, and only different forms stay separate`() {
        let script = StreamScript()
        let parts = StreamParts([script.part("a"), script.part("b"), script.part(as: wheels)])
        #expect(parts == StreamParts(TopicSelection(["a", "b"].compactMap { script.pattern($0) }), .json))
        #expect(!parts.hasSeveral && StreamParts([script.part("a"), script.part("a", as: wheels)]).hasSeveral)
    }

    // MARK: - Limits and terms

    @Test func `a change beyond the limit of names is refused, and the old topics stay`() {
        let script = StreamScript(hub: { $0.maximumPatterns = 3 })
        script.open(0, "a")
        script.open(1, "b")
        _ = script.drain()
        #expect(!script.change(0, to: script.part("a", "c", "d")))
        #expect(script.change(0, to: script.part("c", "d")))
        for id in ["a", "c"] { script.event("milestone", id) }
        script.tick()
        #expect(script.drain()[0]?.contains("id: e-2\n") == true && script.hub.patternCount == 3)
    }

    @Test func `a stream that drops topics gets those that were over its limit`() {
        let script = StreamScript(topics: 2)
        for id in ["a", "b", "c"] { _ = script.topic(id) }
        script.open(0, "a", "b", "c", state: "S")
        #expect(script.drain()[0]?.contains("event: limit") == true)
        script.change(0, to: script.part("b", "c"))
        #expect(script.drainAll(0) == "data: S\n\n")
        script.change(0, to: script.part("a", "b", "c"))
        #expect(script.drainAll(0).contains("event: limit"))
    }

    @Test func `a change of a stream that has closed is refused`() {
        let script = StreamScript()
        script.open(0, "a") { $0.name = StreamName(7) }
        #expect(script.hub.stream(named: StreamName(7)) == StreamScript.key(0))
        script.hub.unsubscribe(StreamScript.key(0))
        #expect(script.hub.stream(named: StreamName(7)) == nil && !script.change(0, to: script.part("b")))
    }

    @Test func `a change may set a stream's frame rate, heartbeat and end after a completion`() {
        let script = StreamScript()
        script.open(0, "a") { $0.terms.framesPerSecond = 0.1 }
        _ = script.drain()
        script.frame("a", "1")
        script.tick()
        #expect(script.drain()[0] == "data: 1\n\n")
        script.now = 1_000_000_000
        script.frame("a", "2")
        script.tick()
        #expect(script.drain()[0] == nil)
        script.change(0, to: script.part("a"), terms: StreamTerms(heartbeatSeconds: 2, once: true))
        #expect(script.drain()[0] == "data: 2\n\n")
        #expect(script.nextDeadline <= 1_250_000_000)
        script.now = 3_000_000_000
        #expect(script.drain()[0] == "event: heartbeat\ndata: {}\n\n")
        // Left out, it is what its client counts on already.
        script.change(0, to: script.part("a"), terms: StreamTerms(once: true))
        script.now = 5_000_000_000
        #expect(script.drain()[0] == "event: heartbeat\ndata: {}\n\n")
        script.event("complete", "a", .completion)
        script.tick()
        #expect(script.drain()[0]?.hasSuffix("<end>") == true)
    }

    @Test func `one stream's shorter heartbeat sends no extra heartbeats to others`() {
        let script = StreamScript()
        script.open(0, "a")
        script.open(1, "a") { $0.terms.heartbeatSeconds = 5 }
        _ = script.drain()
        var beats: [UInt32: Int] = [:]
        for second in 1...14 {
            script.now = Int64(second) * 1_000_000_000
            for slot in script.drain().keys { beats[slot, default: 0] += 1 }
        }
        #expect(beats == [1: 2])
    }
}

@Suite struct StreamNameTests {
    @Test(arguments: [0, 1, 15, UInt128.max, UInt128.max - 1, 1 << 127, 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210])
    func `a stream's name reads back from its 22 characters`(bits: UInt128) {
        let name = StreamName(bits)
        #expect(name.text.utf8.count == 22 && StreamName(name.text) == name)
    }

    @Test(arguments: [
        "", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA=",
        "AAAAAAAAAAAAAAAAAAAA+A", "é0000000000000000000A",
    ])
    func `a malformed stream name is refused`(text: String) {
        #expect(StreamName(text) == nil)
    }
}
