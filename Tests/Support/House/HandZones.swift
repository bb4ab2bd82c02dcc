// Calendar rules with one fixed offset that a test chooses.

package import RecurrenceRules
import Tween

/// Knows one rule: every day at nine o'clock, at an offset that never changes.
package struct HandZones: CalendarRules {
    package let zoneVersion: String
    private let offset: Int

    /// - Parameter hours: Hours east of UTC.
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
            // Tests use instants after 1970.
            let passed = max(0, instant.nanoseconds - nine + day) / day
            return Instant(nanoseconds: passed * day + nine)
        }
    }
}
