// Fair shares of a common resource: no owner holds more than is left free, so the next owner always finds some.

/// Places and bytes counted by owner. One owner gets at most half of them, two get a third each, and so on.
package struct FairShare: Sendable {
    /// The total of places.
    package var places: Int
    /// The total of bytes.
    package var bytes: Int
    /// The most bytes of one owner, however many are free.
    private let bytesPerOwner: Int
    package private(set) var usedPlaces = 0
    package private(set) var usedBytes = 0
    private var held: [String: (places: Int, bytes: Int)] = [:]

    /// - Parameters:
    ///   - bytes: 0 if places have no bytes.
    ///   - most: The most bytes of one owner.
    package init(places: Int, bytes: Int = 0, perOwner most: Int = .max) {
        self.places = places
        self.bytes = bytes
        bytesPerOwner = most
    }

    /// Returns whether an owner may take more: afterwards it must not hold more than is left free.
    /// - Parameters:
    ///   - own: What the owner holds; 0 if only the total limits it.
    ///   - used: What all owners hold.
    package static func admits(_ more: Int, beside own: Int, used: Int, of all: Int) -> Bool {
        // In this order nothing overflows, whatever the request.
        more <= all - used - own
    }

    /// Returns whether an owner may take another place, with this many bytes.
    /// - Parameter owner: nil if only the total limits it.
    package func admits(_ count: Int = 0, of owner: String?) -> Bool {
        let own = owner.flatMap { held[$0] } ?? (0, 0)
        return Self.admits(1, beside: own.places, used: usedPlaces, of: places)
            && Self.admits(count, beside: own.bytes, used: usedBytes, of: bytes)
            && (owner == nil || count <= bytesPerOwner.subtractingSaturated(own.bytes))
    }

    /// Takes a place without checking whether it is admitted.
    /// - Parameter owner: nil if the owner is unknown, or not limited to a share.
    package mutating func reserve(_ count: Int = 0, of owner: String?) {
        usedPlaces += 1
        grow(by: count, of: owner, places: 1)
    }

    /// Adds bytes to a taken place, or removes them if negative.
    package mutating func grow(by count: Int, of owner: String?) { grow(by: count, of: owner, places: 0) }

    private mutating func grow(by count: Int, of owner: String?, places: Int) {
        usedBytes += count
        guard let owner else { return }
        let own = held[owner] ?? (0, 0)
        held[owner] = (own.places + places, own.bytes + count)
    }

    /// Frees a place.
    package mutating func free(_ count: Int = 0, of owner: String?) {
        usedPlaces -= 1
        usedBytes -= count
        guard let owner, let own = held[owner] else { return }
        held[owner] = own.places > 1 ? (own.places - 1, own.bytes - count) : nil
    }
}
