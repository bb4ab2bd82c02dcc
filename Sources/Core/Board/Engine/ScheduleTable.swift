// The schedules of a board by slot, with what derives from their state: their memory and their place in the list of all.

import Base

/// Schedules by slot.
struct ScheduleTable {
    /// nil if a slot is free.
    private(set) var slots: [Schedule?] = []
    private var numbers = SlotNumbers()
    private var footprints = FootprintBook()
    private var places = SortedList<SchedulePlace>()
    /// How many wait for a date, not for an interval.
    private(set) var datedCount = 0
    /// How many are delayed actions.
    private(set) var delayedActionCount = 0

    mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }

    subscript(slot: Int) -> Schedule? { slots[slot] }

    var count: Int { numbers.count }

    /// Estimated bytes of all.
    var bytes: Int { footprints.bytes }

    /// The bytes counted for a slot.
    func footprint(at slot: Int) -> Int { footprints[slot] }

    /// Returns the first places in the list of all.
    /// - Parameter place: Only places after it are returned.
    func places(after place: SchedulePlace?, limit: Int) -> [SchedulePlace] { places.elements(limit, from: place) }

    // MARK: - Changes

    /// Places a schedule.
    /// - Parameter known: The slot that it has; nil takes a free one.
    /// - Returns: Its slot.
    mutating func place(_ schedule: Schedule, at known: Int?) -> Int {
        let slot = known ?? numbers.allocate()
        grow(to: slot)
        if let known = slots[slot] {
            count(known, -1)
            if SchedulePlace(known) != SchedulePlace(schedule) {
                places.remove(SchedulePlace(known))
                places.insert(SchedulePlace(schedule))
            }
        } else {
            places.insert(SchedulePlace(schedule))
        }
        put(schedule, at: slot, footprint: schedule.footprint)
        return slot
    }

    /// Inserts a schedule from a snapshot with the bytes counted for it. `readNumbers` marks its slot as used.
    mutating func seat(_ schedule: Schedule, at slotEntry: SlotEntry) {
        grow(to: slotEntry.slot)
        places.insert(SchedulePlace(schedule))
        put(schedule, at: slotEntry.slot, footprint: slotEntry.footprint)
    }

    private mutating func put(_ schedule: Schedule, at slot: Int, footprint: Int) {
        count(schedule, 1)
        footprints.set(footprint, at: slot)
        slots[slot] = schedule
    }

    /// Replaces a schedule by one compiled with other calendar rules, which has the same place in the list.
    mutating func replace(_ schedule: Schedule, at slot: Int) {
        assert(slots[slot].map(SchedulePlace.init) == SchedulePlace(schedule))
        slots[slot] = schedule
    }

    mutating func remove(at slot: Int) {
        guard let schedule = slots[slot] else { return }
        count(schedule, -1)
        places.remove(SchedulePlace(schedule))
        slots[slot] = nil
        footprints.set(0, at: slot)
        numbers.free(slot)
    }

    private mutating func count(_ schedule: Schedule, _ change: Int) {
        if schedule.isDated { datedCount += change }
        if schedule.origin != nil { delayedActionCount += change }
    }

    private mutating func grow(to slot: Int) {
        while slots.count <= slot { slots.append(nil) }
        footprints.grow(to: slot)
    }

    // MARK: - Bytes

    func writeNumbers(to writer: inout ByteWriter) { writer.slots(numbers) }

    /// Reads which slots are in use, after their schedules are inserted.
    mutating func readNumbers(from reader: inout ByteReader) throws(ByteReader.Damage) {
        numbers = try reader.slots(seated: slots.count(where: { $0 != nil }), of: slots.count)
        grow(to: numbers.limit - 1)
    }
}
