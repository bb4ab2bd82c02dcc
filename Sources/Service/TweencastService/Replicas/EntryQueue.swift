// Entries that were read and wait to be carried out.

import Replication

/// First in, first out.
struct EntryQueue {
    private var entries: [LogEntry] = []
    private var taken = 0

    var isEmpty: Bool { taken == entries.count }
    var first: LogEntry? { isEmpty ? nil : entries[taken] }

    mutating func append(_ new: [LogEntry]) { entries += new }

    mutating func removeFirst() {
        taken += 1
        // Where there are always more, what was taken must go, too.
        guard taken * 2 >= entries.count else { return }
        entries.removeFirst(taken)
        taken = 0
    }

    mutating func removeAll() { self = EntryQueue() }
}
