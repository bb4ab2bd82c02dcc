// Limits the portions of batches and of changes to all schedules that wait for the store, as later changes of other clients
// wait behind them.

import Board

/// Portions on their way to disk. The limit counts the records that the store has to write: if a lagging feed changes a
/// resource repeatedly, the store writes only the last change.
struct PartsInFlight {
    /// The most portions, as their events are written one by one.
    static let maximumCount = 16
    /// The most records: about two milliseconds of writing, unless the disk is slow.
    static let maximumRecords = 256

    /// The resources that each portion changed, oldest first.
    private var names: [[ResourceName]] = []
    /// How many portions changed a resource.
    private var uses: [ResourceName: Int] = [:]

    /// Whether the next portion must wait for the oldest.
    var isFull: Bool { names.count >= Self.maximumCount || uses.count >= Self.maximumRecords }

    /// Adds a portion that goes to the store.
    mutating func begin(_ changed: [ResourceName]) {
        names.append(changed)
        for name in changed { uses[name, default: 0] += 1 }
    }

    /// Removes the oldest portion, which the store has answered.
    mutating func endOldest() {
        guard !names.isEmpty else { return }
        for name in names.removeFirst() {
            let count = uses[name] ?? 0
            uses[name] = count > 1 ? count - 1 : nil
        }
    }
}
