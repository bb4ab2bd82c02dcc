// When a snapshot is worth its cost: a start reads it and the log behind it, and the log before it can go.

/// How far a log has come, and its newest snapshot.
package struct SnapshotPlan: Hashable, Sendable {
    /// The most entries behind a snapshot before the next is due, unless an operator says otherwise.
    package static let usualEntries: UInt64 = 100_000
    /// Bytes of entries behind a snapshot from which on the next is due, where the snapshot is small.
    static let leastBytes: Int64 = 16 << 20
    /// Microseconds after which one is due though little has happened since.
    static let longest: Int64 = 3_600_000_000

    /// The last entry, and the bytes of all entries so far.
    package var sequence: UInt64
    package var bytes: Int64
    /// The log's time, in microseconds.
    package var now: Int64
    /// Of the newest snapshot: its entry, the bytes of all entries then, its own, and when it was written; zeros without one.
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

    /// Whether the next one is due. Of a large board the log may grow as large as twice the snapshot: then writing it takes
    /// no more than half of what the entries took.
    package func isDue(every entries: UInt64) -> Bool {
        guard sequence > snapshot else { return false }
        return sequence - snapshot >= entries || bytes - mark >= max(Self.leastBytes, 2 * size)
            || now - written >= Self.longest && written > 0
    }
}
