// Counts entries that were read from the log and are not applied yet.

/// Entries between being read and being applied.
package struct ReadAhead {
    /// The maximum bytes of such entries; the last read may exceed it.
    package static let maximumBytes = 64 << 20
    /// The fixed cost of an entry.
    private static let overhead = 512

    private var entries: [(sequence: UInt64, bytes: Int)] = []
    private var bytes = 0

    package init() {}

    package var isFull: Bool { bytes >= Self.maximumBytes }

    /// Records that an entry was read.
    package mutating func record(_ sequence: UInt64, bytes: Int) {
        entries.append((sequence, bytes + Self.overhead))
        self.bytes += bytes + Self.overhead
    }

    /// Records that entries up to this one were applied.
    package mutating func forget(upTo sequence: UInt64) {
        let gone = entries.prefix { $0.sequence <= sequence }
        for entry in gone { bytes -= entry.bytes }
        entries.removeFirst(gone.count)
    }
}
