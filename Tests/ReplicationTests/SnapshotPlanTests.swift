// When the next snapshot is due.

import Testing

@testable import Replication

@Suite struct SnapshotPlanTests {
    private func plan(
        behind entries: UInt64 = 1, bytes: Int64 = 0, age: Int64 = 0, size: Int64 = 0, written: Int64 = 1
    ) -> SnapshotPlan {
        SnapshotPlan(
            sequence: 1_000 + entries, bytes: 5_000 + bytes, now: written + age, snapshot: 1_000, mark: 5_000,
            size: size, written: written)
    }

    @Test func `a snapshot is due after many entries, many bytes or a long time`() {
        #expect(!plan().isDue(every: 100))
        #expect(!plan(behind: 99).isDue(every: 100) && plan(behind: 100).isDue(every: 100))
        #expect(!plan(bytes: (16 << 20) - 1).isDue(every: 100) && plan(bytes: 16 << 20).isDue(every: 100))
        #expect(!plan(age: 3_599_999_999).isDue(every: 100) && plan(age: 3_600_000_000).isDue(every: 100))
    }

    @Test func `the log may grow with the size of its board before a snapshot is due`() {
        #expect(!plan(bytes: 1 << 30, size: 1 << 30).isDue(every: 100))
        #expect(plan(bytes: 2 << 30, size: 1 << 30).isDue(every: 100))
    }

    @Test func `no snapshot is due without new entries, or by time alone without an earlier one`() {
        #expect(!plan(behind: 0, age: .max / 2).isDue(every: 100))
        // Without one before, time alone makes none.
        #expect(!plan(age: 9_000_000_000, written: 0).isDue(every: 100))
    }
}
