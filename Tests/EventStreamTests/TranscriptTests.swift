// What streams are sent, to the byte.

import Base
import EventStream
import Testing

@Suite struct TranscriptTests {
    private let greeting = "id: e-0\nevent: hello\nretry: 9\ndata: {}\n\n"

    @Test func `a stream begins with retry, hello and a frame of the state now`() {
        let script = StreamScript()
        _ = script.topic("a")
        script.open(0, "a", state: "S")
        #expect(script.drain()[0] == greeting + "data: S\n\n")
    }

    @Test func `a slow reader gets the newest frame alone`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        for value in ["1", "2", "3"] {
            script.frame("a", value)
            script.tick()
        }
        #expect(script.drain()[0] == "data: 3\n\n")
        #expect(script.statistics(of: StreamScript.key(0))?.leftOut == 2)
    }

    @Test func `all frames and events of a tick are sent in one fill`() {
        let script = StreamScript()
        script.open(0, "a", "b")
        _ = script.drain()
        script.frame("a", "1")
        script.frame("b", "2")
        script.event("milestone", "a")
        script.tick()
        let sent = script.drain()[0] ?? ""
        #expect(sent.contains("data: 1\n\n") && sent.contains("data: 2\n\n") && sent.contains("event: milestone"))
    }

    @Test func `a frame that waits goes before an event of its topic`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        script.frame("a", "last")
        script.event("complete", "a", .completion)
        script.frame("a", "next")
        script.tick()
        #expect(script.drain()[0] == "data: last\n\nid: e-1\nevent: complete\ndata: {}\n\ndata: next\n\n")
    }

    @Test func `a final frame replaces what waits and stands before its completion`() {
        let script = StreamScript()
        script.open(0, "a")
        _ = script.drain()
        script.frame("a", "old")
        script.frame("a", "end", isFinal: true)
        script.event("complete", "a", .completion)
        script.tick()
        #expect(script.drain()[0] == "data: end\n\nid: e-1\nevent: complete\ndata: {}\n\n")
    }

    @Test(arguments: ["x\ny", "x\ry", "x\r\ny"])
    func `a line break in a text cannot forge a field`(text: String) {
        let script = StreamScript()
        let variant = Variant(text: true, stamp: false)
        script.open(0, "a") { $0.parts = $0.parts.with(variant) }
        _ = script.drain()
        script.frame("a", text, variant: variant)
        script.tick()
        #expect(script.drain()[0] == "data: x\ndata: y\n\n")
    }

    @Test func `a prefix pattern hears of topics that come later`() {
        let script = StreamScript()
        script.open(0, "a*")
        _ = script.drain()
        script.frame("ab", "1")
        script.frame("b", "2")
        script.tick()
        #expect(script.drain()[0] == "data: 1\n\n")
    }

    @Test func `a stream that asked for one completion ends after it`() {
        let script = StreamScript()
        script.open(0, "a") { $0.terms.once = true }
        _ = script.drain()
        script.event("complete", "a", .completion)
        script.frame("a", "never")
        script.tick()
        #expect(script.drain()[0] == "id: e-1\nevent: complete\ndata: {}\n\n<end>")
    }

    /// Publishes completions of motions, one alone or many in one.
    private func complete(_ payloads: String..., in script: StreamScript) {
        for payload in payloads {
            script.publish(
                "complete", on: TopicName(kind: .ticker, id: "a"), .completion, payload: Array(payload.utf8))
        }
        script.tick()
    }

    @Test(arguments: [true, false])
    func `a stream that answers an update ends with that motion's completion`(isReplayed: Bool) {
        for last in [#"{"ticker":"a","animation":"7"}"#, #"{"ticker":"a","animation":"9","first":"5","count":5}"#] {
            let script = StreamScript()
            let texts = [
                #"{"ticker":"a","animation":"6","text":"\"animation\":\"7\""}"#,
                #"{"ticker":"a","animation":"6","first":"2","count":5}"#, #"{"ticker":"a","animation":"70"}"#, last,
            ]
            func publish() { for text in texts + [texts[0]] { complete(text, in: script) } }
            if isReplayed { publish() }
            script.open(0, "a") {
                $0.goal = .motion(7)
                $0.after = EventID(epoch: "e", number: 0)
            }
            if !isReplayed { publish() }
            let sent = script.drainAll(0)
            #expect(sent.components("event: complete") == 4 && sent.hasSuffix("data: \(last)\n\n<end>"))
        }
    }

    @Test(arguments: [true, false])
    func `a stream that answers a schedule's creation ends with its last firing`(isReplayed: Bool) {
        let script = StreamScript()
        func publish() {
            script.event("fired", "a")
            script.event("fired", "a", .lastFiring)
            script.event("fired", "a")
            script.tick()
        }
        if isReplayed { publish() }
        script.open(0, "a") {
            $0.goal = .firing
            $0.after = EventID(epoch: "e", number: 0)
        }
        script.open(1, "a") { $0.terms.once = true }
        if !isReplayed { publish() }
        let sent = script.drain()
        #expect(sent[0]?.components("event: fired") == 2 && sent[0]?.hasSuffix("<end>") == true)
        #expect(sent[1]?.contains("<end>") == false)
    }

    @Test func `a stream for a motion already at rest ends when it has caught up`() {
        let script = StreamScript()
        _ = script.topic("a")
        script.event("complete", "a", .completion)
        script.tick()
        script.open(0, "a", state: "S") {
            $0.goal = .rest
            $0.endsWhenCaughtUp = true
            $0.after = EventID(epoch: "e", number: 0)
        }
        let sent = script.drainAll(0, state: "S")
        #expect(sent.components("event: complete") == 1 && sent.hasSuffix("data: S\n\n<end>"))
    }

    @Test func `a single resource's stream ends when the resource is removed`() {
        let script = StreamScript()
        script.open(0, "a") { $0.endsWithTopic = true }
        script.open(1, "a")
        _ = script.drain()
        script.event("removed", "a", .removal)
        script.tick()
        let sent = script.drain()
        #expect(sent[0]?.hasSuffix("<end>") == true)
        #expect(sent[1]?.hasSuffix("<end>") == false)
    }

    @Test func `a frame rate holds frames back but no event`() {
        let script = StreamScript()
        script.open(0, "a") { $0.terms.framesPerSecond = 10 }
        _ = script.drain()
        var frames = 0
        for tick in 0..<60 {
            script.now = Int64(tick) * 16_666_667
            script.frame("a", "\(tick)")
            if tick == 31 { script.event("milestone", "a") }
            script.tick()
            let sent = script.drain()[0] ?? ""
            if tick == 31 { #expect(sent.contains("event: milestone")) }
            frames += sent.components("data: ") - (sent.contains("event:") ? 1 : 0)
        }
        #expect((9...11).contains(frames))
    }

    @Test func `a silent stream gets a heartbeat, a busy one none`() {
        let script = StreamScript()
        script.open(0, "a")
        script.open(1, "b")
        _ = script.drain()
        for second in 1...20 {
            script.now = Int64(second) * 1_000_000_000
            script.frame("b", "\(second)")
            script.tick()
            let sent = script.drain()
            #expect(sent[1] == "data: \(second)\n\n")
            if let silent = sent[0] { #expect(silent == "event: heartbeat\ndata: {}\n\n" && second >= 15) }
        }
        #expect(script.nextDeadline < .max)
    }
}

extension String {
    /// How often a text stands in this one.
    func components(_ text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let found = rest.firstRange(of: text) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}
