// Whether replicas have come to the same: digests at common positions are compared, and whoever differs from most is wrong.

package import Machine

/// A digest at a position of the log.
package struct DigestCheckpoint: Hashable, Sendable {
    package var sequence: UInt64
    package var digest: UInt64

    package init(sequence: UInt64, digest: UInt64) {
        (self.sequence, self.digest) = (sequence, digest)
    }
}

/// The digests of one replica, and what others say.
package struct DivergenceDetector: Sendable {
    /// Every so many entries a digest is kept to be compared.
    package static let interval: UInt64 = 256
    /// The most that are kept: a replica that is further behind is compared later.
    static let maximumKept = 64

    private var kept: [DigestCheckpoint] = []
    /// A position at which this replica was found wrong, so that it is told once.
    private var condemned: UInt64?

    package init() {}

    /// The newest that is kept.
    package var newest: DigestCheckpoint? { kept.last }

    /// Takes in the digest after an entry.
    package mutating func record(_ sequence: UInt64, _ digest: StateDigest) {
        guard sequence % Self.interval == 0 else { return }
        if kept.count >= Self.maximumKept { kept.removeFirst() }
        kept.append(DigestCheckpoint(sequence: sequence, digest: digest.value))
    }

    /// Forgets everything: the board was loaded anew.
    package mutating func forget() { kept = [] }

    /// Whether this replica has come to something else at a position.
    package func differs(from other: DigestCheckpoint) -> Bool {
        kept.contains { $0.sequence == other.sequence && $0.digest != other.digest }
    }

    /// Whether this replica differs from most of those that can be compared; of two the leader is believed.
    package mutating func findsItselfWrong(_ reports: [ReplicaReport], own name: ReplicaName, leader: Bool) -> Bool {
        var (agreeing, differing) = (1, 0)
        var place: UInt64 = 0
        for report in reports where report.name != name {
            guard let other = report.checkpoint, let own = kept.first(where: { $0.sequence == other.sequence }) else {
                continue
            }
            place = max(place, own.sequence)
            if own.digest == other.digest { agreeing += 1 } else { differing += 1 }
        }
        guard differing > agreeing || differing == agreeing && !leader, condemned != place else { return false }
        condemned = place
        return true
    }
}
