// Whose turn it is to say that something fell due: replicas take turns, so that twenty of them don't say so twenty times.

package import Machine
package import Tween

/// The order of replicas for an instant.
package enum AnnouncementOrder {
    /// Seconds after which the next in the order speaks up when nobody has: more than it takes to hear of it.
    package static let patience = 0.004

    /// How many come before a replica: another order for each instant, and the same on all.
    /// - Parameter replicas: Those that are there; a stranger to them counts as the last.
    package static func rank(of name: ReplicaName, among replicas: [ReplicaName], for due: Instant) -> Int {
        let own = weight(name, due)
        return replicas.count { $0 != name && (weight($0, due), $0) < (own, name) }
    }

    private static func weight(_ name: ReplicaName, _ due: Instant) -> UInt64 {
        var digest = StateDigest()
        digest.add(name)
        digest.add(due.nanoseconds)
        return digest.value
    }
}
