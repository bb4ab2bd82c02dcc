// The tracks of a board by slot, with what derives from their state: their memory, and whether they are sampled.

import Base
import Tween

/// Tracks by slot. Counts and samples cover those in the table.
struct TrackTable {
    /// nil if a slot is free.
    private(set) var slots: [Track?] = []
    private var numbers = SlotNumbers()
    private var footprints = FootprintBook()
    private var samples = SampleTable()
    /// How many tracks have milestones. If none has, none is searched.
    private var milestoneCount = 0

    mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }

    subscript(slot: Int) -> Track? { slots[slot] }

    var count: Int { numbers.count }

    /// Estimated bytes of all.
    var bytes: Int { footprints.bytes }

    /// The bytes counted for a slot.
    func footprint(at slot: Int) -> Int { footprints[slot] }

    /// Slots of moving tracks that are watched or have a milestone ahead, unordered.
    var sampled: [Int] { samples.slots }

    /// Returns slots in `sampled` whose tracks have reached a milestone, sorted: the order of `sampled` depends on
    /// subscribers.
    func slotsReachingMilestones(at now: Instant) -> [Int] {
        milestoneCount == 0 ? [] : sampled.filter { reachesMilestone($0, at: now) }.sorted()
    }

    /// Whether a sampled track has reached a milestone.
    func reachesMilestone(at now: Instant) -> Bool {
        milestoneCount > 0 && sampled.contains { reachesMilestone($0, at: now) }
    }

    /// Whether a track has reached a milestone that is not crossed yet. Of a ticker it reads the run alone: thousands may have milestones
    /// ahead at every tick, and copying a track costs fifty times as much.
    func reachesMilestone(_ slot: Int, at now: Instant) -> Bool {
        guard slots.indices.contains(slot), let run = slots[slot]?.run, !run.milestones.isEmpty else { return false }
        // A progress may show other values than its motion has.
        if slots[slot]?.name.kind == .progress { return slots[slot]?.reachesMilestone(at: now) ?? false }
        return run.reachesMilestone(run.motion.value(at: now), at: now)
    }

    mutating func sample(at now: Instant, into taken: inout [Sample]) { samples.sample(at: now, into: &taken) }

    func isCurrent(_ sample: Sample) -> Bool { samples.isCurrent(sample) }

    // MARK: - Changes

    /// Places a track, a new one in a free slot.
    /// - Returns: Its slot.
    mutating func place(_ track: consuming Track, at known: Int?) -> Int {
        let slot = known ?? numbers.allocate()
        grow(to: slot)
        // Reading a track copies it, and few have milestones.
        if milestoneCount > 0, slots[slot]?.hasMilestones == true { milestoneCount -= 1 }
        store(track, at: slot, footprint: track.footprint)
        return slot
    }

    /// Inserts a track from a snapshot with the bytes counted for it. `readNumbers` marks its slot as used.
    mutating func insert(_ track: consuming Track, at slotEntry: SlotEntry) {
        grow(to: slotEntry.slot)
        store(track, at: slotEntry.slot, footprint: slotEntry.footprint)
    }

    /// Stores a track in a slot that has none with milestones.
    private mutating func store(_ track: consuming Track, at slot: Int, footprint: Int) {
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

    /// Sets whether a track has subscribers on this node, in place and without a copy: a stream of ten thousand topics
    /// changes as many.
    mutating func setWatched(_ isWatched: Bool, at slot: Int) {
        guard let known = slots[slot]?.isWatched, known != isWatched else { return }
        slots[slot]?.isWatched = isWatched
        samples.set(slot, slots[slot]?.sampledMotion)
    }

    /// Sets whether a track has subscribers on any node. One without may expire; its time counts from `now`.
    /// - Returns: Whether it changed.
    mutating func setHasSubscribers(_ hasSubscribers: Bool, at slot: Int, now: Instant) -> Bool {
        guard let known = slots[slot]?.hasSubscribers, known != hasSubscribers else { return false }
        slots[slot]?.hasSubscribers = hasSubscribers
        if !hasSubscribers { slots[slot]?.touch(at: now) }
        return true
    }

    private mutating func grow(to slot: Int) {
        while slots.count <= slot { slots.append(nil) }
        samples.grow(to: slot)
        footprints.grow(to: slot)
    }

    // MARK: - Bytes

    func writeNumbers(to writer: inout ByteWriter) { writer.slots(numbers) }

    /// Reads which slots are in use, after their tracks are inserted.
    mutating func readNumbers(from reader: inout ByteReader) throws(ByteReader.Damage) {
        numbers = try reader.slots(seated: slots.count(where: { $0 != nil }), of: slots.count)
        grow(to: numbers.limit - 1)
    }
}
