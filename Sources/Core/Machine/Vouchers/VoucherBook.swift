// Vouchers: what is good once, for a moment, for whoever brings it. A reader's one-time ticket is one, spent on whichever
// replica its stream is asked of; it lies here by a digest, so that neither a log nor a snapshot gives it away.

import Base
import Tween

/// A voucher that is made.
package struct Voucher: Hashable, Sendable {
    /// The digest of what its bearer brings.
    package var key: String
    /// Whose room it takes.
    package var owner: String
    /// What it is good for, which is its maker's matter.
    package var grant: [UInt8]

    package init(key: String, owner: String, grant: [UInt8]) {
        self.key = key
        self.owner = owner
        self.grant = grant
    }
}

/// Vouchers that were not spent yet.
package struct VoucherBook {
    /// Seconds for which one is good.
    package static let lifetime = 30.0
    /// The most of them.
    package static let maximumCount = 10_000
    /// The most bytes of what they are good for.
    package static let maximumBytes = 16 << 20

    struct Entry: Hashable {
        var voucher: Voucher
        var expires: Instant
    }

    private(set) var entries: [String: Entry] = [:]
    /// Keys by age; many of those that were spent still stand here.
    private var order: [String] = []
    private var first = 0
    private var share = FairShare(places: VoucherBook.maximumCount, bytes: VoucherBook.maximumBytes)

    init() {}

    /// How many there are.
    package var count: Int { entries.count }

    /// Keys that stand in the order of age, with those that were spent.
    var keptKeys: Int { order.count }

    /// Makes one.
    /// - Returns: false without room: nobody has more of it than is left free.
    mutating func insert(_ voucher: Voucher, at now: Instant) -> Bool {
        forgetExpired(at: now)
        guard entries[voucher.key] == nil, share.admits(voucher.grant.count, of: voucher.owner) else { return false }
        insert(Entry(voucher: voucher, expires: now.advanced(bySeconds: Self.lifetime)))
        return true
    }

    /// Spends one: it is good no more.
    /// - Returns: What it was good for; nil where there is none.
    mutating func spend(_ key: String, at now: Instant) -> [UInt8]? {
        forgetExpired(at: now)
        return remove(key)?.voucher.grant
    }

    /// The clock was set: a lifetime is elapsed time.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for key in entries.keys { entries[key]?.expires.shift(byNanoseconds: nanoseconds) }
    }

    private mutating func insert(_ entry: Entry) {
        entries[entry.voucher.key] = entry
        order.append(entry.voucher.key)
        share.take(entry.voucher.grant.count, of: entry.voucher.owner)
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
        // Now and then it is made anew without those that have gone: one that waits to expire must not have all keys kept
        // that were made and spent behind it.
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
