// This replica's entries that have not come back from the log: who waits for their answers, and which entries are lost.

import Board
import Gateway
import Machine
import Replication
import Tween

/// This replica's entries in flight through the log.
struct PendingEntries {
    /// The most requests in flight.
    static let maximumRequests = 20_000
    /// The most bytes of requests in flight.
    static let maximumBytes = 64 << 20
    /// Seconds after which a waiting client receives an error, as the outcome is unknown.
    static let timeout = 5.0

    /// Who waits for a request.
    enum Asker: Hashable {
        case nobody
        /// A client, by its waiter in `PendingResponses`.
        case request(WaiterID)
        /// A batch, by its waiter in `BatchQueue`.
        case batch(WaiterID)
    }

    struct Entry {
        var askers: [Asker]
        /// The service's own requests, which are sent again if the log did not accept them.
        var own: [Request]
        var bytes: Int
        var sent: Instant
        /// Its place in the order of sending.
        fileprivate(set) var number = 0
    }

    private var entries: [EntryName: Entry] = [:]
    /// The entries whose clients may still wait. One that has come back stays until it is the first.
    private var waiting = Waiters<EntryName>(timeout: Self.timeout)
    private var added = 0
    private var requests = 0
    private var bytes = 0

    /// The number of requests in flight.
    var requestCount: Int { requests }
    var byteCount: Int { bytes }
    /// The entries that have not come back, in the order of sending.
    var names: [EntryName] { inOrder.map(\.key) }
    private var inOrder: [(key: EntryName, value: Entry)] { entries.sorted { $0.value.number < $1.value.number } }
    /// Whether so much is in flight that requests are rejected.
    var isFull: Bool { requests >= Self.maximumRequests || bytes >= Self.maximumBytes }

    mutating func add(_ name: EntryName, _ entry: Entry) {
        added += 1
        entries[name] = entry
        entries[name]?.number = added
        waiting.add(name, since: entry.sent)
        requests += entry.askers.count
        bytes += entry.bytes
    }

    /// Removes an entry that has come back, or never will.
    /// - Returns: The entry; nil if it is another replica's.
    mutating func remove(_ name: EntryName) -> Entry? {
        guard let entry = entries.removeValue(forKey: name) else { return nil }
        requests -= entry.askers.count
        bytes -= entry.bytes
        return entry
    }

    /// Removes and returns all entries in flight.
    mutating func drain() -> [Entry] {
        defer { self = PendingEntries() }
        return inOrder.map(\.value)
    }

    /// When the first client has waited too long; nil while none waits.
    var deadline: Instant? { waiting.deadline { entries[$0]?.askers.isEmpty == false } }

    /// Removes and returns those who have waited too long. Their entries may still come back.
    mutating func removeImpatient(at now: Instant) -> [Asker] {
        var impatient: [Asker] = []
        for name in waiting.removeFirst(while: { [entries] in entries[$0] == nil }, orLateAt: now) {
            guard let askers = entries[name]?.askers else { continue }
            impatient += askers
            entries[name]?.askers = []
        }
        requests -= impatient.count
        return impatient
    }

    /// Shifts the waiting times after the clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        waiting.shift(byNanoseconds: nanoseconds)
        for (name, entry) in entries { entries[name]?.sent = entry.sent.advanced(byNanoseconds: nanoseconds) }
    }
}
