// The motions that are sampled with each tick, stored apart from their tracks.

import Tween

/// Motions by slot, each with a serial of its state.
struct SampleTable {
    /// Sampled slots, unordered.
    private(set) var slots: [Int] = []
    /// Their motions, in the same order.
    private var moving: [MovingTrack] = []
    /// The index of a slot in `slots`; -1 if it is not sampled.
    private var places: [Int] = []
    /// The last serial that was given.
    private var lastSerial: UInt64 = 0

    mutating func grow(to slot: Int) {
        while places.count <= slot { places.append(-1) }
    }

    /// - Parameter motion: nil if the slot is not sampled.
    mutating func set(_ slot: Int, _ motion: Motion?) {
        let place = places[slot]
        if let motion {
            lastSerial += 1
            let track = MovingTrack(motion, slot: slot, serial: lastSerial)
            if place >= 0 {
                moving[place] = track
            } else {
                places[slot] = slots.count
                slots.append(slot)
                moving.append(track)
            }
        } else if place >= 0 {
            let last = slots.removeLast()
            let lastMoving = moving.removeLast()
            if last != slot {
                slots[place] = last
                moving[place] = lastMoving
                places[last] = place
            }
            places[slot] = -1
        }
    }

    /// Whether a sample's track has not changed since.
    func isCurrent(_ sample: Sample) -> Bool {
        guard places.indices.contains(sample.slot), places[sample.slot] >= 0 else { return false }
        return moving[places[sample.slot]].serial == sample.serial
    }

    /// Samples all, in the order of `slots`.
    mutating func sample(at now: Instant, into samples: inout [Sample]) {
        samples.removeAll(keepingCapacity: true)
        for index in moving.indices { samples.append(moving[index].sample(at: now)) }
    }
}
