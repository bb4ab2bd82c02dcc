// The time zones' rules that are at hand: those of the machine's files now, and those that were read before, for as long as a
// board may still go by them.

import Synchronization

/// Calendars by the present rules of the time zones, and by earlier ones. Usable from every thread.
package final class ZoneCache: CalendarRules {
    /// The most editions that are kept.
    private static let maximumKept = 4

    private let read: @Sendable () -> ZonedCalendar
    /// The newest comes last.
    private let kept: Mutex<[ZonedCalendar]>

    /// - Parameter read: Reads the machine's rules.
    package init(read: @escaping @Sendable () -> ZonedCalendar) {
        self.read = read
        kept = Mutex([read()])
    }

    package var now: any CalendarRules { newest }
    package var edition: String { newest.edition }
    package var zoneVersion: String { newest.zoneVersion }

    private var newest: ZonedCalendar { kept.withLock { $0.last } ?? ZonedCalendar() }

    package func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence {
        try newest.recurrence(text, zone: zone)
    }

    /// Those of a version; the machine's are read again where it isn't known.
    package func rules(version: String) -> (any CalendarRules)? {
        if let known = kept.withLock({ $0.last { $0.zoneVersion == version } }) { return known }
        let now = renew()
        return now.zoneVersion == version ? now : nil
    }

    /// Reads the machine's rules again.
    /// - Returns: Those from now on; the same as before where nothing is another.
    @discardableResult
    package func renew() -> any CalendarRules {
        let new = read()
        return kept.withLock { kept in
            if let last = kept.last, last.edition == new.edition { return last }
            kept.append(new)
            kept.removeFirst(max(0, kept.count - Self.maximumKept))
            return new
        }
    }
}
