// The tracks of a board by slot, with what follows from the state of each: what it takes up, and whether it is sampled.

import Base
import Tween

/// Tracks by slot. Counts and samples are those of the tracks that are in place.
struct TrackTable {
    /// nil where a slot is free.
    private(set) var slots: [Track?] = []
    private var numbers = SlotNumbers()
    private var footprints = FootprintBook()
    private var samples = SampleTable()
    /// Tracks with milestones, so that none costs nothing.
    private var milestoneCount = 0

    mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }

    subscript(slot: Int) -> Track? { slots[slot] }

    /// How many tracks there are.
    var count: Int { numbers.count }

    /// About how many bytes all of them take up.
    var bytes: Int { footprints.bytes }

    /// What is counted for a slot.
    func footprint(at slot: Int) -> Int { footprints[slot] }

    /// Slots of those that move, and that somebody watches or a milestone waits for, in no order.
    var sampled: [Int] { samples.slots }

    /// Slots of those in `sampled` with milestones that were not passed yet, in their order: who is sampled in which order
    /// is a matter of who listens.
    var slotsWithMilestones: [Int] {
        milestoneCount == 0 ? [] : sampled.filter { slots[$0]?.run?.milestones.isEmpty == false }.sorted()
    }

    mutating func takeSamples(at now: Instant, into taken: inout [Sample]) { samples.take(at: now, into: &taken) }

    // MARK: - Changes

    /// Puts a track in place, a new one where there is room.
    /// - Returns: Its slot.
    mutating func place(_ track: consuming Track, at known: Int?) -> Int {
        let slot = known ?? numbers.take()
        grow(to: slot)
        // Looking at a track copies it, and few have milestones.
        if milestoneCount > 0, slots[slot]?.hasMilestones == true { milestoneCount -= 1 }
        put(track, at: slot, footprint: track.footprint)
        return slot
    }

    /// Takes back a track with what was counted for it. Its slot is taken by `setNumbers`.
    mutating func seat(_ track: consuming Track, at slotEntry: SlotEntry) {
        grow(to: slotEntry.slot)
        put(track, at: slotEntry.slot, footprint: slotEntry.footprint)
    }

    private mutating func put(_ track: consuming Track, at slot: Int, footprint: Int) {
        if track.hasMilestones { milestoneCount += 1 }
        footprints.set(footprint, at: slot)
        samples.set(slot, track.sampledMotion)
        slots[slot] = track
    }

    mutating func remove(at slot: Int) {
        samples.set(slot, nil)
        if slots[slot]?.hasMilestones == true { milestoneCount -= 1 }
        slots[slot] = nil
        footprints.set(0, at: slot)
        numbers.free(slot)
    }

    /// Changes who hears a track where it lies, without a copy: a stream of ten thousand topics has as many of them change.
    /// - Returns: Whether it is another state.
    mutating func setWatched(_ isWatched: Bool, at slot: Int) -> Bool {
        guard let known = slots[slot]?.isWatched, known != isWatched else { return false }
        slots[slot]?.isWatched = isWatched
        samples.set(slot, slots[slot]?.sampledMotion)
        return true
    }

    /// - Returns: Whether it is another state.
    mutating func setHasSubscribers(_ hasSubscribers: Bool, at slot: Int, now: Instant) -> Bool {
        guard let known = slots[slot]?.hasSubscribers, known != hasSubscribers else { return false }
        slots[slot]?.hasSubscribers = hasSubscribers
        if !hasSubscribers { slots[slot]?.touched = now }
        samples.set(slot, slots[slot]?.sampledMotion)
        return true
    }

    private mutating func grow(to slot: Int) {
        while slots.count <= slot { slots.append(nil) }
        samples.grow(to: slot)
        footprints.grow(to: slot)
    }

    // MARK: - Bytes

    func writeNumbers(to writer: inout ByteWriter) { writer.slots(numbers) }

    /// Takes back which slots are in use, when their tracks are seated.
    mutating func readNumbers(from reader: inout ByteReader) throws(ByteReader.Damage) {
        numbers = try reader.slots(seated: slots.count(where: { $0 != nil }), of: slots.count)
        grow(to: numbers.limit - 1)
    }
}
