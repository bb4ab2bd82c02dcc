// Rules for schedules: at a date, after some seconds, at intervals, by the calendar.

import RecurrenceRules
import Tween

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// When a schedule fires.
///
///     ScheduleRule.at(date)
///     ScheduleRule.every("0 9 * * MON-FRI", timeZone: "Europe/Berlin").skippingMissed()
///     ScheduleRule.every(3_600).starting(at: date).times(24)
///
/// A rule is a value that can be stored. It is checked when it is scheduled.
public struct ScheduleRule: Hashable, Sendable, Codable {
    // The names of cases, labels and properties are part of the stored format: don't change them.

    private enum First: Hashable, Sendable, Codable {
        case at(date: Instant)
        case after(seconds: Double)
    }

    private enum Repetition: Hashable, Sendable, Codable {
        case interval(seconds: Double)
        case calendar(text: String, timeZone: String?)
    }

    private var first: First?
    private var repetition: Repetition?
    private var count: Int?
    private var end: Instant?
    private var skipsMissed = false

    private init(_ first: First?, _ repetition: Repetition?) {
        self.first = first
        self.repetition = repetition
    }

    // MARK: - Once

    /// Once at a date; at once if it has passed.
    public static func at(_ date: Date) -> ScheduleRule { ScheduleRule(.at(date: Instant(date)), nil) }

    /// Once after some seconds, 0 to ten years. A pause stops the countdown.
    public static func after(_ seconds: Double) -> ScheduleRule { ScheduleRule(.after(seconds: seconds), nil) }

    /// Once after a duration, 0 to ten years. A pause stops the countdown.
    public static func after(_ duration: Duration) -> ScheduleRule { after(duration / .seconds(1)) }

    // MARK: - Repeatedly

    /// Every so many seconds of elapsed time, 0.01 to 365 days, first after one interval. A pause stops the countdown.
    public static func every(_ seconds: Double) -> ScheduleRule { ScheduleRule(nil, .interval(seconds: seconds)) }

    /// At intervals of a duration, 0.01 seconds to 365 days of elapsed time, first after one interval. A pause stops the
    /// countdown.
    public static func every(_ duration: Duration) -> ScheduleRule { every(duration / .seconds(1)) }

    /// By a cron expression or an ISO 8601 duration.
    ///
    /// - Parameters:
    ///   - text: a cron expression of five fields (minute, hour, day of the month, month, day of the week, with names,
    ///     ranges, steps, lists, `L` and `5L`), `@hourly` to `@yearly`, or an ISO 8601 duration such as `PT15M` and `P1M`.
    ///     Months count from the first date: the 31st returns after a month without one.
    ///   - timeZone: the IANA name of a time zone; nil is UTC. A time skipped by the clocks fires later by the gap; a time
    ///     shown twice fires the first time; an expression that fires in every hour keeps its pace.
    public static func every(_ text: String, timeZone: String? = nil) -> ScheduleRule {
        ScheduleRule(nil, .calendar(text: text, timeZone: timeZone))
    }

    /// Returns this rule with a first date from which repetitions are counted. The ends of an interval are then dates, which
    /// neither a pause nor a late firing moves.
    public func starting(at date: Date) -> ScheduleRule { with { $0.first = .at(date: Instant(date)) } }

    /// Returns this rule with a number of seconds before the first firing, 0 to ten years.
    public func starting(after seconds: Double) -> ScheduleRule { with { $0.first = .after(seconds: seconds) } }

    /// Returns this rule with a duration before the first firing, 0 to ten years.
    public func starting(after duration: Duration) -> ScheduleRule { starting(after: duration / .seconds(1)) }

    /// Returns this rule limited to a number of firings, 1 to 1,000,000,000. Without a repetition it fires once in any case.
    public func times(_ count: Int) -> ScheduleRule { with { $0.count = count } }

    /// Returns this rule with a date after which it is never due. What was due before and was missed may fire later.
    public func until(_ date: Date) -> ScheduleRule { with { $0.end = Instant(date) } }

    /// Returns this rule without firings missed while it was paused or nothing ran. By default, missed firings happen once,
    /// as soon as possible, however many there were.
    public func skippingMissed() -> ScheduleRule { with { $0.skipsMissed = true } }

    private func with(_ change: (inout ScheduleRule) -> Void) -> ScheduleRule {
        var copy = self
        change(&copy)
        return copy
    }
}

// MARK: - The plan

extension ScheduleRule {
    /// The most seconds before a first firing: ten years.
    private static let longestWait = 315_360_000.0
    private static let counts = 1...1_000_000_000

    /// - Throws: What is wrong with it.
    func plan(by calendar: ZonedCalendar) throws(ScheduleError) -> FiringPlan {
        var plan = FiringPlan()
        switch first {
        case .at(let date): plan.first = .at(date)
        case .after(let seconds):
            guard (0...Self.longestWait).contains(seconds) else {
                throw .invalid("what comes after seconds must come after 0 to \(Int(Self.longestWait)) of them")
            }
            plan.first = .after(seconds)
        case nil: break
        }
        plan.recurrence = try recurrence(by: calendar)
        if let count {
            guard Self.counts.contains(count) else {
                throw .invalid("must happen 1 to \(Self.counts.upperBound) times")
            }
            guard count == 1 || plan.recurrence != nil else { throw .invalid("happening more than once needs `every`") }
        }
        plan.count = count
        plan.until = end
        plan.missed = skipsMissed ? .skip : .fire
        return plan
    }

    private func recurrence(by calendar: ZonedCalendar) throws(ScheduleError) -> Recurrence? {
        let recurrence: Recurrence
        switch repetition {
        case nil: return nil
        case .interval(let seconds): recurrence = .interval(seconds)
        case .calendar(let text, let zone):
            do throws(RecurrenceError) {
                recurrence = try calendar.repetition(text, zone: zone)
            } catch {
                throw ScheduleError(error)
            }
        }
        if case .interval(let seconds) = recurrence, !Recurrence.intervals.contains(seconds) {
            throw .invalid("an interval must be between 0.01 seconds and 365 days")
        }
        return recurrence
    }
}

/// Why something can't be scheduled.
public enum ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule is invalid; the text says what to do.
    case invalid(String)
    /// The book already has this many schedules.
    case full(limit: Int)

    init(_ error: RecurrenceError) { self = .invalid("\(error.field): \(error.reason)") }

    /// What is wrong, in a sentence.
    public var description: String {
        switch self {
        case .invalid(let reason): reason
        case .full(let limit): "there are \(limit) schedules already; cancel some first"
        }
    }
}
