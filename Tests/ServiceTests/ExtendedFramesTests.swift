// Frames that take more than a number, by a node that a test asks for ticks and turns.

import Base
import Board
import TestSupport
import Testing
import Tween
import Wire

@testable import EventStream
@testable import Publishing
@testable import TweencastService

@Suite struct ExtendedFramesOfTicksTests {
    private let script = NodeScript()
    private var clock: ServiceClock { script.node.core.parts.clock }

    private static let wheels = Variant(text: false, stamp: false, wheels: .odometer)

    /// Moves tickers and opens a stream of them, by default with their wheels.
    private func move(_ count: Int, _ timing: String = #""duration":60"#, shown variant: Variant = wheels) throws {
        script.now = clock.instant(tick: clock.tick(of: script.now))
        let lines = (0..<count).map { #"{"ticker":"t\#($0)","from":0,"to":1000000,\#(timing)}"# }
        _ = script.batch(lines)
        script.finishPortions()
        let selection = TopicSelection([try #require(TopicPattern(kind: .ticker, parsing: "t*"))])
        let key = StreamID(loop: 0, slot: 0, generation: 0)
        script.receive(.open(OpenedStream(StreamRequest(parts: StreamParts(selection, variant))), key))
        while script.node.isBusy { script.turn() }
        script.node.tick(clock.tick(of: script.now), isLate: false)
        while script.node.isBusy { script.turn() }
        _ = frames()
    }

    /// The topics of the frames that were sent since the last look.
    private func frames() -> [Int32] {
        var messages: [ShardMessage] = []
        script.inbox.receive(into: &messages)
        return messages.flatMap { message -> [Int32] in
            guard case .batch(let batch) = message else { return [] }
            return batch.entries.filter { $0.kind == .frame }.map(\.topic)
        }
    }

    private func goToTick(after seconds: Double) {
        script.now = clock.instant(tick: clock.tick(of: script.now.advanced(bySeconds: seconds)))
        script.node.tick(clock.tick(of: script.now), isLate: false)
    }

    @Test func `changes are taken between the portions of a tick's frames, and all frames are sent`() throws {
        try move(300)
        goToTick(after: 1)
        let first = frames()
        #expect(first.count == 125)
        #expect(script.node.isBusy)
        let answer = try script.post("other", #"{"to":1}"#)
        script.store.settle()
        #expect(answer.status == 202)
        while script.node.isBusy { script.turn() }
        let rest = frames()
        #expect(first.count + rest.count == 300)
        #expect(Set(first + rest).count == 300)
    }

    @Test func `a tick's remaining frames are dropped when the next tick is due`() throws {
        try move(300)
        goToTick(after: 1)
        #expect(frames().count == 125)
        script.now = script.now.advanced(bySeconds: 1)
        script.turn()
        #expect(!script.node.isBusy)
        #expect(frames().isEmpty)
        goToTick(after: 0)
        while script.node.isBusy { script.turn() }
        #expect(frames().count == 300)
    }

    @Test func `a tick's remaining frames are dropped when the clock is set`() throws {
        try move(300)
        goToTick(after: 1)
        #expect(frames().count == 125)
        script.node.shiftTimeline(byNanoseconds: -3_600_000_000_000, at: script.now)
        while script.node.isBusy { script.turn() }
        #expect(frames().isEmpty)
    }

    @Test func `a motion cancelled since the tick sends no more frame of it`() throws {
        try move(300)
        goToTick(after: 1)
        let shown = Set(frames())
        #expect(shown.count == 125)
        let names = (0..<300).map { "t\($0)" }.filter { name in
            let topic = script.node.core.publisher.hub.index(of: TopicName(kind: .ticker, id: name))
            return topic.map { !shown.contains($0.rawValue) } ?? false
        }
        #expect(names.count == 175)
        // One turn's worth, so that no portion comes between.
        _ = script.batch(names.prefix(50).map { #"{"ticker":"\#($0)","op":"cancel"}"# })
        while script.node.isBusy { script.turn() }
        #expect(frames().count == 125)
    }

    @Test func `changes are taken between the portions of a tick's motion events, and all are sent`() throws {
        // A motion of usual size is a thirtieth of a portion or less; one turn takes 64 lines.
        let timing = #""duration":0.5,"repeat":1000,"autoreverse":true"#
        try move(64, timing, shown: Variant(text: false, stamp: false, motion: true))
        let lines = (0..<64).map { #"{"ticker":"t\#($0)","from":0,"to":2000000,\#(timing)}"# }
        _ = script.batch(lines)
        goToTick(after: 1)
        let first = frames()
        #expect((30...60).contains(first.count))
        #expect(script.node.isBusy)
        let answer = try script.post("other", #"{"to":1}"#)
        script.store.settle()
        #expect(answer.status == 202)
        while script.node.isBusy { script.turn() }
        #expect(Set(first + frames()).count == 64)
    }
}
