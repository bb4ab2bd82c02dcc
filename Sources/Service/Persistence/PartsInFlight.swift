// What the store has been given of batches and of changes to all schedules and has not answered yet: what others change
// waits behind it.

import Board

/// Portions on their way to the disk. They are counted by what the store has to write for them: of several changes of a
/// resource, which feeds that lag behind post again and again, it writes the last.
struct PartsInFlight {
    /// The most portions: their events are written one by one.
    static let maximumCount = 16
    /// The most records: about two milliseconds of the store's time, on a disk that is not slow.
    static let maximumRecords = 256

    /// The resources that each changed, oldest first.
    private var names: [[ResourceName]] = []
    /// In how many of them a resource was changed.
    private var uses: [ResourceName: Int] = [:]

    /// Whether the next has to wait for the oldest.
    var isFull: Bool { names.count >= Self.maximumCount || uses.count >= Self.maximumRecords }

    /// A portion goes to the store.
    mutating func begin(_ changed: [ResourceName]) {
        names.append(changed)
        for name in changed { uses[name, default: 0] += 1 }
    }

    /// The store has answered the one that it has had longest.
    mutating func endOldest() {
        guard !names.isEmpty else { return }
        for name in names.removeFirst() {
            let count = uses[name] ?? 0
            uses[name] = count > 1 ? count - 1 : nil
        }
    }
}
