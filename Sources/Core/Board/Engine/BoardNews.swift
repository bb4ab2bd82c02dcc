// Events and changes of a board that were not taken yet.

/// Events in order, and the names of resources to be stored.
struct BoardNews {
    private var events: [BoardEvent] = []
    /// Tracks as they were when their motions ended, by the index of the event that reports it.
    private(set) var endedTracks: [Int: Track] = [:]
    private var changes: [ResourceName] = []
    private var changedNames: Set<ResourceName> = []

    mutating func append(_ event: BoardEvent) { events.append(event) }

    /// Keeps a track for the event that is appended next.
    mutating func keep(_ track: Track) { endedTracks[events.count] = track }

    mutating func markChanged(_ name: ResourceName) {
        if changedNames.insert(name).inserted { changes.append(name) }
    }

    mutating func drainEvents() -> [BoardEvent] {
        defer {
            events.removeAll(keepingCapacity: true)
            endedTracks.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// Removes and returns the names of changed resources, each once.
    mutating func drainChanges() -> [ResourceName] {
        defer {
            changes.removeAll(keepingCapacity: true)
            changedNames.removeAll(keepingCapacity: true)
        }
        return changes
    }
}
