// Writes a board to a snapshot and reads it back. Besides resources, a snapshot holds slots, queues and counts: they order
// what is due at the same instant, and a replica that starts from the snapshot must use the same order.

package import Base
import RecurrenceRules
package import Tween

/// A resource's slot on a board and what is counted for it.
package struct SlotEntry: Hashable, Sendable {
    package var slot: Int
    /// Bytes counted in the board's budget.
    package var footprint: Int
    /// Whether a track has subscribers, on any node.
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

    /// Makes an empty board for resources that are inserted at their slots; `readBooks` completes it.
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

    /// Reads slot numbers. They must match the resources already inserted, so that a damaged number can't make a huge table.
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
    /// Appends all entries in their order.
    /// - Parameter due: When a slot is due by its own state. Most entries equal that and aren't written.
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
