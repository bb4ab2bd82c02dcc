// What has happened on a board and was not taken yet.

/// Events in order, and the names of what is to be stored.
struct BoardNews {
    private var events: [BoardEvent] = []
    /// Tracks as their motions left them, by the index of the event that reports it.
    private(set) var endedTracks: [Int: Track] = [:]
    private var changes: [ResourceName] = []
    private var changedNames: Set<ResourceName> = []

    mutating func append(_ event: BoardEvent) { events.append(event) }

    /// Keeps a track for the event that is appended next.
    mutating func keep(_ track: Track) { endedTracks[events.count] = track }

    mutating func markChanged(_ name: ResourceName) {
        if changedNames.insert(name).inserted { changes.append(name) }
    }

    mutating func takeEvents() -> [BoardEvent] {
        defer {
            events.removeAll(keepingCapacity: true)
            endedTracks.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// Takes the names of what has changed, each once.
    mutating func takeChanges() -> [ResourceName] {
        defer {
            changes.removeAll(keepingCapacity: true)
            changedNames.removeAll(keepingCapacity: true)
        }
        return changes
    }
}
