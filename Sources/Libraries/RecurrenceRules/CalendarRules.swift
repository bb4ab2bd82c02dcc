// The interface to calendar recurrences. It keeps time zone data out of the code that carries them out.

import Base

/// Compiles cron expressions and calendar durations.
package protocol CalendarRules: Sendable {
    /// Compiles a rule.
    /// - Parameters:
    ///   - text: A five-field cron expression, a nickname such as `@daily`, or an ISO 8601 duration with calendar parts:
    ///     years, months, weeks or days.
    ///   - zone: An IANA time zone; nil is UTC.
    /// - Throws: What is wrong, naming `every` or `timeZone`.
    func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence
    /// Returns the second since 1970-01-01T00:00:00Z at which the clocks of a place show a time: of two, the first; a time
    /// that they skip, later by the gap.
    /// - Parameters:
    ///   - wall: Seconds since 1970-01-01T00:00:00 on those clocks.
    ///   - zone: An IANA time zone.
    /// - Throws: What is wrong, naming `timeZone`.
    func second(atWall wall: Int, zone: String) throws(RecurrenceError) -> Int
    /// Identifies the time zone rules in use.
    var edition: String { get }
    /// The version of the IANA database, such as `2026a`.
    var zoneVersion: String { get }
    /// The current rules as an immutable value, if these can be replaced; otherwise these.
    var now: any CalendarRules { get }
    /// Returns the rules of a version; nil if they aren't available.
    func rules(version: String) -> (any CalendarRules)?
}

extension CalendarRules {
    // Defaults for rules without time zones.
    package func second(atWall wall: Int, zone: String) throws(RecurrenceError) -> Int {
        throw RecurrenceError(field: "timeZone", reason: "unknown time zone \(zone)")
    }
    package var edition: String { "" }
    package var zoneVersion: String { "" }
    package var now: any CalendarRules { self }
    package func rules(version: String) -> (any CalendarRules)? { version == zoneVersion ? self : nil }

    /// Parses a text for `every`: an ISO 8601 duration of fixed length is elapsed time, everything else a calendar rule.
    /// Without a zone, a day is 24 hours of elapsed time.
    ///
    /// - Throws: What is wrong, naming `every` or `timeZone`. The caller checks whether an interval is long enough.
    package func repetition(_ text: String, zone: String?) throws(RecurrenceError) -> Recurrence {
        if zone == nil, let seconds = ISODuration(parsing: text)?.seconds { return .interval(seconds) }
        return .calendar(try recurrence(text, zone: zone))
    }
}

/// Why a plan is rejected: the field at fault, and what to do.
package struct RecurrenceError: Error, Hashable, Sendable {
    /// `at`, `every`, `timeZone` or `until`.
    package let field: String
    package let reason: String

    package init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }
}
