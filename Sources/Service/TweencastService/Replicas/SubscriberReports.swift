// What this replica has reported about its subscribers. A track with a time to live stays while it has a subscriber on any
// replica.

import Base
import Board
import Machine

/// The tracks with a time to live that were reported as having subscribers here.
struct SubscriberReports {
    private var told: Set<ResourceName> = []
    private let replica: ReplicaName

    init(replica: ReplicaName) { self.replica = replica }

    /// Returns the reports for tracks that changed, gained their first subscriber or lost their last.
    mutating func requests(for names: some Sequence<ResourceName>, in engine: Engine) -> [Request] {
        names.compactMap { name in
            let hasSubscribers: Bool
            if name.kind != .schedule, let slot = engine.slot(of: name) {
                hasSubscribers = engine.tracks[slot]?.isWatched == true && engine.tracks[slot]?.timeToLive != nil
            } else {
                // The track was removed, and its reports with it.
                told.remove(name)
                return nil
            }
            guard hasSubscribers != told.contains(name) else { return nil }
            if hasSubscribers { told.insert(name) } else { told.remove(name) }
            return .heard(name, hasSubscribers, on: replica)
        }
    }

    /// Returns all reports again, after the others took this replica for dead or the board was reloaded.
    mutating func requests(forAllIn engine: Engine) -> [Request] {
        let names = told.sorted()
        told = []
        return requests(for: names, in: engine)
    }
}
