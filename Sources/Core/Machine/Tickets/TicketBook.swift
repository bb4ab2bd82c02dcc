// One-time tickets: short-lived, for any bearer. Each may be spent on any replica.
// Only its digest is kept, so that neither a log nor a snapshot reveals it.

import Base
import Tween

/// A new ticket.
package struct Ticket: Hashable, Sendable {
    /// The digest of the secret that its bearer sends.
    package var key: String
    /// The owner whose share it uses.
    package var owner: String
    /// What it is good for; opaque here.
    package var grant: [UInt8]

    package init(key: String, owner: String, grant: [UInt8]) {
        self.key = key
        self.owner = owner
        self.grant = grant
    }
}

/// Unspent tickets.
package struct TicketBook {
    /// Seconds for which a ticket is valid.
    package static let lifetime = 30.0
    /// The maximum number of tickets.
    package static let maximumCount = 10_000
    /// The maximum bytes of their grants.
    package static let maximumBytes = 16 << 20

    struct Entry: Hashable {
        var ticket: Ticket
        var expires: Instant
    }

    private(set) var entries: [String: Entry] = [:]
    /// Keys by age, including many that were spent.
    private(set) var order: [String] = []
    private var first = 0
    private var share = FairShare(places: TicketBook.maximumCount, bytes: TicketBook.maximumBytes)

    init() {}

    /// The number of tickets.
    package var count: Int { entries.count }

    /// Adds a ticket.
    /// - Returns: false without room: no owner may use more of it than is left free.
    mutating func insert(_ ticket: Ticket, at now: Instant) -> Bool {
        forgetExpired(at: now)
        guard entries[ticket.key] == nil, share.admits(ticket.grant.count, of: ticket.owner) else { return false }
        insert(Entry(ticket: ticket, expires: now.advanced(bySeconds: Self.lifetime)))
        return true
    }

    /// Spends a ticket.
    /// - Returns: What it was good for; nil if there is none.
    mutating func spend(_ key: String, at now: Instant) -> [UInt8]? {
        forgetExpired(at: now)
        return remove(key)?.ticket.grant
    }

    /// Shifts expiry when the clock was set: a lifetime is elapsed time.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for key in entries.keys { entries[key]?.expires.shift(byNanoseconds: nanoseconds) }
    }

    private mutating func insert(_ entry: Entry) {
        entries[entry.ticket.key] = entry
        order.append(entry.ticket.key)
        share.reserve(entry.ticket.grant.count, of: entry.ticket.owner)
    }

    private mutating func remove(_ key: String) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        share.free(entry.ticket.grant.count, of: entry.ticket.owner)
        return entry
    }

    private mutating func forgetExpired(at now: Instant) {
        while first < order.count {
            if let entry = entries[order[first]] {
                guard entry.expires <= now else { break }
                _ = remove(order[first])
            }
            first += 1
        }
        // Occasionally removes spent keys: a ticket that waits to expire must not keep all keys that were created and spent
        // after it.
        guard order.count > 2 * entries.count + 64 else { return }
        order.removeFirst(first)
        first = 0
        order.removeAll { entries[$0] == nil }
    }

    // MARK: - Bytes

    func write(to writer: inout ByteWriter) {
        let kept = order.dropFirst(first).compactMap { entries[$0] }
        writer.list(kept) { writer, entry in
            entry.ticket.write(to: &writer)
            writer.number(entry.expires.nanoseconds)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        for _ in 0..<(try reader.count()) {
            let ticket = try Ticket(from: &reader)
            insert(Entry(ticket: ticket, expires: Instant(nanoseconds: try reader.signed())))
        }
    }
}

extension Instant {
    fileprivate mutating func shift(byNanoseconds nanoseconds: Int64) { self = advanced(byNanoseconds: nanoseconds) }
}

extension Ticket {
    func write(to writer: inout ByteWriter) {
        writer.text(key)
        writer.text(owner)
        writer.data(grant)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        self.init(key: try reader.text(), owner: try reader.text(), grant: try reader.data())
    }
}
