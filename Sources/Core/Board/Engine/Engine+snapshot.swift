// A board written down whole and read back as the same one: beside its resources it has places, queues and counts that
// decide what comes first of two that are due at one instant. Whoever goes on from a snapshot must decide alike.

package import Base
import RecurrenceRules
package import Tween

/// Where a resource sits on a board, and what it counts for.
package struct SlotEntry: Hashable, Sendable {
    package var slot: Int
    /// Bytes that the board's budget counts for it.
    package var footprint: Int
    /// Of a track: somebody listens, here or elsewhere.
    package var hasSubscribers: Bool

    package init(slot: Int, footprint: Int, hasSubscribers: Bool) {
        (self.slot, self.footprint, self.hasSubscribers) = (slot, footprint, hasSubscribers)
    }
}

extension Engine {
    package func slotEntry(ofTrack slot: Int) -> SlotEntry {
        SlotEntry(slot: slot, footprint: trackFootprints[slot], hasSubscribers: tracks[slot]?.hasSubscribers ?? false)
    }

    package func slotEntry(ofSchedule slot: Int) -> SlotEntry {
        SlotEntry(slot: slot, footprint: scheduleFootprints[slot], hasSubscribers: false)
    }

    // MARK: - Writing

    /// Appends what it keeps beside its resources. Between two turns: nobody is owed an event then.
    package func writeBooks(to writer: inout ByteWriter) {
        writer.flag(schedulePause.isPaused)
        writer.optional(schedulePause.since) { $0.number($1.nanoseconds) }
        writer.optional(sweep) { $0.sweep($1) }
        writer.count(lastDelayedAction)
        writer.flag(isBehind)
        writer.slots(trackSlots)
        writer.slots(scheduleSlots)
        trackTimetable.write(to: &writer) { tracks[$0]?.due }
        scheduleTimetable.write(to: &writer) { due(ofSchedule: $0) }
    }

    /// When a schedule's slot is due by its own state and the pauses in force.
    private func due(ofSchedule slot: Int) -> Instant? {
        schedules[slot].flatMap { isHeld($0) || $0.remaining != nil ? nil : $0.due }
    }

    // MARK: - Reading

    /// An empty board whose resources come with their seats; then `readBooks` makes it whole.
    package init(configuration: Configuration, tracks trackCount: Int, schedules scheduleCount: Int) {
        self.init(
            configuration: configuration, schedulePause: SchedulePause(), trackCount: trackCount,
            scheduleCount: scheduleCount)
    }

    /// Puts a resource on its seat, as it was: nothing follows from it.
    package mutating func insert(_ resource: Resource, at slotEntry: SlotEntry) {
        switch resource {
        case .track(var track):
            track.hasSubscribers = slotEntry.hasSubscribers
            grow(toTrack: slotEntry.slot)
            slots[track.name] = slotEntry.slot
            nameIndex.insert(track.name)
            if track.hasMilestones { milestoneCount += 1 }
            count(slotEntry.footprint, track: slotEntry.slot)
            follow(slotEntry.slot, due: nil, track.sampledMotion)
            tracks[slotEntry.slot] = track
        case .schedule(var schedule):
            try? schedule.definition.takeWords(from: configuration.planner)
            grow(toSchedule: slotEntry.slot)
            slots[schedule.name] = slotEntry.slot
            nameIndex.insert(schedule.name)
            schedulePlaces.insert(SchedulePlace(schedule))
            record(schedule)
            count(slotEntry.footprint, schedule: slotEntry.slot)
            schedules[slotEntry.slot] = schedule
        }
    }

    /// Takes back what `writeBooks` wrote, when all resources are seated.
    package mutating func readBooks(from reader: inout ByteReader) throws(ByteReader.Damage) {
        schedulePause.isPaused = try reader.flag()
        schedulePause.since = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.instant() }
        sweep = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.sweep() }
        lastDelayedAction = try reader.count()
        isBehind = try reader.flag()
        trackSlots = try reader.slots()
        scheduleSlots = try reader.slots()
        // Those in use are seated: a damaged number must not make the board as large as it says.
        guard trackSlots.count == tracks.count(where: { $0 != nil }),
            scheduleSlots.count == schedules.count(where: { $0 != nil })
        else { throw ByteReader.Damage() }
        if trackSlots.limit > tracks.count { grow(toTrack: trackSlots.limit - 1) }
        if scheduleSlots.limit > schedules.count { grow(toSchedule: scheduleSlots.limit - 1) }
        guard trackSlots.limit == tracks.count, scheduleSlots.limit == schedules.count else {
            throw ByteReader.Damage()
        }
        let (tracks, scheduleCount) = (tracks, schedules.count)
        trackTimetable = try FairTimetable(from: &reader, slots: tracks.count) { tracks[$0]?.due }
        let dues = (0..<scheduleCount).map { due(ofSchedule: $0) }
        scheduleTimetable = try FairTimetable(from: &reader, slots: scheduleCount) { dues[$0] }
    }

    private mutating func grow(toTrack slot: Int) {
        while tracks.count <= slot {
            tracks.append(nil)
            samplePlaces.append(-1)
            trackFootprints.append(0)
        }
    }

    private mutating func grow(toSchedule slot: Int) {
        while schedules.count <= slot {
            schedules.append(nil)
            scheduleFootprints.append(0)
        }
    }
}

extension ByteWriter {
    fileprivate mutating func slots(_ numbers: SlotNumbers) {
        count(numbers.limit)
        list(numbers.freed) { $0.count($1) }
    }

    fileprivate mutating func sweep(_ sweep: ScheduleSweep) {
        byte(sweep.kind.rawValue)
        number(sweep.since.nanoseconds)
        count(sweep.next)
        count(sweep.end)
    }
}

extension ByteReader {
    package mutating func instant() throws(Damage) -> Instant { Instant(nanoseconds: try signed()) }

    fileprivate mutating func slots() throws(Damage) -> SlotNumbers {
        let limit = try count()
        let freed = try list { (reader) throws(Damage) in try reader.count() }
        guard freed.allSatisfy({ $0 < limit }), Set(freed).count == freed.count else { throw Damage() }
        return SlotNumbers(limit: limit, freed: freed)
    }

    fileprivate mutating func sweep() throws(Damage) -> ScheduleSweep {
        guard let kind = ScheduleSweep.Kind(rawValue: try byte()) else { throw Damage() }
        let (since, next) = (try instant(), try count())
        return ScheduleSweep(kind: kind, since: since, next: next, end: try count())
    }
}

extension FairTimetable {
    /// Appends whose turn comes when.
    /// - Parameter due: When a slot is due by the state of what is there: most are so here.
    fileprivate func write(to writer: inout ByteWriter, due: (Int) -> Instant?) {
        writer.list(waiting) { writer, entry in
            writer.count(entry.slot)
            writer.optional(entry.due == due(entry.slot) ? nil : entry.due) { $0.number($1.nanoseconds) }
        }
        writer.list(queued) { writer, entry in
            writer.count(entry.slot)
            for count in [entry.due.start, entry.due.end, entry.due.given] { writer.number(Int64(count)) }
            writer.number(entry.due.due.nanoseconds)
        }
        writer.list(given) { $0.number(Int64($1)) }
        writer.number(Int64(standard))
    }

    fileprivate init(
        from reader: inout ByteReader, slots: Int, due: (Int) -> Instant?
    ) throws(ByteReader.Damage) {
        self.init()
        for _ in 0..<(try reader.count()) {
            let slot = try reader.count()
            let other = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.instant() }
            guard slot < slots, let due = other ?? due(slot) else { throw ByteReader.Damage() }
            set(slot, due: due)
        }
        for _ in 0..<(try reader.count()) {
            let slot = try reader.count()
            guard slot < slots else { throw ByteReader.Damage() }
            let (start, end, given) = (try reader.signed(), try reader.signed(), try reader.signed())
            queue(
                slot,
                Turn(start: Int(start), end: Int(end), given: Int(given), due: try reader.instant()))
        }
        given = try reader.list { (reader) throws(ByteReader.Damage) in Int(try reader.signed()) }
        standard = Int(try reader.signed())
    }
}
