// On which replicas somebody listens: what a time to live depends on, and so the same on each of them.

import Base
import Board
import Tween

/// Replicas by the tracks that somebody listens to there.
struct RemoteSubscribers: Hashable, Sendable {
    /// In the order of their names.
    var replicas: [ResourceName: [ReplicaName]] = [:]

    /// - Returns: Whether the first has come, or the last has gone.
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

    /// A replica has gone.
    /// - Returns: Those that nobody listens to any more, in the order of their names.
    mutating func leave(_ replica: ReplicaName) -> [ResourceName] {
        let heard = replicas.filter { $0.value.contains(replica) }.keys
        return heard.filter { set($0, false, on: replica) }.sorted()
    }
}

extension Machine {
    /// The replicas where somebody listens, in the order of their names.
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
