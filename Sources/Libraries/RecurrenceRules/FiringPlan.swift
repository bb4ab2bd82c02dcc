// What should fire and when, as requested. It doesn't change while firings occur.

package import Tween

/// A first date, a repetition and their limits.
package struct FiringPlan: Hashable, Sendable {
    /// When it fires first.
    package enum First: Hashable, Sendable {
        /// At a date; a past date fires at once.
        case at(Instant)
        /// After seconds.
        case after(Double)
    }

    /// What happens to firings missed during a pause, or while the program was down.
    package enum MissedPolicy: String, Hashable, Sendable, CaseIterable {
        /// Fires once as soon as possible.
        case fire
        /// Skips them.
        case skip
    }

    /// Nil if the repetition decides.
    package var first: First?
    package var recurrence: Recurrence?
    /// The most firings. Nil: a single one without a recurrence, no limit with it.
    package var count: Int?
    /// Nothing is due after this. What was due before and was missed may still fire, by `missed`.
    package var until: Instant?
    package var missed = MissedPolicy.fire

    /// Whether a first date fixes the instants of an interval. They are dates then, which no pause moves.
    var hasPhase: Bool { if case .at = first { true } else { false } }

    /// Returns the same plan with other time zone rules.
    package func compiled(by rules: any CalendarRules) -> FiringPlan {
        guard case .calendar(let rule) = recurrence else { return self }
        var plan = self
        plan.recurrence = .calendar(rule.compiled(by: rules))
        return plan
    }

    /// Returns the seconds east of UTC in its rule's zone; nil without one.
    package func offset(at instant: Instant) -> Int? {
        guard case .calendar(let rule) = recurrence else { return nil }
        return rule.offset(at: instant)
    }

    package init(first: First? = nil, recurrence: Recurrence? = nil) {
        self.first = first
        self.recurrence = recurrence
    }
}
