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
        let hasSubscribers = tracks[slot]?.hasSubscribers ?? false
        return SlotEntry(slot: slot, footprint: trackTable.footprint(at: slot), hasSubscribers: hasSubscribers)
    }

    package func slotEntry(ofSchedule slot: Int) -> SlotEntry {
        SlotEntry(slot: slot, footprint: scheduleTable.footprint(at: slot), hasSubscribers: false)
    }

    /// An empty board whose resources come with their seats; then `readBooks` makes it whole.
    package init(configuration: Configuration, tracks trackCount: Int, schedules scheduleCount: Int) {
        self.init(
            configuration: configuration, schedulePause: SchedulePause(), trackCount: trackCount,
            scheduleCount: scheduleCount)
    }
}

extension ByteWriter {
    mutating func slots(_ numbers: SlotNumbers) {
        count(numbers.limit)
        list(numbers.freed) { $0.count($1) }
    }
}

extension ByteReader {
    package mutating func instant() throws(Damage) -> Instant { Instant(nanoseconds: try signed()) }

    /// Numbers of slots: of as many as there are at least, those are in use that are seated. A damaged number must not
    /// make a table as large as it says.
    mutating func slots(seated: Int, of least: Int) throws(Damage) -> SlotNumbers {
        let limit = try count()
        let freed = try list { (reader) throws(Damage) in try reader.count() }
        guard freed.allSatisfy({ $0 < limit }), Set(freed).count == freed.count, limit - freed.count == seated,
            limit >= least
        else { throw Damage() }
        return SlotNumbers(limit: limit, freed: freed)
    }
}

extension FairTimetable {
    /// Appends whose turn comes when.
    /// - Parameter due: When a slot is due by the state of what is there: most are so here.
    func write(to writer: inout ByteWriter, due: (Int) -> Instant?) {
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

    init(
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
