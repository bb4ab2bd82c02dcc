// On which replicas somebody listens: what a time to live depends on, and so the same on each of them.

import Base
import Board
import Tween

/// Replicas by the tracks that somebody listens to there.
struct Listeners: Hashable, Sendable {
    /// In the order of their names.
    var replicas: [ResourceName: [ReplicaName]] = [:]

    /// - Returns: Whether the first has come, or the last has gone.
    mutating func set(_ name: ResourceName, _ isHeard: Bool, on replica: ReplicaName) -> Bool {
        var known = replicas[name] ?? []
        let wasHeard = !known.isEmpty
        known.removeAll { $0 == replica }
        if isHeard { known.append(replica) }
        replicas[name] = known.isEmpty ? nil : known.sorted()
        return wasHeard == known.isEmpty
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
    package var listeningReplicas: [ReplicaName] { Set(listeners.replicas.values.joined()).sorted() }

    mutating func setHeard(_ name: ResourceName, _ isHeard: Bool, on replica: ReplicaName, at now: Instant) {
        guard let slot = engine.slot(of: name), name.kind != .schedule else { return }
        if listeners.set(name, isHeard, on: replica) { engine.setHeard(isHeard, slot: slot, at: now) }
    }

    mutating func endHearing(_ name: ResourceName, at now: Instant) {
        if let slot = engine.slot(of: name) { engine.setHeard(false, slot: slot, at: now) }
    }
}
