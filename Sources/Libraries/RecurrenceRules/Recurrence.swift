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
    /// It counts from the anchor, as durations do, and not by what clocks show.
    private let isAnchored: Bool
    /// Nil where no rules of time zones are looked at.
    private let zone: Zone?
    private let successor: @Sendable (_ instant: Instant, _ anchor: Instant) -> Instant?

    /// The time zone that a rule goes by, and what it was compiled from.
    package struct Zone: Sendable {
        fileprivate let name: String
        fileprivate let rule: String
        fileprivate let edition: String
        fileprivate let offset: @Sendable (Instant) -> Int

        /// - Parameters:
        ///   - name: its name in the IANA database.
        ///   - rule: the cron expression or the duration.
        ///   - edition: which edition of the zones' rules it was compiled by.
        ///   - offset: seconds east of UTC at an instant.
        package init(
            name: String, rule: String, edition: String, offset: @escaping @Sendable (Instant) -> Int
        ) {
            (self.name, self.rule, self.edition, self.offset) = (name, rule, edition, offset)
        }
    }

    /// - Parameters:
    ///   - text: What the rule means, the same for all that mean the same, and its zone.
    ///   - saysHowOften: Whether it says how often, not when.
    ///   - isAnchored: Whether it counts from the anchor.
    ///   - zone: The time zone that it goes by; nil for one whose rules never change.
    ///   - successor: The first instant strictly after the given one; nil when there is none. Durations count from the
    ///     anchor.
    package init(
        text: String, saysHowOften: Bool = false, isAnchored: Bool = false, zone: Zone? = nil,
        successor: @escaping @Sendable (_ instant: Instant, _ anchor: Instant) -> Instant?
    ) {
        self.text = text
        self.saysHowOften = saysHowOften
        self.isAnchored = isAnchored
        self.zone = zone
        self.successor = successor
    }

    /// - Parameter anchor: Where the repetition began.
    package func next(after instant: Instant, from anchor: Instant) -> Instant? { successor(instant, anchor) }

    /// Seconds east of UTC on the zone's clocks; nil for a rule without one.
    package func offset(at instant: Instant) -> Int? { zone.map { $0.offset(instant) } }

    /// The same rule by other rules of the time zones. It stays as it is where those have no such zone.
    package func compiled(by rules: any CalendarRules) -> CalendarRecurrence {
        guard let zone, zone.edition != rules.edition else { return self }
        return (try? rules.recurrence(zone.rule, zone: zone.name)) ?? self
    }

    /// The date that was found by other rules of the zone, by these: the same time on the clocks, the same number from the
    /// anchor; what says how often goes on from now.
    /// - Parameter offset: Seconds east of UTC that the clocks had at that date by the other rules.
    package func date(foundAs due: Instant, offset: Int, from anchor: Instant, at now: Instant) -> Instant? {
        guard let zone else { return due }
        if isAnchored {
            // Two dates are a day apart at least.
            return next(after: due.advanced(byNanoseconds: -Self.halfDay), from: anchor)
        }
        guard zone.offset(due) != offset else { return due }
        if saysHowOften { return next(after: now, from: anchor) }
        func moved(_ there: Instant) -> Instant {
            due.advanced(byNanoseconds: Int64(offset - zone.offset(there)) * 1_000_000_000)
        }
        return next(after: moved(moved(due)).advanced(byNanoseconds: -1), from: anchor)
    }

    private static let halfDay: Int64 = 43_200_000_000_000

    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
