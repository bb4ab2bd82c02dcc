// Milestones and the commits that hold them: whoever is told of one will not be told again.

import Base
import Publishing
import Storage
import TestSupport
import Testing
import Tween

@testable import EventStream
@testable import TweencastService

@Suite struct MilestoneTests {
    private let script = NodeScript()

    init() throws {
        _ = try script.post("a", #"{"from":0,"to":10,"duration":10,"milestones":[1,5]}"#)
        script.store.settle()
        let pattern = try #require(TopicPattern(kind: .ticker, parsing: "a"))
        let request = StreamRequest(parts: StreamParts(TopicSelection([pattern]), .json))
        script.receive(.open(OpenedStream(request), StreamID(loop: 0, slot: 0, generation: 0)))
        _ = sent()
    }

    /// What goes out with the tick after so many seconds.
    private func tick(after seconds: Double) -> String {
        script.now = script.now.advanced(bySeconds: seconds)
        script.turn()
        let clock = script.node.core.parts.clock
        script.node.tick(clock.tick(of: script.now), isLate: false)
        return sent()
    }

    private func sent() -> String {
        script.node.sendEvents(at: script.now)
        var messages: [ShardMessage] = []
        script.inbox.receive(into: &messages)
        return messages.map { message in
            guard case .batch(let batch) = message else { return "" }
            return String(decoding: batch.bytes, as: UTF8.self)
        }.joined()
    }

    @Test func `a milestone event is sent once the store has committed its crossing`() throws {
        #expect(tick(after: 2).isEmpty)
        script.store.settle()
        #expect(sent().isEmpty)
        script.takePosted()
        let told = sent()
        #expect(told.contains("event: milestone") && told.contains(#""value":2"#))
        #expect(tick(after: 1).contains(#""value":3"#), "frames wait for no other commit")
    }

    @Test func `behind a slow store milestones and frames are sent in order after a second`() throws {
        #expect(tick(after: 1.01).isEmpty)
        #expect(tick(after: 1.0 / 60).isEmpty)
        #expect(tick(after: 0.05).isEmpty)
        let told = tick(after: 0.95)
        let milestone = try #require(told.firstRange(of: "event: milestone"))
        let frame = try #require(told.firstRange(of: "data: {\"ticker\":\"a\",\"value\":"))
        #expect(milestone.lowerBound < frame.lowerBound)
        script.store.settle()
        script.takePosted()
        #expect(tick(after: 1).contains(#""value":3"#))
    }

    @Test func `while one milestone waits for its commit no other milestone is crossed`() {
        #expect(tick(after: 2).isEmpty && tick(after: 0.01).isEmpty)
        let waiting = script.store.waiting
        let told = tick(after: 4)
        #expect(told.ranges(of: "event: milestone").count == 1 && script.store.waiting == waiting)
        script.store.settle()
        script.takePosted()
        #expect(tick(after: 0.1).isEmpty)
        script.store.settle()
        script.takePosted()
        #expect(sent().contains(#""value":5"#))
    }

    @Test func `a milestone sent during a store outage is not sent again after the recovery`() throws {
        _ = tick(after: 2)
        script.loseStore()
        #expect(sent().contains("event: milestone"))
        script.recoverStore()
        #expect(!tick(after: 0.1).contains("event: milestone"))
        script.store.settle()
        script.takePosted()
        _ = tick(after: 3)
        script.store.settle()
        script.takePosted()
        #expect(sent().ranges(of: "event: milestone").count == 1)
    }
}
