// Conflation of completions. A feed of thousands of updates a second to one ticker ends thousands of motions that no frame
// showed, superseded or without a duration. The first of a tick get an event each; the rest share one. At the end of the turn
// in which it begins, a group gets the number of its event. The store keeps it with the turn's changes, so a restart publishes
// it under the id that readers may already have.

import Base
import Board
import Wire

/// Motions of the current tick that no frame showed, by track.
struct CompletionGroups {
    /// How many of a track's such motions get an event each in a tick.
    static let individual = 16

    private struct Pending {
        /// Rises from group to group, and orders their events.
        let order: UInt64
        var group: CompletionGroup
    }

    var counts: [ResourceName: Int] = [:]
    private var groups: [ResourceName: [Pending]] = [:]
    private var lastOrder: UInt64 = 0
    /// Whether there are groups that have their numbers.
    private var hasNumbers = false
    private var hasChanged = false

    var isEmpty: Bool { groups.isEmpty }

    /// Counts a motion that was superseded or took no time.
    /// - Returns: Whether it was merged, so that it must not get an event of its own.
    mutating func exceeds(_ name: ResourceName, _ ending: Ending, _ reading: Reading) -> Bool {
        guard Self.next(&counts[name, default: 0]) > Self.individual else { return false }
        let new = CompletionGroup(
            first: ending.animation, last: ending.animation, count: 1, reason: ending.reason, reading: reading)
        guard let place = groups[name]?.firstIndex(where: { $0.group.reason == ending.reason }) else {
            insert(new, of: name)
            return true
        }
        groups[name]?[place].group.add(new)
        hasChanged = true
        return true
    }

    /// Adds a group behind all others.
    mutating func insert(_ group: CompletionGroup, of name: ResourceName) {
        lastOrder += 1
        groups[name, default: []].append(Pending(order: lastOrder, group: group))
        hasChanged = true
    }

    /// Gives all groups their numbers at the end of a turn.
    /// - Returns: Whether groups have changed since the end of the last turn.
    mutating func assignNumbers() -> Bool {
        hasNumbers = !groups.isEmpty
        defer { hasChanged = false }
        return hasChanged
    }

    /// All groups in the order of their events.
    var inOrder: [(name: ResourceName, group: CompletionGroup)] {
        groups.flatMap { name, pending in pending.map { (name, $0) } }
            .sorted { $0.1.order < $1.1.order }.map { ($0.0, $0.1.group) }
    }

    /// Starts the counts of another tick. Merged motions stay to be published.
    mutating func beginTick() {
        if !counts.isEmpty { counts.removeAll(keepingCapacity: counts.count < Self.smallTable) }
    }

    /// Increments a count with a single lookup.
    private static func next(_ count: inout Int) -> Int {
        count += 1
        return count
    }

    /// Takes what must be published before another event: groups that have their numbers, and all of a track's before an
    /// event of its own.
    /// - Parameter name: The track of that event, if any.
    mutating func drain(before name: ResourceName?) -> [(name: ResourceName, group: CompletionGroup)] {
        // Those of this turn are behind them and go with them.
        guard !hasNumbers else { return drainGroups() }
        guard let name, let pending = groups.removeValue(forKey: name) else { return [] }
        return pending.map { (name, $0.group) }
    }

    /// Takes what was merged since the last tick.
    mutating func drain() -> [(name: ResourceName, group: CompletionGroup)] {
        beginTick()
        return drainGroups()
    }

    private mutating func drainGroups() -> [(name: ResourceName, group: CompletionGroup)] {
        guard !groups.isEmpty else { return [] }
        defer {
            groups = [:]
            (hasNumbers, hasChanged) = (false, true)
        }
        return inOrder
    }

    /// Larger tables are deallocated after use.
    private static let smallTable = 1_024
}
