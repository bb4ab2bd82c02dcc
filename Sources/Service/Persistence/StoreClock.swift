// The clock by which a store was written. The wall clock may be set while the service is down. The next start then shifts
// whatever depends on elapsed time, as the running service would.

package import Base
package import Storage
package import Tween

/// A reading of the wall clock and of the time since the machine started, which can't be set.
package struct StoreClock: Hashable, Sendable {
    /// Nanoseconds by which the wall clock may differ before it counts as set.
    package static let tolerance: Int64 = 50_000_000

    /// The id of the machine's boot; empty if unknown.
    package var boot: String
    /// Nanoseconds since the machine booted.
    package var uptime: Int64
    package var instant: Instant
    /// The number of the newest event at that time. Later events show how long the service kept running.
    package var lastEvent: Int64
    /// Nanoseconds by which the wall clock was set in total since the store was made. Stored times of events and expiries of
    /// answers exclude it, so that they need not be rewritten when the clock is set.
    package var shift: Int64
    /// The run's name in the ids of its events, which clients may have although none of them is stored yet; empty if unknown.
    package var epoch: String
    /// Earlier runs of which no event is stored, oldest first, each with the number of the last event before it.
    package var silentRuns: [EventID] = []

    package init(
        boot: String, uptime: Int64, instant: Instant, lastEvent: Int64 = 0, shift: Int64 = 0, epoch: String = ""
    ) {
        (self.boot, self.uptime, self.instant) = (boot, uptime, instant)
        (self.lastEvent, self.shift, self.epoch) = (lastEvent, shift, epoch)
    }

    /// Returns the nanoseconds by which the wall clock was set since the store was written; 0 if it was not. They follow
    /// from the machine's uptime, or from stored times that lie in the future.
    /// - Parameters:
    ///   - known: The last stored reading, if any.
    ///   - events: The stored events, in order of their numbers.
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
    /// The id of the clock's record among the settings.
    static let settingID = "clock"

    /// The reading as `uptime instant event shift boot epoch`; the silent runs follow the epoch, each after a comma. The oldest
    /// builds wrote no epoch.
    package var record: StoredRecord {
        let body =
            "\(uptime) \(instant.nanoseconds) \(lastEvent) \(shift) \(boot) "
            + ([epoch] + silentRuns.map(\.description)).joined(separator: ",")
        return StoredRecord(kind: .setting, id: Self.settingID, body: Array(body.utf8))
    }

    /// - Throws: `corrupt` unless `record` could have made it.
    static func read(_ record: StoredRecord) throws(StoreError) -> StoreClock {
        let words = String(decoding: record.body, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard (5...6).contains(words.count), let uptime = Int64(words[0]),
            let instant = Int64(words[1]), let lastEvent = Int64(words[2]),
            let shift = Int64(words[3])
        else { throw StoreError(.corrupt, "it is not a clock record") }
        let runs =
            words.count > 5 ? words[5].split(separator: ",", omittingEmptySubsequences: false).map(String.init) : []
        var clock = StoreClock(
            boot: String(words[4]), uptime: uptime, instant: Instant(nanoseconds: instant), lastEvent: lastEvent,
            shift: shift, epoch: runs.first ?? "")
        clock.silentRuns = runs.dropFirst().compactMap(EventID.init)
        return clock
    }
}
