// The order in which replicas announce that something fell due, so that twenty replicas don't announce it twenty times.

package import Machine
package import Tween

/// The order of replicas for an instant.
package enum AnnouncementOrder {
    /// Seconds before the next replica announces it: longer than an announcement takes to arrive.
    package static let interval = 0.004

    /// Returns how many replicas come before one: the order differs for each instant and is the same on all replicas.
    /// - Parameter replicas: The current replicas; a name that is not among them counts as the last.
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
