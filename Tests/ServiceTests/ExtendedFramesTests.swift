// Frames that take more than a number: as many a tick as there is work for, a portion at a time, each track in its turn.

import Board
import Primitives
import Testing
import Tween
import Wire

@testable import EventStream
@testable import TweencastService

@Suite struct ExtendedFramesTests {
    private var frames = ExtendedFrames()
    private var tick: Int64 = 0

    private mutating func begin(_ slots: some Sequence<Int>) {
        tick += 1
        frames.begin(
            Array(slots), stamp: FrameStamp(unixNanoseconds: tick, tick: tick), at: Instant(nanoseconds: tick))
    }

    /// The slots of the next portion, each of which takes 8.
    private mutating func portion() -> [Int] {
        var made: [Int] = []
        frames.makePortion {
            made.append($0)
            return 8
        }
        return made
    }

    /// The slots of all portions of a tick.
    private mutating func rest() -> [Int] {
        var made: [Int] = []
        while !frames.isEmpty { made += portion() }
        return made
    }

    @Test mutating func `a thousand tracks with wheels are shown at each tick, in portions of a millisecond`() {
        for _ in 0..<3 {
            begin(0..<1_000)
            #expect(portion() == Array(0..<125))
            #expect(rest() == Array(125..<1_000))
            #expect(portion() == [])
        }
    }

    @Test mutating func `where more move, each has its turn`() {
        begin(0..<2_500)
        #expect(rest() == Array(0..<1_000))
        begin(0..<2_500)
        #expect(rest() == Array(1_000..<2_000))
        begin(0..<2_500)
        #expect(rest() == Array(2_000..<2_500) + Array(0..<500))
    }

    @Test mutating func `what a tick leaves out is first at the next`() {
        begin(0..<300)
        #expect(portion() == Array(0..<125))
        begin(0..<300)
        #expect(portion() == Array(125..<250))
        frames.leaveOutRest()
        #expect(frames.isEmpty)
        begin(0..<300)
        #expect(rest() == Array(250..<300) + Array(0..<250))
        begin(0..<40)
        #expect(rest().sorted() == Array(0..<40))
        begin([])
        #expect(frames.isEmpty)
    }
}

/// The same by a conductor, which a test asks for ticks and turns.
@Suite struct ExtendedFramesOfTicksTests {
    private let script = ConductorScript()
    private var clock: ServiceClock { script.conductor.parts.clock }

    private static let wheels = Variant(text: false, stamp: false, wheels: .odometer)

    /// Moves tickers and opens a stream of them, by default with their wheels.
    private func move(_ count: Int, _ timing: String = #""duration":60"#, shown variant: Variant = wheels) throws {
        script.now = clock.instant(tick: clock.tick(of: script.now))
        let lines = (0..<count).map { #"{"ticker":"t\#($0)","from":0,"to":1000000,\#(timing)}"# }
        _ = script.batch(lines)
        script.finishPortions()
        let selection = TopicSelection([try #require(TopicPattern(kind: .ticker, parsing: "t*"))])
        let key = StreamID(loop: 0, slot: 0, generation: 0)
        script.receive(.open(StreamOpening(request: StreamRequest(selection: selection, variant: variant)), key))
        while script.conductor.isBusy { script.turn() }
        script.conductor.tick(clock.tick(of: script.now), isLate: false)
        while script.conductor.isBusy { script.turn() }
        _ = frames()
    }

    /// The topics of the frames that were sent since the last look.
    private func frames() -> [Int32] {
        var messages: [ShardMessage] = []
        script.inbox.take(into: &messages)
        return messages.flatMap { message -> [Int32] in
            guard case .batch(let batch) = message else { return [] }
            return batch.entries.filter { $0.kind == .frame }.map(\.topic)
        }
    }

    private func goToTick(after seconds: Double) {
        script.now = clock.instant(tick: clock.tick(of: script.now.advanced(bySeconds: seconds)))
        script.conductor.tick(clock.tick(of: script.now), isLate: false)
    }

    @Test func `a change has its turn between the portions of a tick, and all are sent`() throws {
        try move(300)
        goToTick(after: 1)
        let first = frames()
        #expect(first.count == 125)
        #expect(script.conductor.isBusy)
        let answer = try script.post("other", #"{"to":1}"#)
        script.store.settle()
        #expect(answer.status == 202)
        while script.conductor.isBusy { script.turn() }
        let rest = frames()
        #expect(first.count + rest.count == 300)
        #expect(Set(first + rest).count == 300)
    }

    @Test func `no frame of a tick follows when the next is due`() throws {
        try move(300)
        goToTick(after: 1)
        #expect(frames().count == 125)
        script.now = script.now.advanced(bySeconds: 1)
        script.turn()
        #expect(!script.conductor.isBusy)
        #expect(frames().isEmpty)
        goToTick(after: 0)
        while script.conductor.isBusy { script.turn() }
        #expect(frames().count == 300)
    }

    @Test func `no frame of a tick follows when the wall clock was set`() throws {
        try move(300)
        goToTick(after: 1)
        #expect(frames().count == 125)
        script.conductor.shiftTimeline(byNanoseconds: -3_600_000_000_000, at: script.now)
        while script.conductor.isBusy { script.turn() }
        #expect(frames().isEmpty)
    }

    @Test func `what has stopped since the tick shows nothing more of it`() throws {
        try move(300)
        goToTick(after: 1)
        let shown = Set(frames())
        #expect(shown.count == 125)
        let names = (0..<300).map { "t\($0)" }.filter { name in
            let topic = script.conductor.hub.index(of: TopicName(kind: .ticker, id: name))
            return topic.map { !shown.contains($0.rawValue) } ?? false
        }
        #expect(names.count == 175)
        // One turn's worth, so that no portion comes between.
        _ = script.batch(names.prefix(50).map { #"{"ticker":"\#($0)","op":"cancel"}"# })
        while script.conductor.isBusy { script.turn() }
        #expect(frames().count == 125)
    }

    @Test func `a change has its turn between the motions of a tick, and all are sent`() throws {
        // Each of as many points as a motion may have: half a millisecond's work.
        let timing = #""duration":0.5,"repeat":1000,"autoreverse":true"#
        try move(20, timing, shown: Variant(text: false, stamp: false, motion: true))
        let lines = (0..<20).map { #"{"ticker":"t\#($0)","from":0,"to":2000000,\#(timing)}"# }
        _ = script.batch(lines)
        goToTick(after: 1)
        let first = frames()
        #expect((1...5).contains(first.count))
        #expect(script.conductor.isBusy)
        let answer = try script.post("other", #"{"to":1}"#)
        script.store.settle()
        #expect(answer.status == 202)
        while script.conductor.isBusy { script.turn() }
        #expect(Set(first + frames()).count == 20)
    }
}
