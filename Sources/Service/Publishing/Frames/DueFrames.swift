// Resources whose frame is due at the next tick though they may not move: what was changed, what time alone changes. Each
// once, however often it was changed since the last tick.

import Base
import Board

/// Watched resources with a frame to come, in the order in which they came.
struct DueFrames {
    /// A resource by its place on the board: whatever is there when its frame is made is what is shown.
    enum Place: Hashable {
        case track(Int)
        case schedule(Int)

        init(_ kind: ResourceKind, slot: Int) { self = kind == .schedule ? .schedule(slot) : .track(slot) }
    }

    private(set) var places: [Place] = []
    /// How many of them have been taken; at most half of them.
    private var taken = 0
    /// Whether a slot's frame is to come.
    private var tracks: [Bool] = []
    private var schedules: [Bool] = []

    var isEmpty: Bool { taken == places.count }

    /// Adds one; no change when it is there.
    mutating func add(_ place: Place) {
        let isNew =
            switch place {
            case .track(let slot): Self.mark(&tracks, slot)
            case .schedule(let slot): Self.mark(&schedules, slot)
            }
        if isNew { places.append(place) }
    }

    /// Takes the one that has waited longest; nil when there is none.
    mutating func next() -> Place? {
        guard taken < places.count else { return nil }
        let place = places[taken]
        taken += 1
        switch place {
        case .track(let slot): tracks[slot] = false
        case .schedule(let slot): schedules[slot] = false
        }
        // Where there are always more, what was taken must go, too.
        if taken * 2 >= places.count {
            places.removeFirst(taken)
            taken = 0
        }
        return place
    }

    private static func mark(_ marks: inout [Bool], _ slot: Int) -> Bool {
        if slot >= marks.count { marks.append(contentsOf: repeatElement(false, count: slot + 1 - marks.count)) }
        guard !marks[slot] else { return false }
        marks[slot] = true
        return true
    }
}
