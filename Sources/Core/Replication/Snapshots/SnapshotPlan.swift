// When a snapshot is worth its cost: a start reads it and the log after it, and the log before it can be deleted.

import Base

/// The state of a log and its newest snapshot.
package struct SnapshotPlan: Hashable, Sendable {
    /// The default for how many entries may follow a snapshot before the next is due.
    package static let usualEntries: UInt64 = 100_000
    /// After a small snapshot, the next is due when the entries since have this many bytes.
    static let leastBytes: Int64 = 16 << 20
    /// Microseconds after which a snapshot is due even after few entries.
    static let longest: Int64 = 3_600_000_000

    /// The last entry, and the bytes of all entries so far.
    package var sequence: UInt64
    package var bytes: Int64
    /// The log's time, in microseconds.
    package var now: Int64
    /// The newest snapshot: its entry, the bytes of all entries up to it, its size, and when it was written; zeros without one.
    package var snapshot: UInt64
    package var mark: Int64
    package var size: Int64
    package var written: Int64

    package init(
        sequence: UInt64, bytes: Int64, now: Int64, snapshot: UInt64, mark: Int64, size: Int64, written: Int64
    ) {
        (self.sequence, self.bytes, self.now) = (sequence, bytes, now)
        (self.snapshot, self.mark, self.size, self.written) = (snapshot, mark, size, written)
    }

    /// Whether the next one is due: after `entries` entries, or once their bytes are twice those of the snapshot, or after an
    /// hour. A read of the log at a start is bounded by all three; only the second alone would bound what snapshots write.
    package func isDue(every entries: UInt64) -> Bool {
        guard sequence > snapshot else { return false }
        return sequence - snapshot >= entries
            || bytes.subtractingSaturated(mark) >= max(Self.leastBytes, size.multipliedSaturated(by: 2))
            || now.subtractingSaturated(written) >= Self.longest && written > 0
    }
}
