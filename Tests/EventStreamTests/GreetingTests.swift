// Greetings of streams with many topics: a portion at a time, as their clients take them, and each state once.

import EventStream
import Foundation
import Testing

@Suite struct GreetingTests {
    private static let count = 1_000
    private let script = StreamScript(hub: { $0.topicsPerPortion = 150 })

    init() { for number in 0..<Self.count { _ = script.topic("t\(number)") } }

    /// A state that names its topic, long enough for portions to differ from topics.
    private func state(_ topic: TopicIndex) -> String { "\(topic.rawValue):" + String(repeating: "x", count: 100) }

    private func open(_ slot: UInt32 = 0, isGreeted: Bool = false) {
        let key = StreamScript.key(slot)
        if !isGreeted { script.shard.opened(key, now: 0) }
        let patterns = [script.pattern("*")].compactMap { $0 }
        let selection = TopicSelection(patterns)
        let parts = StreamParts(selection, .json)
        let subscription = Subscription(key: key, parts: parts, retryMilliseconds: 9, isGreeted: isGreeted)
        script.hub.subscribe(subscription, hello: [], existing: script.existing) { topic, _, bytes in
            bytes.append(contentsOf: state(topic).utf8)
            return .frame
        }
    }

    /// Answers those that ask for more, once each.
    private func greet() -> Bool {
        let options = script.takeRequests()
        for key in options {
            script.hub.continueGreeting(key, existing: script.existing) { topic, _, bytes in
                bytes.append(contentsOf: state(topic).utf8)
                return .frame
            }
        }
        return !options.isEmpty
    }

    private func numbers(_ text: String) -> [Int] {
        text.split(separator: "data: ").compactMap { $0.split(separator: ":").first.flatMap { Int($0) } }
    }

    @Test func `a greeting sends each topic's state once, in bounded portions`() {
        open()
        var text = ""
        var portions = 0
        repeat {
            let sent = script.drain()[0] ?? ""
            #expect(sent.utf8.count < 9_000)
            text += sent
            portions += 1
        } while greet()
        #expect(numbers(text).sorted() == Array(0..<Self.count))
        #expect(portions > Self.count * 100 / 9_000)
    }

    @Test func `a stream that reads nothing is greeted no further`() {
        open()
        script.shard.receive(now: 0)
        #expect(!greet())
        _ = script.drain()
        #expect(greet())
        script.shard.receive(now: 0)
        #expect(!greet())
    }

    @Test func `frames go on while a greeting is under way`() {
        open()
        _ = script.drain()
        script.frame("t999", "moved")
        script.tick()
        #expect(script.drain()[0]?.contains("data: moved") == true)
        while greet() { _ = script.drain() }
        #expect(script.closed.isEmpty)
    }

    @Test func `an event before a topic's turn in the greeting is sent, and its state once`() {
        open()
        var text = script.drain()[0] ?? ""
        #expect(!text.contains("999:"))
        script.event("milestone", "t999")
        script.event("milestone", "new")
        script.tick()
        repeat { text += script.drain()[0] ?? "" } while greet()
        #expect(text.components(separatedBy: "event: milestone").count == 3)
        #expect(numbers(text).filter { $0 == 999 }.count == 1)
        #expect(Set(0..<Self.count).isSubset(of: numbers(text)))
    }

    @Test func `two overlapping greetings both send every topic's state`() {
        open()
        var texts = ["", ""]
        texts[0] += script.drain()[0] ?? ""
        open(1)
        repeat {
            for (slot, sent) in script.drain() { texts[Int(slot)] += sent }
        } while greet()
        for text in texts { #expect(numbers(text).sorted() == Array(0..<Self.count)) }
    }

    @Test func `one portion of a greeting attaches at most its limit of topics`() {
        open()
        repeat {
            let before = script.hub.linkCount
            _ = script.drain()
            guard greet() else { break }
            #expect(script.hub.linkCount - before <= 150)
        } while true
        #expect(script.hub.linkCount == Self.count)
    }

    @Test func `a topic released amid a greeting is left out of it`() {
        open()
        let gone = script.topic("t998")
        script.hub.release(gone)
        var text = script.drain()[0] ?? ""
        while greet() { text += script.drain()[0] ?? "" }
        #expect(!numbers(text).contains(Int(gone.rawValue)))
    }

    @Test func `a stream subscribed before its socket gets hello, frames and events in order`() {
        open(isGreeted: true)
        script.frame("t0", "moved")
        script.event("milestone", "t0")
        script.tick()
        #expect(script.drain().isEmpty && !greet())
        script.shard.opened(StreamScript.key(0), now: 0)
        var text = ""
        repeat { text += script.drain()[0] ?? "" } while greet()
        let hello = text.range(of: "event: hello")
        let frame = text.range(of: "data: moved")
        let event = text.range(of: "event: milestone")
        #expect(hello != nil && frame != nil && event != nil)
        let places = [hello, frame, event].compactMap { $0?.lowerBound }
        #expect(places == places.sorted())
        #expect(Set(0..<Self.count).isSubset(of: numbers(text)))
    }

    @Test func `a subscribed stream whose socket never comes leaves nothing behind`() {
        open(isGreeted: true)
        script.event("milestone", "t0")
        script.tick()
        #expect(script.waitingBytes > 0)
        script.shard.closed(StreamScript.key(0))
        #expect(script.closed == [StreamScript.key(0)])
        script.hub.unsubscribe(StreamScript.key(0))
        #expect(script.waitingBytes == 0 && script.hub.linkCount == 0)
        #expect(script.drain().isEmpty && !greet())
    }

    @Test func `a stream that has gone is greeted no further`() {
        open()
        _ = script.drain()
        script.hub.unsubscribe(StreamScript.key(0))
        script.shard.closed(StreamScript.key(0))
        #expect(greet())
        #expect(script.drain().isEmpty && !greet())
    }

    @Test func `many large frames are handed to a socket in bounded pieces`() {
        open()
        repeat { _ = script.drain() } while greet()
        let long = String(repeating: "y", count: 1_000)
        for number in 0..<100 { script.frame("t\(number)", "\(number):\(long)") }
        script.tick()
        var pieces: [Int] = []
        var text = ""
        while let key = script.shard.nextReady(now: script.now) {
            var bytes: [UInt8] = []
            _ = script.fill(key, now: script.now, into: &bytes)
            pieces.append(bytes.count)
            text += String(decoding: bytes, as: UTF8.self)
        }
        #expect(pieces.count > 3 && pieces.allSatisfy { $0 < 26_000 })
        #expect(numbers(text) == Array(0..<100))
    }
}
