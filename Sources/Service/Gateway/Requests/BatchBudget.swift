// Limits the memory of batches in progress.

import Synchronization

/// The batches that are being decoded, wait or run. Their lines take memory.
package final class BatchBudget: Sendable {
    /// The most lines of all batches together.
    package static let maximumLines = 40_000
    /// The most bytes of all bodies together.
    package static let maximumBytes = 16 << 20

    private let used = Mutex((lines: 0, bytes: 0))

    package init() {}

    /// Lines and bytes in use.
    package var use: (lines: Int, bytes: Int) { used.withLock { $0 } }

    /// Reserves room for a batch until the reservation is released; nil if there is none.
    package func reserve(lines: Int, bytes: Int) -> BatchReservation? {
        let isTaken = used.withLock { used in
            guard used.lines + lines <= Self.maximumLines, used.bytes + bytes <= Self.maximumBytes else { return false }
            used.lines += lines
            used.bytes += bytes
            return true
        }
        return isTaken ? BatchReservation(self, lines: lines, bytes: bytes) : nil
    }

    fileprivate func free(lines: Int, bytes: Int) {
        used.withLock { used in
            used.lines -= lines
            used.bytes -= bytes
        }
    }
}

/// The room of one batch. It is released with this object.
package final class BatchReservation: Sendable {
    private let budget: BatchBudget
    private let lines: Int
    private let bytes: Int

    fileprivate init(_ budget: BatchBudget, lines: Int, bytes: Int) {
        self.budget = budget
        self.lines = lines
        self.bytes = bytes
    }

    deinit { budget.free(lines: lines, bytes: bytes) }
}
