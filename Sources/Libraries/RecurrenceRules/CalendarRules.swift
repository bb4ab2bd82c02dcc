// Where calendar recurrences come from; time zones stay outside of what carries them out.

import Base

/// Compiles cron expressions and calendar durations.
package protocol CalendarRules: Sendable {
    /// - Parameters:
    ///   - text: A five-field cron expression, a nickname such as `@daily`, or an ISO 8601 duration with parts
    ///     of the calendar: years, months, weeks or days.
    ///   - zone: An IANA time zone; nil is UTC.
    /// - Throws: What is wrong, naming `every` or `timeZone`.
    func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence
    /// Tells apart the rules of the time zones that it goes by from others.
    var edition: String { get }
    /// Their version in the IANA database, such as `2026a`.
    var zoneVersion: String { get }
    /// These rules, or those of them that hold now where they may be replaced: they stay the same.
    var now: any CalendarRules { get }
    /// Those of a version; nil where they aren't at hand.
    func rules(version: String) -> (any CalendarRules)?
}

extension CalendarRules {
    // Those of rules that know no time zones.
    package var edition: String { "" }
    package var zoneVersion: String { "" }
    package var now: any CalendarRules { self }
    package func rules(version: String) -> (any CalendarRules)? { version == zoneVersion ? self : nil }

    /// What a text for `every` says: elapsed time for an ISO 8601 duration that is the same everywhere, else a rule of the
    /// calendar. Days are of 24 hours of elapsed time, unless a zone says whose days are meant.
    ///
    /// - Throws: What is wrong, naming `every` or `timeZone`. Whether an interval is long enough is the caller's matter.
    package func repetition(_ text: String, zone: String?) throws(RecurrenceError) -> Recurrence {
        if zone == nil, let seconds = ISODuration(parsing: text)?.seconds { return .interval(seconds) }
        return .calendar(try recurrence(text, zone: zone))
    }
}

/// Why a plan can't be taken: the field at fault, and what to do.
package struct RecurrenceError: Error, Hashable, Sendable {
    /// `at`, `every`, `timeZone` or `until`.
    package let field: String
    package let reason: String

    package init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }
}
