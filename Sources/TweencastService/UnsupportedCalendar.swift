import Board

struct UnsupportedCalendar: CalendarRules {
    func recurrence(_ text: String, zone: String?) throws(CommandError) -> CalendarRecurrence {
        throw .invalid(field: "every", reason: "must be seconds or an ISO 8601 duration such as PT15M")
    }
}
