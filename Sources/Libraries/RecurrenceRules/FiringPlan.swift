// When something is to fire: what was asked for, which stays as it is while the firings come.

package import Tween

/// A first date, a repetition and their bounds.
package struct FiringPlan: Hashable, Sendable {
    /// When it fires first.
    package enum First: Hashable, Sendable {
        /// At a date; one in the past fires at once.
        case at(Instant)
        /// After seconds.
        case after(Double)
    }

    /// What falls due while nobody carries it out, or while it is paused.
    package enum MissedPolicy: String, Hashable, Sendable, CaseIterable {
        /// Fires once when it can.
        case fire
        /// Is left out.
        case skip
    }

    /// nil where the repetition says when.
    package var first: First?
    package var recurrence: Recurrence?
    /// The most firings; nil is one without a recurrence, unbounded with one.
    package var count: Int?
    /// No firing after this.
    package var until: Instant?
    package var missed = MissedPolicy.fire

    /// Whether a first date says at which instants an interval ends: then each of them is a date, which no pause moves.
    var hasPhase: Bool { if case .at = first { true } else { false } }

    /// The same plan by other rules of the time zones.
    package func compiled(by rules: any CalendarRules) -> FiringPlan {
        guard case .calendar(let rule) = recurrence else { return self }
        var plan = self
        plan.recurrence = .calendar(rule.compiled(by: rules))
        return plan
    }

    /// Seconds east of UTC on the clocks that its rule goes by; nil where none do.
    package func offset(at instant: Instant) -> Int? {
        guard case .calendar(let rule) = recurrence else { return nil }
        return rule.offset(at: instant)
    }

    package init(first: First? = nil, recurrence: Recurrence? = nil) {
        self.first = first
        self.recurrence = recurrence
    }
}
