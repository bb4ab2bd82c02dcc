// How often each may ask: the generic cell rate algorithm (ITU-T I.371, annex A), which keeps one number of each. Time is an
// argument.

/// Rates by owner, each the same.
package struct RateTable: Sendable {
    /// The most owners that are kept apart. Beyond it those who come new share one rate, until others have been silent.
    package static let maximumOwners = 65_536
    /// Seconds' worth that may be taken at once.
    package static let burst: Int64 = 2
    private static let second: Int64 = 1_000_000_000

    /// A second; 0 for no limit.
    package let rate: Int
    /// Until when what an owner took is spread out, in nanoseconds.
    private var busyUntil: [String: Int64] = [:]
    private var nextSweep = Int64.min

    package init(rate: Int) { self.rate = rate }

    /// Takes from what an owner may have. Much is taken at once where anything may be: the next one waits for longer.
    /// - Parameter now: Nanoseconds of a clock that nobody sets.
    /// - Returns: nil where it may be taken, else seconds after which to come back.
    package mutating func take(_ count: Int, of owner: String, at now: Int64) -> Int? {
        guard rate > 0 else { return nil }
        let key = key(of: owner, at: now)
        let busy = max(busyUntil[key] ?? now, now)
        let wait = busy - now - Self.burst * Self.second
        if wait > 0 { return Int((wait + Self.second - 1) / Self.second) }
        busyUntil[key] = busy + Int64(count) * Self.second / Int64(rate)
        return nil
    }

    /// How many an owner has taken of what it may have at once.
    package func used(by owner: String, at now: Int64) -> Int {
        // Those who are not kept apart have taken what the others have.
        let isShared = busyUntil.count >= Self.maximumOwners && busyUntil[owner] == nil
        let busy = max(0, (busyUntil[isShared ? Self.others : owner] ?? now) - now)
        return Int(saturating: Double(busy) / Double(Self.second) * Double(rate))
    }

    /// The most that may be taken at once.
    package var most: Int { rate * Int(Self.burst) }

    private mutating func key(of owner: String, at now: Int64) -> String {
        guard busyUntil.count >= Self.maximumOwners, busyUntil[owner] == nil else { return owner }
        // Not for each of those who come: looking at all takes a millisecond.
        if now >= nextSweep {
            nextSweep = now + Self.second
            busyUntil = busyUntil.filter { $0.value > now }
        }
        return busyUntil.count < Self.maximumOwners ? owner : Self.others
    }

    /// What nobody is called.
    private static let others = "\n"
}
