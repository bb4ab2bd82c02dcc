// How something repeats.

package import Tween

/// How a schedule repeats.
package enum Recurrence: Hashable, Sendable {
    /// Every so many seconds of elapsed time.
    case interval(Double)
    /// By a calendar rule, such as a cron expression.
    case calendar(CalendarRecurrence)

    /// Seconds of an interval: at most 365 days.
    package static let intervals = 0.01...31_536_000.0

    /// It fires in every hour, or each hour.
    var saysHowOften: Bool {
        switch self {
        case .interval(let seconds): seconds <= 3_600
        case .calendar(let rule): rule.saysHowOften
        }
    }
}

/// A rule that names instants by the calendar. The rule itself is compiled elsewhere: it needs time zones.
package struct CalendarRecurrence: Hashable, Sendable {
    /// What tells two rules apart: what the rule means, and its zone.
    package let text: String
    /// It says how often, firing in every hour, not when: then it goes by what the clocks show at the moment, whatever they
    /// showed before.
    package let saysHowOften: Bool
    private let successor: @Sendable (_ instant: Instant, _ anchor: Instant) -> Instant?

    /// - Parameters:
    ///   - text: What the rule means, the same for all that mean the same, and its zone.
    ///   - saysHowOften: Whether it says how often, not when.
    ///   - successor: The first instant strictly after the given one; nil when there is none. Durations count from the
    ///     anchor.
    package init(
        text: String, saysHowOften: Bool = false,
        successor: @escaping @Sendable (_ instant: Instant, _ anchor: Instant) -> Instant?
    ) {
        self.text = text
        self.saysHowOften = saysHowOften
        self.successor = successor
    }

    /// - Parameter anchor: Where the repetition began.
    package func next(after instant: Instant, from anchor: Instant) -> Instant? { successor(instant, anchor) }

    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
