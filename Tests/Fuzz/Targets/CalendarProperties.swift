// Cron expressions and durations of the calendar: what comes next comes after, whoever asks from wherever between.

import Base
import RecurrenceRules
import Tween

extension FuzzTarget {
    /// The field `every`.
    static let calendars = FuzzTarget("calendars") { bytes throws(Violation) in
        var input = FuzzInput(bytes)
        let zone = input.choice(CalendarProperties.zones)
        let instant = Instant(nanoseconds: input.integer())
        try CalendarProperties.check(input.text, zone: zone, instant)
    }
}

enum CalendarProperties {
    static let rules = ZonedCalendar()

    static let zones: [String?] = [
        nil, "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia",
        "Africa/Casablanca",
    ]

    static func check(_ text: String, zone: String?, _ instant: Instant) throws(Violation) {
        let recurrence: Recurrence
        do throws(RecurrenceError) {
            recurrence = try rules.repetition(text, zone: zone)
        } catch {
            try require(error.field == "every" || error.field == "timeZone", "an error of \(error.field)")
            return try require(!error.reason.isEmpty, "an error without words")
        }
        switch recurrence {
        case .interval(let seconds): try require(seconds >= 0, "an interval of \(seconds) s")
        case .calendar(let rule): try check(rule, from: instant)
        }
    }

    private static func check(_ rule: CalendarRecurrence, from instant: Instant) throws(Violation) {
        // Durations count from where they began: that is the instant itself, or a day before it.
        for anchor in [instant, instant.advanced(bySeconds: -86_400)] {
            var last = instant
            for _ in 0..<4 {
                guard let next = rule.next(after: last, from: anchor) else { break }
                try require(next > last, "\(rule.text): \(next) does not come after \(last)")
                for between in [last.advanced(byNanoseconds: 1), middle(last, next), next.advanced(byNanoseconds: -1)]
                where between >= last && between < next {
                    let again = rule.next(after: between, from: anchor)
                    try require(again == next, "\(rule.text): from \(between) comes \(again as Any), not \(next)")
                }
                last = next
            }
        }
    }

    private static func middle(_ one: Instant, _ other: Instant) -> Instant {
        Instant(nanoseconds: one.nanoseconds / 2 + other.nanoseconds / 2)
    }
}
