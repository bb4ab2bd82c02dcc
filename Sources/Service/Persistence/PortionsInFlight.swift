// Limits how many portions of batches and of changes to all schedules wait for the store: other clients' later changes wait
// behind them.

import Board

/// Portions on their way to disk. The limit counts the records that the store has to write: if a lagging feed changes a
/// resource repeatedly, the store writes only the last change.
struct PortionsInFlight {
    /// The most portions. Each also has events to write, however few records it changes.
    static let maximumCount = 16
    /// With this many records waiting, no further portion starts. One may add hundreds more.
    static let fullRecords = 256

    /// The resources that each portion changed, oldest first.
    private var names: [[ResourceName]] = []
    /// How many portions changed a resource.
    private var uses: [ResourceName: Int] = [:]

    /// Whether the next portion must wait for the oldest.
    var isFull: Bool { names.count >= Self.maximumCount || uses.count >= Self.fullRecords }

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
