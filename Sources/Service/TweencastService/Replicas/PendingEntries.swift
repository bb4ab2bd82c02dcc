// Entries that were handed to the log and have not come back: who is to be answered when they do, and what becomes of those
// that never will.

import Board
import Gateway
import Machine
import Replication
import Tween

/// Entries of this replica on their way through the log.
struct PendingEntries {
    /// The most requests that may be on their way.
    static let maximumRequests = 20_000
    /// The most bytes of theirs.
    static let maximumBytes = 64 << 20
    /// Seconds after which somebody who asked is told that nothing is known.
    static let patience = 5.0

    /// Who waits for a request.
    enum Asker: Hashable {
        case nobody
        /// One that the answer desk knows.
        case request(Ticket)
        /// A batch, as the batch queue knows it.
        case batch(Ticket)
    }

    struct Entry {
        var askers: [Asker]
        /// What the service itself asked, and asks again where it was not taken.
        var own: [Request]
        var bytes: Int
        var sent: Instant
    }

    private var entries: [EntryName: Entry] = [:]
    /// In the order in which they were sent; those that have come back are still here until they are the first.
    private var order: [EntryName] = []
    private var first = 0
    private var requests = 0
    private var bytes = 0

    /// How many requests are on their way.
    var requestCount: Int { requests }
    var byteCount: Int { bytes }
    /// Those that have not come back, in the order in which they were sent.
    var names: [EntryName] { order.dropFirst(first).filter { entries[$0] != nil } }
    /// Whether so much is on its way that nothing more is taken.
    var isFull: Bool { requests >= Self.maximumRequests || bytes >= Self.maximumBytes }

    mutating func add(_ name: EntryName, _ entry: Entry) {
        entries[name] = entry
        order.append(name)
        requests += entry.askers.count
        bytes += entry.bytes
    }

    /// An entry has come back, or never will.
    /// - Returns: nil for one of another replica.
    mutating func take(_ name: EntryName) -> Entry? {
        guard let entry = entries.removeValue(forKey: name) else { return nil }
        requests -= entry.askers.count
        bytes -= entry.bytes
        compact()
        return entry
    }

    /// Takes all that were not seen.
    mutating func takeAll() -> [Entry] {
        let rest = order.dropFirst(first).compactMap { entries[$0] }
        self = PendingEntries()
        return rest
    }

    /// When somebody has waited for too long; nil while nobody waits.
    var deadline: Instant? {
        let name = order.dropFirst(first).first { entries[$0].map { !$0.askers.isEmpty } ?? false }
        return name.flatMap { entries[$0]?.sent.advanced(bySeconds: Self.patience) }
    }

    /// Takes those who have waited for too long; their entries may still come.
    mutating func takeImpatient(at now: Instant) -> [Asker] {
        var impatient: [Asker] = []
        for name in order.dropFirst(first) {
            guard let entry = entries[name] else { continue }
            guard now.seconds(since: entry.sent) >= Self.patience else { break }
            impatient += entry.askers
            requests -= entry.askers.count
            entries[name]?.askers = []
        }
        return impatient
    }

    /// The clock was set.
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
