// Room that many use: nobody holds more than is left free, so that whoever comes next finds some.

/// Places and bytes, counted by owner. One owner gets half of them at most, two a third each, and so on.
package struct FairShare: Sendable {
    /// All places.
    package var places: Int
    /// All bytes.
    package var bytes: Int
    package private(set) var usedPlaces = 0
    package private(set) var usedBytes = 0
    private var held: [String: (places: Int, bytes: Int)] = [:]

    /// - Parameter bytes: 0 where places have none.
    package init(places: Int, bytes: Int = 0) {
        self.places = places
        self.bytes = bytes
    }

    /// Whether more may be taken by an owner: of what it shares with all it has no more than is left free.
    /// - Parameters:
    ///   - own: What the owner has of it; 0 for one that is bounded by the total alone.
    ///   - used: What all owners have of it.
    package static func admits(_ more: Int, beside own: Int, used: Int, of all: Int) -> Bool {
        // In this order nothing overflows, whatever is asked for.
        more <= all - used - own
    }

    /// Whether an owner may have another place, of so many bytes.
    /// - Parameter owner: nil for one that is bounded by the total alone.
    package func admits(_ count: Int = 0, of owner: String?) -> Bool {
        let own = owner.flatMap { held[$0] } ?? (0, 0)
        return Self.admits(1, beside: own.places, used: usedPlaces, of: places)
            && Self.admits(count, beside: own.bytes, used: usedBytes, of: bytes)
    }

    /// Counts a place, whether it is admitted or not.
    /// - Parameter owner: nil where nobody knows any more whose it is, or nobody is to be held to a share.
    package mutating func take(_ count: Int = 0, of owner: String?) {
        usedPlaces += 1
        grow(by: count, of: owner, places: 1)
    }

    /// Counts bytes more, or fewer, of a place that is taken.
    package mutating func grow(by count: Int, of owner: String?) { grow(by: count, of: owner, places: 0) }

    private mutating func grow(by count: Int, of owner: String?, places: Int) {
        usedBytes += count
        guard let owner else { return }
        let own = held[owner] ?? (0, 0)
        held[owner] = (own.places + places, own.bytes + count)
    }

    /// Gives a place back.
    package mutating func free(_ count: Int = 0, of owner: String?) {
        usedPlaces -= 1
        usedBytes -= count
        guard let owner, let own = held[owner] else { return }
        held[owner] = own.places > 1 ? (own.places - 1, own.bytes - count) : nil
    }
}
