// Limits rates by the generic cell rate algorithm (ITU-T I.371, annex A), which stores one number per owner. Time is an
// argument.

/// Rates by owner, each with the same limit.
package struct RateTable: Sendable {
    /// The most owners tracked separately. Beyond that, new ones share one rate until others have been idle.
    package static let maximumOwners = 65_536
    /// The burst in seconds: an owner that was idle may use up this many seconds' worth, and the request that does so may be
    /// larger than what is left.
    package static let burst: Int64 = 2
    private static let second: Int64 = 1_000_000_000

    /// The limit per second; 0 for none.
    package let rate: Int
    /// When all that an owner took is paid off, in nanoseconds.
    private var busyUntil: [String: Int64] = [:]
    private var nextSweep = Int64.min

    package init(rate: Int) { self.rate = rate }

    /// Takes from an owner's rate. Any amount is granted at once while the owner's debt is at most the burst; the next request
    /// then waits longer.
    /// - Parameter now: Nanoseconds, always of the same clock; see `shift`.
    /// - Returns: nil if granted, else the seconds to wait.
    package mutating func consume(_ count: Int, of owner: String, at now: Int64) -> Int? {
        guard rate > 0 else { return nil }
        let key = key(of: owner, at: now)
        let busy = max(busyUntil[key] ?? now, now)
        let wait = busy - now - Self.burst * Self.second
        if wait > 0 { return Int((wait + Self.second - 1) / Self.second) }
        busyUntil[key] = busy + Int64(count) * Self.second / Int64(rate)
        return nil
    }

    /// Takes from an owner's rate what can't be refused, first come, first served.
    /// - Parameter now: Nanoseconds.
    /// - Returns: When it is this one's turn, after `now`; nil for at once.
    package mutating func reserve(_ count: Int, of owner: String, at now: Int64) -> Int64? {
        guard rate > 0 else { return nil }
        let key = key(of: owner, at: now)
        let busy = max(busyUntil[key] ?? now, now)
        busyUntil[key] = busy.addingSaturated(Int64(count) * Self.second / Int64(rate))
        let turn = busy - Self.burst * Self.second
        return turn > now ? turn : nil
    }

    /// Moves all to a clock that was set by `nanoseconds`.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        busyUntil = busyUntil.mapValues { $0.addingSaturated(nanoseconds) }
        nextSweep = nextSweep.addingSaturated(nanoseconds)
    }

    /// Returns how much an owner has taken that isn't paid off: more than `most` after a large request.
    package func used(by owner: String, at now: Int64) -> Int {
        // Owners that aren't tracked share the rate of `others`.
        let isShared = busyUntil.count >= Self.maximumOwners && busyUntil[owner] == nil
        let busy = max(0, (busyUntil[isShared ? Self.others : owner] ?? now) - now)
        return Int(saturating: Double(busy) / Double(Self.second) * Double(rate))
    }

    /// The burst: what an owner that was idle has.
    package var most: Int { rate * Int(Self.burst) }

    private mutating func key(of owner: String, at now: Int64) -> String {
        guard busyUntil.count >= Self.maximumOwners, busyUntil[owner] == nil else { return owner }
        // At most once a second: a sweep of all owners takes a millisecond.
        if now >= nextSweep {
            nextSweep = now + Self.second
            busyUntil = busyUntil.filter { $0.value > now }
        }
        return busyUntil.count < Self.maximumOwners ? owner : Self.others
    }

    /// A key that no owner has.
    private static let others = "\n"
}

extension RateTable {
    /// Appends the state, in an order that depends only on it.
    package func write(to writer: inout ByteWriter) {
        writer.count(rate)
        writer.number(nextSweep)
        writer.list(busyUntil.keys.sorted()) { writer, owner in
            writer.text(owner)
            writer.number(busyUntil[owner] ?? 0)
        }
    }

    /// Reads what `write` wrote.
    package init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        self.init(rate: try reader.count())
        nextSweep = try reader.signed()
        for _ in 0..<(try reader.count()) {
            let owner = try reader.text()
            busyUntil[owner] = try reader.signed()
        }
    }
}
