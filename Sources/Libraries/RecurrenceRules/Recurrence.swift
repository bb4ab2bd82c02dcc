// How something repeats.

package import Tween

/// How a schedule repeats.
package enum Recurrence: Hashable, Sendable {
    /// Every so many seconds of elapsed time.
    case interval(Double)
    /// By a calendar rule, such as a cron expression.
    case calendar(CalendarRecurrence)

    /// The allowed seconds of an interval: at most 365 days.
    package static let intervals = 0.01...31_536_000.0

    /// Whether it fires in every hour, or at least once an hour.
    var saysHowOften: Bool {
        switch self {
        case .interval(let seconds): seconds <= 3_600
        case .calendar(let rule): rule.saysHowOften
        }
    }
}

/// A rule that selects instants by the calendar. It is compiled elsewhere, since that needs time zones.
package struct CalendarRecurrence: Hashable, Sendable {
    /// The rule's meaning and zone, which identify it.
    package let text: String
    /// Whether it says how often, by firing in every hour, and not when. It then follows the clocks at the moment, whatever
    /// they showed before.
    package let saysHowOften: Bool
    /// Whether it counts from the anchor, as durations do, and not by the clocks.
    private let isAnchored: Bool
    /// Nil if it depends on no time zone rules.
    private let zone: Zone?
    private let successor: @Sendable (_ instant: Instant, _ anchor: Instant) -> Instant?

    /// A rule's time zone, and the source it was compiled from.
    package struct Zone: Sendable {
        fileprivate let name: String
        fileprivate let rule: String
        fileprivate let edition: String
        fileprivate let offset: @Sendable (Instant) -> Int

        /// - Parameters:
        ///   - name: its name in the IANA database.
        ///   - rule: the cron expression or the duration.
        ///   - edition: the edition of the zone rules it was compiled with.
        ///   - offset: seconds east of UTC at an instant.
        package init(
            name: String, rule: String, edition: String, offset: @escaping @Sendable (Instant) -> Int
        ) {
            (self.name, self.rule, self.edition, self.offset) = (name, rule, edition, offset)
        }
    }

    /// - Parameters:
    ///   - text: The rule's meaning, the same for all equivalent rules, and its zone.
    ///   - saysHowOften: Whether it says how often, not when.
    ///   - isAnchored: Whether it counts from the anchor.
    ///   - zone: Its time zone; nil if its rules never change.
    ///   - successor: Returns the first instant strictly after the given one; nil if there is none. Durations count from the
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

    /// Returns the first instant strictly after another; nil if there is none.
    /// - Parameter anchor: Where the repetition began.
    package func next(after instant: Instant, from anchor: Instant) -> Instant? { successor(instant, anchor) }

    /// Returns the seconds east of UTC in its zone; nil without one.
    package func offset(at instant: Instant) -> Int? { zone.map { $0.offset(instant) } }

    /// Returns the same rule with other time zone rules, or itself if those lack its zone.
    package func compiled(by rules: any CalendarRules) -> CalendarRecurrence {
        guard let zone, zone.edition != rules.edition else { return self }
        return (try? rules.recurrence(zone.rule, zone: zone.name)) ?? self
    }

    /// Converts a date found with other rules of the zone to these: the same clock time, or the same number from the anchor.
    /// A rule that says how often continues from now.
    /// - Parameter offset: Seconds east of UTC at that date by the other rules.
    package func date(foundAs due: Instant, offset: Int, from anchor: Instant, at now: Instant) -> Instant? {
        guard let zone else { return due }
        if isAnchored {
            // Dates are at least a day apart.
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
