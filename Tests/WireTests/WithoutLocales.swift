// What stands in for locales and calendars where a test is of what is written and read.

import Board
import Labels

/// Plans every number alike.
struct NoFormats: Planner {
    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        .grouped(decimals: decimals ?? 2)
    }
}

/// Knows no recurrence.
struct NoCalendar: CalendarRules {
    func recurrence(_ text: String, zone: String?) throws(CommandError) -> CalendarRecurrence {
        throw .invalid(field: "every", reason: "none here")
    }
}
