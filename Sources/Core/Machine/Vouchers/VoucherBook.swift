// Vouchers: short-lived and good once, for any bearer. A reader's one-time ticket is one, and may be spent on any replica.
// Only its digest is kept, so that neither a log nor a snapshot reveals it.

import Base
import Tween

/// A new voucher.
package struct Voucher: Hashable, Sendable {
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

/// Unspent vouchers.
package struct VoucherBook {
    /// Seconds for which a voucher is valid.
    package static let lifetime = 30.0
    /// The maximum number of vouchers.
    package static let maximumCount = 10_000
    /// The maximum bytes of their grants.
    package static let maximumBytes = 16 << 20

    struct Entry: Hashable {
        var voucher: Voucher
        var expires: Instant
    }

    private(set) var entries: [String: Entry] = [:]
    /// Keys by age, including many that were spent.
    private(set) var order: [String] = []
    private var first = 0
    private var share = FairShare(places: VoucherBook.maximumCount, bytes: VoucherBook.maximumBytes)

    init() {}

    /// The number of vouchers.
    package var count: Int { entries.count }

    /// Adds a voucher.
    /// - Returns: false without room: no owner may use more of it than is left free.
    mutating func insert(_ voucher: Voucher, at now: Instant) -> Bool {
        forgetExpired(at: now)
        guard entries[voucher.key] == nil, share.admits(voucher.grant.count, of: voucher.owner) else { return false }
        insert(Entry(voucher: voucher, expires: now.advanced(bySeconds: Self.lifetime)))
        return true
    }

    /// Spends a voucher.
    /// - Returns: What it was good for; nil if there is none.
    mutating func spend(_ key: String, at now: Instant) -> [UInt8]? {
        forgetExpired(at: now)
        return remove(key)?.voucher.grant
    }

    /// Shifts expiry when the clock was set: a lifetime is elapsed time.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for key in entries.keys { entries[key]?.expires.shift(byNanoseconds: nanoseconds) }
    }

    private mutating func insert(_ entry: Entry) {
        entries[entry.voucher.key] = entry
        order.append(entry.voucher.key)
        share.reserve(entry.voucher.grant.count, of: entry.voucher.owner)
    }

    private mutating func remove(_ key: String) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        share.free(entry.voucher.grant.count, of: entry.voucher.owner)
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
        // Occasionally removes spent keys: a voucher that waits to expire must not keep all keys that were created and spent
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
            entry.voucher.write(to: &writer)
            writer.number(entry.expires.nanoseconds)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        for _ in 0..<(try reader.count()) {
            let voucher = try Voucher(from: &reader)
            insert(Entry(voucher: voucher, expires: Instant(nanoseconds: try reader.signed())))
        }
    }
}

extension Instant {
    fileprivate mutating func shift(byNanoseconds nanoseconds: Int64) { self = advanced(byNanoseconds: nanoseconds) }
}

extension Voucher {
    func write(to writer: inout ByteWriter) {
        writer.text(key)
        writer.text(owner)
        writer.data(grant)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        self.init(key: try reader.text(), owner: try reader.text(), grant: try reader.data())
    }
}
