// What a replica has told the others of its listeners: a track with a time to live stays while somebody listens on any.

import Base
import Board
import Machine

/// Tracks with a time to live that were told to be listened to here.
struct SubscriberReports {
    private var told: Set<ResourceName> = []
    private let replica: ReplicaName

    init(replica: ReplicaName) { self.replica = replica }

    /// What is to be told of tracks that changed, or came to be watched or ceased to be.
    mutating func requests(for names: some Sequence<ResourceName>, in engine: Engine) -> [Request] {
        names.compactMap { name in
            let hasSubscribers: Bool
            if name.kind != .schedule, let slot = engine.slot(of: name) {
                hasSubscribers = engine.tracks[slot]?.isWatched == true && engine.tracks[slot]?.timeToLive != nil
            } else {
                // With the track went what was told of it.
                told.remove(name)
                return nil
            }
            guard hasSubscribers != told.contains(name) else { return nil }
            if hasSubscribers { told.insert(name) } else { told.remove(name) }
            return .heard(name, hasSubscribers, on: replica)
        }
    }

    /// Everything anew: the others took this replica for gone, or the board was loaded anew.
    mutating func requests(forAllIn engine: Engine) -> [Request] {
        let names = told.sorted()
        told = []
        return requests(for: names, in: engine)
    }
}
