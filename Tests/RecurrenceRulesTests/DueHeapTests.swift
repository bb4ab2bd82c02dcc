// Due instants against a sorted list.

import RecurrenceRules
import TestSupport
import Testing
import Tween

@Suite struct DueHeapTests {
    @Test func `random insertions and removals leave the heap in order of due instants`() {
        var random = SeededRandom(seed: 26)
        var timetable = DueHeap<Instant>()
        var expected: [Int: Int64] = [:]
        for _ in 0..<5_000 {
            let slot = Int.random(in: 0..<300, using: &random)
            let due = Bool.random(using: &random) ? Int64.random(in: 0..<1_000, using: &random) : nil
            timetable.set(slot, due: due.map { Instant(nanoseconds: $0) })
            expected[slot] = due
        }
        var order: [Int64] = []
        var slots: Set<Int> = []
        while let (slot, due) = timetable.next(dueBy: Instant(nanoseconds: 2_000)) {
            #expect(expected[slot] == due.nanoseconds)
            order.append(due.nanoseconds)
            slots.insert(slot)
        }
        #expect(order == expected.values.sorted())
        #expect(slots == Set(expected.keys))
        #expect(timetable.first == nil)
    }

    @Test func `a slot that is not due yet is not returned`() {
        var timetable = DueHeap<Instant>()
        timetable.set(7, due: Instant(nanoseconds: 10))
        let early = timetable.next(dueBy: Instant(nanoseconds: 9))
        let onTime = timetable.next(dueBy: Instant(nanoseconds: 10))
        #expect(early == nil)
        #expect(onTime?.slot == 7)
    }

    @Test func `a heap of 100000 slots costs one comparison a look and its depth a firing`() {
        let counter = Counted.Counter()
        func due(_ value: Int) -> Counted { Counted(value: value, counter: counter) }
        var heap = DueHeap<Counted>()
        for slot in 0..<100_000 { heap.set(slot, due: due(slot < 10_000 ? 50 : 100 + slot * 7_919 % 100_000)) }

        counter.comparisons = 0
        for now in 0..<50 {
            let none = heap.next(dueBy: due(now))
            #expect(none == nil)
        }
        #expect(counter.comparisons <= 50)

        // The depth is 17; a step down looks at two children, and a comparison of two entries at two of their parts.
        counter.comparisons = 0
        var fired: [Int] = []
        while let (slot, _) = heap.next(dueBy: due(50)) { fired.append(slot) }
        #expect(fired == Array(0..<10_000))
        #expect(counter.comparisons <= 10_000 * 17 * 2 * 2 + 10_000 * 4)
    }
}
