// The calendar rules of a service that has none: repetitions run on elapsed time, and anything else is refused by name.

import Board

/// Refuses what only a calendar could say.
struct UnsupportedCalendar: CalendarRules {
    func recurrence(_ text: String, zone: String?) throws(CommandError) -> CalendarRecurrence {
        throw .invalid(
            field: "every",
            reason: "must be seconds or an ISO 8601 duration of a fixed length such as PT15M")
    }
}
