// Calendars of one place, whose clocks are as many hours off as a test wants.

package import RecurrenceRules
import Tween

/// Knows one rule: nine o'clock of every day, on clocks that never change.
package struct HandZones: CalendarRules {
    package let zoneVersion: String
    private let offset: Int

    /// - Parameter hours: East of UTC.
    package init(_ version: String, hours: Int) {
        zoneVersion = version
        offset = hours * 3_600
    }

    package var edition: String { zoneVersion }

    package func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence {
        let offset = offset
        let zone = CalendarRecurrence.Zone(name: zone ?? "Here", rule: text, edition: edition) { _ in offset }
        return CalendarRecurrence(text: text, zone: zone) { instant, _ in
            let (day, nine) = (86_400_000_000_000 as Int64, Int64(9 * 3_600 - offset) * 1_000_000_000)
            // Instants of tests are after 1970.
            let passed = max(0, instant.nanoseconds - nine + day) / day
            return Instant(nanoseconds: passed * day + nine)
        }
    }
}
