// Compiles cron expressions and calendar durations, and caches the results.

import Synchronization
import Tween

/// Calendar rules in any IANA time zone, from zone files or Foundation's own data. Any thread may use it.
package final class ZonedCalendar: CalendarRules {
    /// The most cached expressions. With more distinct ones, some are compiled again.
    private static let maximumKept = 10_000

    private struct Kept {
        var zones: [String: ZoneOffsets] = [:]
        var expressions: [String: CronExpression] = [:]
    }

    private let kept = Mutex(Kept())
    private let files: ZoneFiles?
    private let report: @Sendable (_ zone: String, ZoneFileError) -> Void

    /// - Parameters:
    ///   - files: the zone files; without them, or for zones missing there, Foundation's data is used.
    ///   - report: called once for each unusable file; Foundation's rules are used then.
    package init(
        _ files: ZoneFiles? = nil, report: @escaping @Sendable (_ zone: String, ZoneFileError) -> Void = { _, _ in }
    ) {
        self.files = files
        self.report = report
    }

    package var edition: String { files?.edition ?? Self.ownVersion }
    package var zoneVersion: String { files?.version ?? Self.ownVersion }
    package var now: any CalendarRules { self }

    package func rules(version: String) -> (any CalendarRules)? { version == zoneVersion ? self : nil }

    package func recurrence(_ text: String, zone name: String?) throws(RecurrenceError) -> CalendarRecurrence {
        let offsets = try offsets(name)
        let place = name ?? "UTC"
        let zone = name.map { name in
            CalendarRecurrence.Zone(name: name, rule: text, edition: edition) { offsets.offset(at: $0) }
        }
        do throws(RuleError) {
            guard text.hasPrefix("P") else {
                let cron = ZonedCron(expression: try expression(text), zone: offsets)
                return CalendarRecurrence(
                    text: "\(cron.expression.meaning) \(place)", saysHowOften: cron.expression.saysHowOften,
                    zone: zone
                ) { instant, _ in
                    cron.next(after: instant)
                }
            }
            let duration = try CalendarDuration(parsing: text)
            guard duration.hasCalendarParts else {
                throw RuleError("\(text.prefix(40)) is the same in every time zone; leave out `timeZone`")
            }
            return CalendarRecurrence(text: "\(duration.meaning) \(place)", isAnchored: true, zone: zone) {
                instant, anchor in
                duration.next(after: instant, from: anchor, in: offsets)
            }
        } catch {
            throw RecurrenceError(field: "every", reason: error.reason)
        }
    }

    package func second(atWall wall: Int, zone: String) throws(RecurrenceError) -> Int {
        try offsets(zone).second(atWall: wall)
    }

    private func offsets(_ name: String?) throws(RecurrenceError) -> ZoneOffsets {
        guard let name else { return .utc }
        if let known = kept.withLock({ $0.zones[name] }) { return known }
        guard let zone = fileOffsets(name) ?? ZoneOffsets(named: name) else {
            throw RecurrenceError(
                field: "timeZone", reason: "unknown time zone \(name); use an IANA name such as Europe/Berlin or UTC")
        }
        kept.withLock { $0.zones[name] = zone }
        return zone
    }

    private func fileOffsets(_ name: String) -> ZoneOffsets? {
        guard let bytes = files?[name] else { return nil }
        do throws(ZoneFileError) {
            return try ZoneOffsets(zoneFile: bytes)
        } catch {
            report(name, error)
            return nil
        }
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
