// Detects diverging replicas: digests at common positions are compared, and a replica that differs from most is wrong.

package import Machine

/// A digest at a position of the log.
package struct DigestCheckpoint: Hashable, Sendable {
    package var sequence: UInt64
    package var digest: UInt64

    package init(sequence: UInt64, digest: UInt64) {
        (self.sequence, self.digest) = (sequence, digest)
    }
}

/// This replica's digests, for comparison with others.
package struct DivergenceDetector: Sendable {
    /// The number of entries between two kept digests.
    package static let interval: UInt64 = 256
    /// The maximum number of kept digests: a replica that is further behind is compared later.
    static let maximumKept = 64

    private var kept: [DigestCheckpoint] = []
    /// A position at which this replica was found to be wrong, so that it is reported once.
    private var condemned: UInt64?

    package init() {}

    /// The newest kept digest.
    package var newest: DigestCheckpoint? { kept.last }

    /// Records the digest after an entry.
    package mutating func record(_ sequence: UInt64, _ digest: StateDigest) {
        guard sequence % Self.interval == 0 else { return }
        if kept.count >= Self.maximumKept { kept.removeFirst() }
        kept.append(DigestCheckpoint(sequence: sequence, digest: digest.value))
    }

    /// Forgets all digests, after the board was reloaded.
    package mutating func forget() { kept = [] }

    /// Whether this replica has another digest at a position.
    package func differs(from other: DigestCheckpoint) -> Bool {
        kept.contains { $0.sequence == other.sequence && $0.digest != other.digest }
    }

    /// Whether this replica differs from most others that can be compared; with a tie the steward is right.
    package mutating func findsItselfWrong(_ reports: [ReplicaReport], own name: ReplicaName, steward: Bool) -> Bool {
        var (agreeing, differing) = (1, 0)
        var place: UInt64 = 0
        for report in reports where report.name != name {
            guard let other = report.checkpoint, let own = kept.first(where: { $0.sequence == other.sequence }) else {
                continue
            }
            place = max(place, own.sequence)
            if own.digest == other.digest { agreeing += 1 } else { differing += 1 }
        }
        guard differing > agreeing || differing == agreeing && !steward, condemned != place else { return false }
        condemned = place
        return true
    }
}
