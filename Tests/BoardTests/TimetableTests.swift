// The timetable against a sorted list.

import Board
import Testing
import Tween

@Suite struct TimetableTests {
    @Test func `gives slots in the order of their instants whatever was moved or removed`() {
        var random = SystemRandomNumberGenerator()
        var timetable = Timetable()
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

    @Test func `holds back what is not due yet`() {
        var timetable = Timetable()
        timetable.set(7, due: Instant(nanoseconds: 10))
        let early = timetable.next(dueBy: Instant(nanoseconds: 9))
        let onTime = timetable.next(dueBy: Instant(nanoseconds: 10))
        #expect(early == nil)
        #expect(onTime?.slot == 7)
    }
}
