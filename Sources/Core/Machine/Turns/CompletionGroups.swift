// Conflation of completions. A feed of thousands of updates a second to one ticker ends thousands of motions that no frame
// showed, superseded or without a duration. The first of a tick get an event each; the rest share one.

import Base
import Board
import Wire

/// Motions of the current tick that no frame showed, by track.
struct CompletionGroups {
    /// How many of a track's such motions get an event each in a tick.
    static let individual = 16

    var counts: [ResourceName: Int] = [:]
    var groups: [ResourceName: [CompletionGroup]] = [:]

    var isEmpty: Bool { groups.isEmpty }

    /// Counts a motion that was superseded or took no time.
    /// - Returns: Whether it was merged, so that it must not get an event of its own.
    mutating func exceeds(_ name: ResourceName, _ ending: Ending, _ reading: Reading) -> Bool {
        guard Self.next(&counts[name, default: 0]) > Self.individual else { return false }
        let new = CompletionGroup(
            first: ending.animation, last: ending.animation, count: 1, reason: ending.reason, reading: reading)
        guard let place = groups[name]?.firstIndex(where: { $0.reason == ending.reason }) else {
            groups[name, default: []].append(new)
            return true
        }
        groups[name]?[place].add(new)
        return true
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

    /// Takes a track's merged motions: they must be published before its next event.
    mutating func take(_ name: ResourceName) -> [CompletionGroup] {
        (groups.removeValue(forKey: name) ?? []).sorted { $0.last < $1.last }
    }

    /// Takes what was merged since the last tick, sorted by name, so that the order is deterministic.
    mutating func takeAll() -> [(ResourceName, CompletionGroup)] {
        beginTick()
        guard !groups.isEmpty else { return [] }
        let names = groups.keys.sorted()
        return names.flatMap { name in take(name).map { (name, $0) } }
    }

    /// Larger tables are deallocated after use.
    private static let smallTable = 1_024
}
