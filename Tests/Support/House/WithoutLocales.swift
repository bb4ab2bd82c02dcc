// Stand-ins for locales and calendars, for tests of something else.

package import Board
package import Labels
package import RecurrenceRules

/// Gives every format the same plan.
package struct NoFormats: ReaderPlanner {
    package init() {}

    package func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        .grouped(decimals: decimals ?? 2)
    }

    package func words(in locale: String) throws(CommandError) -> TimeWords { .english }

    package func setLocales(_ locales: [String]) {}

    package func knows(_ formats: [NumberFormat]) -> Bool { true }

    package func compile(_ formats: [NumberFormat]) {}

    package func prepare(_ formats: [NumberFormat], finish: @escaping @Sendable () -> Void) -> Bool {
        finish()
        return true
    }
}

/// Knows no recurrence.
package struct NoCalendar: CalendarRules {
    package init() {}

    package func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence {
        throw RecurrenceError(field: "every", reason: "none here")
    }
}
