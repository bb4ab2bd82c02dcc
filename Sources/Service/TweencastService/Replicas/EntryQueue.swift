// A queue of log entries to apply.

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
        // Frees removed entries here too, since a busy queue may never become empty.
        guard taken * 2 >= entries.count else { return }
        entries.removeFirst(taken)
        taken = 0
    }

    mutating func removeAll() { self = EntryQueue() }
}
