// The available time zone rules: those of the machine's current files, and earlier ones that a board may still use.

import Synchronization

/// Calendars with the current time zone rules and with earlier ones. Any thread may use it.
package final class ZoneCache: CalendarRules {
    /// The most editions kept.
    private static let maximumKept = 4

    private let read: @Sendable () -> ZonedCalendar
    /// The newest is last.
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

    package func second(atWall wall: Int, zone: String) throws(RecurrenceError) -> Int {
        try newest.second(atWall: wall, zone: zone)
    }

    /// Returns the rules of a version. Reads the machine's files again if it isn't known.
    package func rules(version: String) -> (any CalendarRules)? {
        if let known = kept.withLock({ $0.last { $0.zoneVersion == version } }) { return known }
        let now = renew()
        return now.zoneVersion == version ? now : nil
    }

    /// Reads the machine's rules again.
    /// - Returns: The rules from now on; the previous ones if nothing has changed.
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
