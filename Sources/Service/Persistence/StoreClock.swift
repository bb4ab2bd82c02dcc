// By which clock a store was written. The machine's wall clock may be set while nobody runs: what goes on elapsed time is then
// moved along at the start, as it is while the service runs.

import Base
package import Storage
package import Tween

/// A look at the wall clock and at the time since the machine was started, which nobody sets.
package struct StoreClock: Hashable, Sendable {
    /// Nanoseconds by which the wall clock may differ before it counts as set.
    package static let tolerance: Int64 = 50_000_000

    /// Names the machine's run; empty where that is not known.
    package var boot: String
    /// Nanoseconds since it began.
    package var uptime: Int64
    package var instant: Instant
    /// The number of the newest event by then: the instants of later ones tell how long it went on.
    package var lastEvent: Int64
    /// By how many nanoseconds the wall clock was set in all since the store was made. When events were told and how long
    /// answers are kept is stored without that, so that it need not be written anew when the clock is set.
    package var shift: Int64

    package init(boot: String, uptime: Int64, instant: Instant, lastEvent: Int64 = 0, shift: Int64 = 0) {
        (self.boot, self.uptime, self.instant, self.lastEvent, self.shift) = (boot, uptime, instant, lastEvent, shift)
    }

    /// By how many nanoseconds the wall clock was set since a store was written: told by the time since the machine was
    /// started, or where it stands before what is stored. 0 where it was not.
    /// - Parameters:
    ///   - known: The last look that is stored, if any.
    ///   - events: In the order of their numbers.
    static func step(from known: StoreClock?, _ events: [StoredEvents], to present: StoreClock) -> Int64 {
        var step: Int64 = 0
        if let known, !known.boot.isEmpty, known.boot == present.boot, known.uptime <= present.uptime {
            let passed = present.uptime.subtractingSaturated(known.uptime)
            step = present.instant.nanoseconds.subtractingSaturated(known.instant.nanoseconds)
                .subtractingSaturated(passed)
        }
        if step.magnitude < tolerance.magnitude { step = 0 }
        let told = events.last.flatMap {
            $0.last > known?.lastEvent ?? .min ? $0.time.addingSaturated(known?.shift ?? 0) : nil
        }
        guard let newest = [known?.instant.nanoseconds, told].compactMap({ $0 }).max() else { return step }
        let behind = newest.subtractingSaturated(present.instant.nanoseconds.subtractingSaturated(step))
        return behind >= tolerance ? step.subtractingSaturated(behind) : step
    }
}

extension StoreClock {
    /// What its record is called among the settings.
    static let settingID = "clock"

    /// `uptime instant event shift run`.
    package var record: StoredRecord {
        let body = "\(uptime) \(instant.nanoseconds) \(lastEvent) \(shift) \(boot)"
        return StoredRecord(kind: .setting, id: Self.settingID, body: Array(body.utf8))
    }

    /// - Throws: `corrupt` where it is none that `record` makes.
    static func read(_ record: StoredRecord) throws(StoreError) -> StoreClock {
        let words = String(decoding: record.body, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 5, let uptime = Int64(words[0]),
            let instant = Int64(words[1]), let lastEvent = Int64(words[2]),
            let shift = Int64(words[3])
        else { throw StoreError(.corrupt, "it is no look at a clock") }
        return StoreClock(
            boot: String(words[4]), uptime: uptime, instant: Instant(nanoseconds: instant), lastEvent: lastEvent,
            shift: shift)
    }
}
