// The calendar: compiles cron expressions and calendar durations, and keeps what it compiled.

package import Recurrences
import Synchronization
import Tween

/// Calendar rules in any IANA time zone. Usable from every thread.
package final class ZonedCalendar: CalendarRules {
    /// The most expressions kept; with more distinct ones, some are compiled them again.
    private static let maximumKept = 10_000

    private struct Kept {
        var zones: [String: ZoneOffsets] = [:]
        var expressions: [String: CronExpression] = [:]
    }

    private let kept = Mutex(Kept())

    package init() {}

    package func recurrence(_ text: String, zone name: String?) throws(RecurrenceError) -> CalendarRecurrence {
        let zone = try zone(name)
        let place = name ?? "UTC"
        do throws(RuleError) {
            guard text.hasPrefix("P") else {
                let cron = ZonedCron(expression: try expression(text), zone: zone)
                let label = "\(cron.expression.meaning) \(place)"
                return CalendarRecurrence(text: label, saysHowOften: cron.expression.runsOnElapsedTime) { instant, _ in
                    cron.next(after: instant)
                }
            }
            let duration = try CalendarDuration(parsing: text)
            guard duration.hasCalendarParts else {
                throw RuleError("\(text.prefix(40)) is the same in every time zone; leave out `timeZone`")
            }
            return CalendarRecurrence(text: "\(duration.meaning) \(place)") { instant, anchor in
                duration.next(after: instant, from: anchor, in: zone)
            }
        } catch {
            throw RecurrenceError(field: "every", reason: error.reason)
        }
    }

    private func zone(_ name: String?) throws(RecurrenceError) -> ZoneOffsets {
        guard let name else { return .utc }
        if let known = kept.withLock({ $0.zones[name] }) { return known }
        guard let zone = ZoneOffsets(named: name) else {
            throw RecurrenceError(
                field: "timeZone", reason: "unknown time zone \(name); use an IANA name such as Europe/Berlin or UTC")
        }
        kept.withLock { $0.zones[name] = zone }
        return zone
    }

    private func expression(_ text: String) throws(RuleError) -> CronExpression {
        if let known = kept.withLock({ $0.expressions[text] }) { return known }
        let expression = try CronExpression(parsing: text)
        kept.withLock { kept in
            if kept.expressions.count >= Self.maximumKept { kept.expressions.removeAll(keepingCapacity: true) }
            kept.expressions[text] = expression
        }
        return expression
    }
}
