// Which replicas, this one included, have subscribers to tracks with a time to live. Expiry depends on them, so they are the
// same on all replicas.

import Base
import Board
import Tween

/// Replicas by the tracks with a time to live to which they have subscribers.
struct SubscribedReplicas: Hashable, Sendable {
    /// Sorted by name.
    var replicas: [ResourceName: [ReplicaName]] = [:]

    /// - Returns: Whether the first replica was added, or the last removed.
    mutating func set(_ name: ResourceName, _ hasSubscribers: Bool, on replica: ReplicaName) -> Bool {
        var known = replicas[name] ?? []
        let hadSubscribers = !known.isEmpty
        known.removeAll { $0 == replica }
        if hasSubscribers { known.append(replica) }
        replicas[name] = known.isEmpty ? nil : known.sorted()
        return hadSubscribers == known.isEmpty
    }

    mutating func forget(_ name: ResourceName) {
        if !replicas.isEmpty { replicas[name] = nil }
    }

    /// Removes a replica that has left.
    /// - Returns: The tracks without any subscribers left, sorted by name.
    mutating func remove(_ replica: ReplicaName) -> [ResourceName] {
        let heard = replicas.filter { $0.value.contains(replica) }.keys
        return heard.filter { set($0, false, on: replica) }.sorted()
    }
}

extension Machine {
    /// The replicas with subscribers, sorted by name.
    package var listeningReplicas: [ReplicaName] { Set(subscribers.replicas.values.joined()).sorted() }

    mutating func setHasSubscribers(
        _ name: ResourceName, _ hasSubscribers: Bool, on replica: ReplicaName, at now: Instant
    ) {
        guard let slot = engine.slot(of: name), name.kind != .schedule else { return }
        if subscribers.set(name, hasSubscribers, on: replica) {
            engine.setHasSubscribers(hasSubscribers, slot: slot, at: now)
        }
    }

    mutating func endHearing(_ name: ResourceName, at now: Instant) {
        if let slot = engine.slot(of: name) { engine.setHasSubscribers(false, slot: slot, at: now) }
    }
}
