// Resources that need a frame at the next tick although they may not move: they were changed, or time alone changes them.
// Each is listed once, however often it was changed since the last tick.

import Base
import Board

/// A first-in, first-out queue of watched resources that need a frame.
struct DueFrames {
    /// A resource by its slot on the board. The frame shows whatever the slot holds when the frame is made.
    enum Place: Hashable {
        case track(Int)
        case schedule(Int)

        init(_ kind: ResourceKind, slot: Int) { self = kind == .schedule ? .schedule(slot) : .track(slot) }
    }

    private(set) var places: [Place] = []
    /// How many of `places` have been taken; never more than half.
    private var taken = 0
    /// Whether a slot is queued.
    private var tracks: [Bool] = []
    private var schedules: [Bool] = []

    var isEmpty: Bool { taken == places.count }

    /// Adds a place; does nothing when it is already queued.
    mutating func add(_ place: Place) {
        let isNew =
            switch place {
            case .track(let slot): Self.mark(&tracks, slot)
            case .schedule(let slot): Self.mark(&schedules, slot)
            }
        if isNew { places.append(place) }
    }

    /// Whether a place is queued.
    func contains(_ place: Place) -> Bool {
        switch place {
        case .track(let slot): tracks.indices.contains(slot) && tracks[slot]
        case .schedule(let slot): schedules.indices.contains(slot) && schedules[slot]
        }
    }

    /// Takes the place that has waited longest; nil when the queue is empty.
    mutating func next() -> Place? {
        guard taken < places.count else { return nil }
        let place = places[taken]
        taken += 1
        switch place {
        case .track(let slot): tracks[slot] = false
        case .schedule(let slot): schedules[slot] = false
        }
        // A queue that never runs empty must still drop what was taken.
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
