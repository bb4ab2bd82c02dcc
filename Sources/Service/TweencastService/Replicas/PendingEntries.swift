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
        /// A client, by its ticket in `PendingResponses`.
        case request(Ticket)
        /// A batch, by its ticket in `BatchQueue`.
        case batch(Ticket)
    }

    struct Entry {
        var askers: [Asker]
        /// The service's own requests, which are sent again if the log did not accept them.
        var own: [Request]
        var bytes: Int
        var sent: Instant
    }

    private var entries: [EntryName: Entry] = [:]
    /// Names in the order of sending. An entry that has come back stays until it is the first.
    private var order: [EntryName] = []
    private var first = 0
    private var requests = 0
    private var bytes = 0

    /// The number of requests in flight.
    var requestCount: Int { requests }
    var byteCount: Int { bytes }
    /// The entries that have not come back, in the order of sending.
    var names: [EntryName] { order.dropFirst(first).filter { entries[$0] != nil } }
    /// Whether so much is in flight that requests are rejected.
    var isFull: Bool { requests >= Self.maximumRequests || bytes >= Self.maximumBytes }

    mutating func add(_ name: EntryName, _ entry: Entry) {
        entries[name] = entry
        order.append(name)
        requests += entry.askers.count
        bytes += entry.bytes
    }

    /// Removes an entry that has come back, or never will.
    /// - Returns: The entry; nil if it is another replica's.
    mutating func take(_ name: EntryName) -> Entry? {
        guard let entry = entries.removeValue(forKey: name) else { return nil }
        requests -= entry.askers.count
        bytes -= entry.bytes
        compact()
        return entry
    }

    /// Removes and returns all entries in flight.
    mutating func takeAll() -> [Entry] {
        let rest = order.dropFirst(first).compactMap { entries[$0] }
        self = PendingEntries()
        return rest
    }

    /// When the first client has waited too long; nil while none waits.
    var deadline: Instant? {
        let name = order.dropFirst(first).first { entries[$0].map { !$0.askers.isEmpty } ?? false }
        return name.flatMap { entries[$0]?.sent.advanced(bySeconds: Self.timeout) }
    }

    /// Removes and returns those who have waited too long. Their entries may still come back.
    mutating func takeImpatient(at now: Instant) -> [Asker] {
        var impatient: [Asker] = []
        for name in order.dropFirst(first) {
            guard let entry = entries[name] else { continue }
            guard now.seconds(since: entry.sent) >= Self.timeout else { break }
            impatient += entry.askers
            requests -= entry.askers.count
            entries[name]?.askers = []
        }
        return impatient
    }

    /// Shifts the waiting times after the clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for name in order.dropFirst(first) {
            guard let sent = entries[name]?.sent else { continue }
            entries[name]?.sent = sent.advanced(byNanoseconds: nanoseconds)
        }
    }

    private mutating func compact() {
        while first < order.count, entries[order[first]] == nil { first += 1 }
        guard first > 1_024, first > order.count / 2 else { return }
        order.removeFirst(first)
        first = 0
    }
}
