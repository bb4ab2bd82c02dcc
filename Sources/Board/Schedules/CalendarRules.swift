// Where a board's calendar recurrences come from; time zones stay outside of it.

/// Compiles cron expressions and calendar durations.
package protocol CalendarRules: Sendable {
    /// - Parameters:
    ///   - text: A five-field cron expression, a nickname such as `@daily`, or an ISO 8601 duration with parts
    ///     of the calendar: years, months, weeks or days.
    ///   - zone: An IANA time zone; nil is UTC.
    /// - Throws: `CommandError.invalid` naming `every` or `timeZone`.
    func recurrence(_ text: String, zone: String?) throws(CommandError) -> CalendarRecurrence
}
