// How much was read of the log and is not carried out yet.

/// Entries that were read and are on their way to whoever carries them out.
package struct ReadAhead {
    /// The most bytes of entries that may be on their way; the last read may go beyond.
    package static let maximumBytes = 64 << 20
    /// What an entry counts beyond its bytes.
    private static let overhead = 512

    private var entries: [(sequence: UInt64, bytes: Int)] = []
    private var bytes = 0

    package init() {}

    package var isFull: Bool { bytes >= Self.maximumBytes }

    /// An entry was read.
    package mutating func record(_ sequence: UInt64, bytes: Int) {
        entries.append((sequence, bytes + Self.overhead))
        self.bytes += bytes + Self.overhead
    }

    /// Entries up to this one have been carried out.
    package mutating func forget(upTo sequence: UInt64) {
        let gone = entries.prefix { $0.sequence <= sequence }
        for entry in gone { bytes -= entry.bytes }
        entries.removeFirst(gone.count)
    }
}
