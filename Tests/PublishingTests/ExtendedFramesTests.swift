// Frames that take more than a number: as many a tick as there is work for, a portion at a time, each track in its turn.

import Testing
import Tween
import Wire

@testable import Board
@testable import Publishing

@Suite struct ExtendedFramesTests {
    private var frames = ExtendedFrames()
    private var tick: Int64 = 0

    /// - Parameter owner: Returns the owner of a slot's form.
    private mutating func begin(
        _ slots: some Sequence<Int>, isLate: Bool = false, owner: (Int) -> Int32 = { _ in 0 }
    ) {
        tick += 1
        frames.begin(
            slots.map { OwnedSample(Sample(slot: $0, serial: 0, value: nil), of: owner($0)) },
            stamp: FrameStamp(unixNanoseconds: tick, tick: tick), isLate: isLate)
    }

    /// The slots of the next portion, each of which takes 8.
    private mutating func portion() -> [Int] {
        var made: [Int] = []
        let end = frames.endOfPortion
        while let sample = frames.next(upTo: end) {
            made.append(sample.sample.slot)
            frames.spend(8)
        }
        return made
    }

    /// The slots of all portions of a tick.
    private mutating func rest() -> [Int] {
        var made: [Int] = []
        while !frames.isEmpty { made += portion() }
        return made
    }

    @Test mutating func `a thousand tracks with wheels get a frame each tick, in portions`() {
        for _ in 0..<3 {
            begin(0..<1_000)
            #expect(portion() == Array(0..<125))
            #expect(rest() == Array(125..<1_000))
            #expect(portion() == [])
        }
    }

    @Test mutating func `with more tracks than fit a tick, each gets its turn`() {
        begin(0..<2_500)
        #expect(rest() == Array(0..<1_000))
        begin(0..<2_500)
        #expect(rest() == Array(1_000..<2_000))
        begin(0..<2_500)
        #expect(rest() == Array(2_000..<2_500) + Array(0..<500))
    }

    @Test mutating func `an owner with too many tracks doesn't displace another owner's`() {
        for _ in 0..<5 {
            begin(0..<3_000) { $0 < 2_990 ? 1 : 2 }
            let made = rest()
            #expect(made.count == 1_000 && made.filter { $0 >= 2_990 } == Array(2_990..<3_000))
        }
        begin(0..<3_000) { $0 < 1_500 ? 1 : 2 }
        #expect(rest().count { $0 < 1_500 } == 500)
    }

    @Test mutating func `with more owners than fit a tick, each gets its turn`() {
        var made: Set<Int> = []
        for _ in 0..<3 {
            begin(0..<2_500) { Int32($0) }
            let slots = rest()
            #expect(slots.count == 1_000)
            made.formUnion(slots)
        }
        #expect(made.count == 2_500)
    }

    @Test mutating func `an owner left out of a tick is first in the next, even if others left`() {
        begin(0..<2_500) { Int32($0) }
        #expect(rest() == Array(0..<1_000))
        begin(500..<2_500) { Int32($0) }
        #expect(rest() == Array(1_000..<2_000))
        begin(2_000..<2_500) { Int32($0) }
        #expect(rest() == Array(2_000..<2_500))
    }

    @Test mutating func `late ticks reduce the frames with wheels to a minimum, and punctual ones restore them`() {
        var counts: [Int] = []
        for _ in 0..<6 {
            begin(0..<2_500, isLate: true)
            counts.append(rest().count)
        }
        #expect(counts == [500, 250, 125, 63, 63, 63])
        begin(0..<2_500)
        #expect(rest().count == 75)
        for _ in 0..<75 {
            begin(0..<2_500)
            _ = rest()
        }
        #expect(rest().isEmpty)
        begin(0..<2_500)
        #expect(rest().count == 1_000)
    }

    @Test mutating func `tracks left out of a tick are first in the next`() {
        begin(0..<300)
        #expect(portion() == Array(0..<125))
        begin(0..<300)
        #expect(portion() == Array(125..<250))
        frames.skipRest()
        #expect(frames.isEmpty)
        begin(0..<300)
        #expect(rest() == Array(250..<300) + Array(0..<250))
        begin(0..<40)
        #expect(rest().sorted() == Array(0..<40))
        begin([])
        #expect(frames.isEmpty)
    }
}
