// The dates of a schedule: instants, or times on the clocks of its time zone.

import Base
import RecurrenceRules
import Tween

/// Decodes dates, those without an offset in a time zone.
struct ZonedDates {
    private let zone: String?
    private let rules: any CalendarRules
    /// Whether a date needed the zone.
    private(set) var usesZone = false

    /// - Parameter zone: An IANA time zone; nil if the schedule has none.
    init(zone: String?, rules: any CalendarRules) {
        self.zone = zone
        self.rules = rules
    }

    mutating func date(_ name: String, _ fields: inout FieldReader) throws(Problem) -> Instant? {
        guard let text = try fields.string(name, longest: 64) else { return nil }
        if let instant = Timestamp.instant(text) { return instant }
        guard let wall = Timestamp.wallTime(text) else {
            throw .field(
                fields.pointer(to: name),
                "must be an RFC 3339 date and time that exists, from 1678 to 2261, such as 2026-11-20T09:00:00Z")
        }
        guard let zone else {
            throw .field(
                fields.pointer(to: name),
                "has no offset; add one, such as Z or +01:00, or the `timeZone` whose clocks show it, such as"
                    + " Europe/Berlin")
        }
        usesZone = true
        // No overflow: the years are those of `Timestamp.instant`, and no zone is more than a day from UTC.
        let second: Int
        do throws(RecurrenceError) {
            second = try rules.second(atWall: wall.seconds, zone: zone)
        } catch {
            throw .field(fields.pointer(to: error.field), error.reason)
        }
        return Instant(nanoseconds: Int64(second) * 1_000_000_000 + Int64(wall.nanoseconds))
    }
}
