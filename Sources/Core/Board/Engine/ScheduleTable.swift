// The schedules of a board by slot, with what follows from the state of each: what it takes up, and where it stands in the
// list of all.

import Base

/// Schedules by slot. Counts and places are those of the schedules that are in place.
struct ScheduleTable {
    /// nil where a slot is free.
    private(set) var slots: [Schedule?] = []
    private var numbers = SlotNumbers()
    private var footprints = FootprintBook()
    private var places = SortedList<SchedulePlace>()
    /// Those that wait for a date, not for a time to pass.
    private(set) var datedCount = 0
    /// Those that are actions which wait for their time.
    private(set) var delayedActionCount = 0

    mutating func reserveCapacity(_ count: Int) { slots.reserveCapacity(count) }

    subscript(slot: Int) -> Schedule? { slots[slot] }

    /// How many schedules there are.
    var count: Int { numbers.count }

    /// About how many bytes all of them take up.
    var bytes: Int { footprints.bytes }

    /// What is counted for a slot.
    func footprint(at slot: Int) -> Int { footprints[slot] }

    /// The first places in the list of all.
    /// - Parameter place: They come behind it.
    func places(after place: SchedulePlace?, limit: Int) -> [SchedulePlace] { places.elements(limit, from: place) }

    // MARK: - Changes

    /// Puts a schedule in place, a new one where there is room.
    /// - Returns: Its slot.
    mutating func place(_ schedule: Schedule, at place: Int?) -> Int {
        let slot = place ?? numbers.take()
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

    /// Takes back a schedule with what was counted for it. Its slot is taken by `readNumbers`.
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

    /// Has a schedule go by other calendars, by which it is due when it was.
    mutating func replace(_ schedule: Schedule, at slot: Int) { slots[slot] = schedule }

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

    /// Takes back which slots are in use, when their schedules are seated.
    mutating func readNumbers(from reader: inout ByteReader) throws(ByteReader.Damage) {
        numbers = try reader.slots(seated: slots.count(where: { $0 != nil }), of: slots.count)
        grow(to: numbers.limit - 1)
    }
}
