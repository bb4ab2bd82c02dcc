// Pauses, resumptions and removals of all schedules. They are in force from one instant. Applying them to each schedule
// takes several calls if there are many, so that none delays a tick.

import Base
package import Tween

/// Whether all schedules are paused, and since when.
package struct SchedulePause: Hashable, Sendable {
    package var isPaused: Bool
    /// nil if it has always been so.
    package var since: Instant?

    package init(isPaused: Bool = false, since: Instant? = nil) {
        self.isPaused = isPaused
        self.since = since
    }
}

/// A change to all schedules that is in progress.
struct ScheduleSweep: Hashable, Sendable {
    /// Raw values are stored in snapshots.
    enum Kind: UInt8, Hashable, Sendable {
        case pause = 0
        case resumption = 1
        case removal = 2
    }

    let kind: Kind
    /// The instant from which it is in force.
    let since: Instant
    /// The next slot.
    var next = 0
    /// The end of the range of slots. Schedules beyond it were made after the change; one made since in a slot of the range
    /// that is still ahead takes part in the change, as if it had been made before.
    let end: Int
}

/// The pause in force, and the change in progress. `set` and `beginRemoval` need a finished change (`Engine.finishSweep`);
/// `replace` and `repeatPause` end one.
struct SchedulePauses {
    private(set) var pause: SchedulePause
    private(set) var sweep: ScheduleSweep?

    init(_ pause: SchedulePause) { self.pause = pause }

    /// Pauses or resumes all.
    /// - Parameter end: The slot after the last.
    mutating func set(_ isPaused: Bool, at now: Instant, end: Int) {
        pause = SchedulePause(isPaused: isPaused, since: now)
        repeatPause(at: now, end: end)
    }

    /// Replaces the pause in force and applies it to all schedules.
    mutating func replace(by other: SchedulePause, at now: Instant, end: Int) {
        pause = other
        repeatPause(at: now, end: end)
    }

    /// Applies the last pause or resumption to all schedules again.
    mutating func repeatPause(at now: Instant, end: Int) {
        sweep = ScheduleSweep(kind: pause.isPaused ? .pause : .resumption, since: pause.since ?? now, end: end)
    }

    mutating func beginRemoval(at now: Instant, end: Int) {
        sweep = ScheduleSweep(kind: .removal, since: now, end: end)
    }

    mutating func cancelRemoval() {
        if sweep?.kind == .removal { sweep = nil }
    }

    /// Returns the next slot of the change in progress and moves on. The change is over after the last.
    mutating func nextSlot() -> Int? {
        guard let slot = sweep?.next, let end = sweep?.end, slot < end else {
            sweep = nil
            return nil
        }
        if slot + 1 < end { sweep?.next = slot + 1 } else { sweep = nil }
        return slot
    }

    mutating func shift(byNanoseconds nanoseconds: Int64) {
        pause.since = pause.since?.advanced(byNanoseconds: nanoseconds)
    }

    // MARK: - Bytes

    func write(to writer: inout ByteWriter) {
        writer.flag(pause.isPaused)
        writer.optional(pause.since) { $0.number($1.nanoseconds) }
        writer.optional(sweep) { writer, sweep in
            writer.byte(sweep.kind.rawValue)
            writer.number(sweep.since.nanoseconds)
            writer.count(sweep.next)
            writer.count(sweep.end)
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let isPaused = try reader.flag()
        let since = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.instant() }
        pause = SchedulePause(isPaused: isPaused, since: since)
        sweep = try reader.optional { (reader) throws(ByteReader.Damage) in
            guard let kind = ScheduleSweep.Kind(rawValue: try reader.byte()) else { throw ByteReader.Damage() }
            let (since, next) = (try reader.instant(), try reader.count())
            return ScheduleSweep(kind: kind, since: since, next: next, end: try reader.count())
        }
    }
}
