// Conflation of completions: a feed that posts thousands of updates a second to one ticker ends thousands of motions
// that no frame ever showed, superseded or without a duration. The first of a tick are told one by one, the rest in one
// event.

import Base
import Board
import Wire

/// Motions of the present tick that no frame showed, by track.
struct CompletionGroups {
    /// The most such motions of a track that a tick tells one by one.
    static let individual = 16

    var counts: [ResourceName: Int] = [:]
    var crowds: [ResourceName: [CompletionGroup]] = [:]

    var isEmpty: Bool { crowds.isEmpty }

    /// Counts a motion that was superseded, or took no time.
    /// - Returns: Whether it was merged, so that it must not be told by itself.
    mutating func exceeds(_ name: ResourceName, _ ending: Ending, _ reading: Reading) -> Bool {
        guard Self.next(&counts[name, default: 0]) > Self.individual else { return false }
        let new = CompletionGroup(
            first: ending.animation, last: ending.animation, count: 1, reason: ending.reason, reading: reading)
        guard let place = crowds[name]?.firstIndex(where: { $0.reason == ending.reason }) else {
            crowds[name, default: []].append(new)
            return true
        }
        crowds[name]?[place].add(new)
        return true
    }

    /// Counts one more, at the place that was found once.
    private static func next(_ count: inout Int) -> Int {
        count += 1
        return count
    }

    /// Takes what was merged of a track: what is told next of it comes after that.
    mutating func take(_ name: ResourceName) -> [CompletionGroup] {
        (crowds.removeValue(forKey: name) ?? []).sorted { $0.last < $1.last }
    }

    /// Takes what was merged since the last tick, by name, so that the order is the same in every run.
    mutating func takeAll() -> [(ResourceName, CompletionGroup)] {
        counts.removeAll(keepingCapacity: counts.count < Self.smallTable)
        guard !crowds.isEmpty else { return [] }
        let names = crowds.keys.sorted()
        return names.flatMap { name in take(name).map { (name, $0) } }
    }

    /// Tables with room for more are given back when they have been used.
    private static let smallTable = 1_024
}
