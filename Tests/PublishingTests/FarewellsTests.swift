// A drain's farewells over time.

import Base
import EventStream
import Testing
import Tween

@testable import Publishing

@Suite struct FarewellsTests {
    /// How many are ended in each second.
    private func seconds(_ count: Int, within limit: Double) -> [Int] {
        let start = Instant(nanoseconds: 0)
        let keys = (0..<count).map { StreamID(loop: 0, slot: UInt32($0), generation: 1) }
        let drainSchedule = DrainSchedule()
        drainSchedule.begin(keys, within: limit, from: start)
        var ended: [Int: Int] = [:]
        var seen: Set<StreamID> = []
        while let due = drainSchedule.nextDue {
            let turn = drainSchedule.dequeue(at: due)
            seen.formUnion(turn)
            ended[Int(due.seconds(since: start)), default: 0] += turn.count
        }
        #expect(seen.count == count)
        return (0...(ended.keys.max() ?? 0)).map { ended[$0] ?? 0 }
    }

    @Test func `a drain of 5000 streams in 10 seconds ends at most 15 percent in any second`() {
        let seconds = seconds(5_000, within: 10)
        #expect(seconds.allSatisfy { $0 <= 750 })
        #expect(seconds.count <= 9)
    }

    @Test func `a drain that is late catches up and ends all streams in time`() {
        let start = Instant(nanoseconds: 0)
        let schedule = DrainSchedule()
        schedule.begin((0..<5_000).map { StreamID(loop: 0, slot: $0, generation: 1) }, within: 10, from: start)
        var seen = 0
        for tick in 0...80 { seen += schedule.dequeue(at: start.advanced(bySeconds: Double(tick) / 10)).count }
        #expect(seen == 5_000 && schedule.nextDue == nil)
    }

    @Test func `a drain of few streams, or without time, ends them at once`() {
        #expect(seconds(20, within: 10) == [20])
        #expect(seconds(0, within: 10) == [0])
        #expect(seconds(5_000, within: 0) == [5_000])
    }
}
