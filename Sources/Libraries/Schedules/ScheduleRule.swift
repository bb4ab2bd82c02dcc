// When something is to happen, as one says it: at a date, after seconds, every so often, by the calendar.

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
/// A rule is a value that can be stored; it is looked at when it is scheduled.
public struct ScheduleRule: Hashable, Sendable, Codable {
    // The names of cases, labels and properties are those of stored rules: they stay.

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

    /// Once at a date; at once where that has passed.
    public static func at(_ date: Date) -> ScheduleRule { ScheduleRule(.at(date: Instant(date)), nil) }

    /// Once after so many seconds, 0 to ten years. A pause holds them.
    public static func after(_ seconds: Double) -> ScheduleRule { ScheduleRule(.after(seconds: seconds), nil) }

    /// Once after a duration, 0 to ten years. A pause holds it.
    public static func after(_ duration: Duration) -> ScheduleRule { after(duration / .seconds(1)) }

    // MARK: - Repeatedly

    /// Every so many seconds of elapsed time, 0.01 to 365 days, the first time after as many. A pause holds what is left.
    public static func every(_ seconds: Double) -> ScheduleRule { ScheduleRule(nil, .interval(seconds: seconds)) }

    /// Every so often, 0.01 seconds to 365 days of elapsed time, the first time after as long. A pause holds what is left.
    public static func every(_ duration: Duration) -> ScheduleRule { every(duration / .seconds(1)) }

    /// By a text.
    ///
    /// - Parameters:
    ///   - text: a cron expression of five fields (minute, hour, day of the month, month, day of the week, with names,
    ///     ranges, steps, lists, `L` and `5L`), `@hourly` to `@yearly`, or an ISO 8601 duration such as `PT15M` and `P1M`.
    ///     Months count from the first date: the 31st comes back after a month without one.
    ///   - timeZone: whose clocks are meant, by its IANA name; nil is UTC. A time that the clocks skip comes later by the
    ///     gap, of a time that they show twice the first is taken; an expression that fires in every hour keeps its pace.
    public static func every(_ text: String, timeZone: String? = nil) -> ScheduleRule {
        ScheduleRule(nil, .calendar(text: text, timeZone: timeZone))
    }

    /// The same with a first date, from which the repetition is counted: an interval's ends are dates then, which neither a
    /// pause nor a late firing moves.
    public func starting(at date: Date) -> ScheduleRule { with { $0.first = .at(date: Instant(date)) } }

    /// The same with so many seconds before the first time, 0 to ten years.
    public func starting(after seconds: Double) -> ScheduleRule { with { $0.first = .after(seconds: seconds) } }

    /// The same with a duration before the first time, 0 to ten years.
    public func starting(after duration: Duration) -> ScheduleRule { starting(after: duration / .seconds(1)) }

    /// The same, so many times at most, 1 to 1,000,000,000; once is all there is without a repetition.
    public func times(_ count: Int) -> ScheduleRule { with { $0.count = count } }

    /// The same, never after a date.
    public func until(_ date: Date) -> ScheduleRule { with { $0.end = Instant(date) } }

    /// The same, but what falls due while nobody is there, or while it is paused, is left out. Otherwise it happens once,
    /// as soon as it can, however often it was missed.
    public func skippingMissed() -> ScheduleRule { with { $0.skipsMissed = true } }

    private func with(_ change: (inout ScheduleRule) -> Void) -> ScheduleRule {
        var copy = self
        change(&copy)
        return copy
    }
}

// MARK: - What it comes to

extension ScheduleRule {
    /// Seconds before a first time, at most: ten years.
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
    /// A rule that can't be kept, and what to do.
    case invalid(String)
    /// There is no room: there are as many schedules already.
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
