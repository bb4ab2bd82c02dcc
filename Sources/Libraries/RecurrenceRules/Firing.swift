// How far a plan has come: when it fires next, and how often it has. Pure: every function takes the instant.

import Base
package import Tween

/// The state of a plan that is carried out. The plan is given to what needs it, so that it is kept once.
package struct Firing: Hashable, Sendable {
    /// When it fires next; meaningless while `remaining` is set.
    package private(set) var due: Instant
    /// The date from which repetitions are counted that have one, so that the 31st comes back after a shorter month and what
    /// was late, paused or missed is followed by what would have come.
    package private(set) var anchor: Instant
    /// Whether `due` is a date that a pause doesn't move.
    package private(set) var isDated: Bool
    /// Seconds it still has to run, while an interval is held.
    package private(set) var remaining: Double?
    /// How often it has fired.
    package private(set) var fired: Int
    /// Seconds east of UTC that the clocks of the plan's zone have at `due`, by the rules that it was found by; nil where
    /// there is no zone.
    package private(set) var offset: Int?

    /// Begins a plan.
    /// - Throws: Why it would never fire.
    package init(_ plan: FiringPlan, at now: Instant) throws(RecurrenceError) {
        fired = 0
        switch (plan.first, plan.recurrence) {
        case (.at(let date), _):
            due = max(date, now)
            anchor = date
            isDated = true
        case (.after(let seconds), _):
            due = now.advanced(bySeconds: seconds)
            anchor = due
            isDated = false
        case (nil, .interval(let seconds)):
            due = now.advanced(bySeconds: seconds)
            anchor = now
            isDated = false
        case (nil, .calendar(let rule)):
            guard let next = rule.next(after: now, from: now) else {
                throw RecurrenceError(field: "every", reason: "this rule never matches a date")
            }
            due = next
            anchor = now
            isDated = true
        case (nil, nil):
            throw RecurrenceError(field: "at", reason: "a schedule needs one of `at`, `in` or `every`")
        }
        if let until = plan.until, due > until {
            throw RecurrenceError(field: "until", reason: "must not be before the first firing")
        }
        offset = plan.offset(at: due)
    }

    /// Restores what was stored.
    package init(due: Instant, anchor: Instant, isDated: Bool, remaining: Double?, fired: Int, offset: Int? = nil) {
        self.due = due
        self.anchor = anchor
        self.isDated = isDated
        self.remaining = remaining
        self.fired = fired
        self.offset = offset
    }

    // MARK: - Waiting

    /// Seconds until it fires; never negative.
    package func remaining(at now: Instant) -> Double {
        remaining ?? max(0, due.seconds(since: now))
    }

    /// Keeps it from firing before an instant.
    package mutating func postpone(to soonest: Instant) { due = max(due, soonest) }

    /// Moves along a timeline that was set anew by `nanoseconds`; a date and what is held stay.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        if !isDated, remaining == nil { due = due.advanced(byNanoseconds: nanoseconds) }
    }

    /// Stops the clock of what has an interval; a date stays.
    package mutating func hold(at now: Instant) {
        guard !isDated, remaining == nil else { return }
        remaining = max(0, due.seconds(since: now))
    }

    /// Lets it go on: an interval runs its remaining time from now.
    package mutating func release(at now: Instant) {
        guard let seconds = remaining else { return }
        due = now.advanced(bySeconds: seconds)
        remaining = nil
    }

    /// Holds it, or lets it go on.
    package mutating func settle(isHeld: Bool, at now: Instant) {
        if isHeld { hold(at: now) } else { release(at: now) }
    }

    // MARK: - Firing

    /// Whether it was due before `now` and is to leave out what it couldn't fire in time.
    package func leavesOut(by plan: FiringPlan, at now: Instant) -> Bool {
        plan.missed == .skip && remaining == nil && due < now
    }

    /// Moves past what fell due before `now` without firing.
    /// - Returns: false when nothing is left to fire.
    package mutating func skipMissed(by plan: FiringPlan, at now: Instant) -> Bool {
        guard let next = successor(by: plan, after: now) else { return false }
        due = next
        offset = plan.offset(at: next)
        return true
    }

    /// Counts a firing and moves to the next instant: one firing stands for all that were missed.
    /// - Returns: false when it has fired for the last time.
    package mutating func advance(by plan: FiringPlan, at now: Instant) -> Bool {
        fired = fired.addingSaturated(1)
        guard plan.count.map({ fired < $0 }) ?? (plan.recurrence != nil) else { return false }
        return skipMissed(by: plan, at: now)
    }

    /// The instants at which it would fire from now on, were nothing paused, as far as they are known: a held interval
    /// has none. An overdue firing comes first, at the instant at which it was due.
    /// - Parameter limit: The most instants.
    package func upcoming(_ limit: Int, by plan: FiringPlan, at now: Instant) -> [Instant] {
        var copy = self
        guard limit > 0, remaining == nil, !leavesOut(by: plan, at: now) || copy.skipMissed(by: plan, at: now) else {
            return []
        }
        var instants = [copy.due]
        while instants.count < limit, copy.advance(by: plan, at: copy.due) { instants.append(copy.due) }
        return instants
    }

    private mutating func successor(by plan: FiringPlan, after now: Instant) -> Instant? {
        guard let next = next(by: plan, beyond: now) else { return nil }
        if let until = plan.until, next > until { return nil }
        return next
    }

    private mutating func next(by plan: FiringPlan, beyond now: Instant) -> Instant? {
        switch plan.recurrence {
        case nil:
            return nil
        case .interval(let seconds):
            isDated = plan.hasPhase
            return Self.beat(seconds, from: isDated ? anchor : due, beyond: max(due, now))
        case .calendar(let rule):
            isDated = true
            return rule.next(after: max(due, now), from: anchor)
        }
    }

    /// The first of the instants that follow a start by whole intervals which comes after another instant.
    /// - Returns: nil where no instant holds it.
    private static func beat(_ seconds: Double, from start: Instant, beyond now: Instant) -> Instant? {
        // In whole nanoseconds: a quotient of seconds may be a little less than it is, and the next instant be now. Without a
        // sign, since from 1678 on it is more of them than a signed number holds.
        let nanoseconds = Int64(saturating: (seconds * 1e9).rounded())
        let step = UInt64(bitPattern: max(1, nanoseconds))
        let passed = UInt64(bitPattern: now.nanoseconds &- start.nanoseconds)
        let room = UInt64(bitPattern: Int64.max &- start.nanoseconds)
        let (offset, overflow) = (passed - passed % step).addingReportingOverflow(step)
        guard !overflow, offset <= room else { return nil }
        return Instant(nanoseconds: start.nanoseconds &+ Int64(bitPattern: offset))
    }

    // MARK: - A clock that was set back

    /// Seconds by which a clock may be set back without a rule that says when firing for the same time twice, as Vixie cron
    /// has it; beyond it all rules go by the new time.
    private static let shortStep = 3.0 * 3_600

    /// Looks again at what goes by dates after the clock was set back. A first date is no repetition's, and stays.
    /// - Returns: Whether it is due at another instant.
    package mutating func lookAnew(by plan: FiringPlan, byNanoseconds nanoseconds: Int64, at now: Instant) -> Bool {
        guard isDated, let recurrence = plan.recurrence, !waitsForFirstDate(of: plan),
            recurrence.saysHowOften || Double(nanoseconds) / -1e9 >= Self.shortStep
        else { return false }
        // What began at no date of its own began when it was asked for, by whatever clock.
        if !plan.hasPhase { anchor = anchor.advanced(byNanoseconds: nanoseconds) }
        guard let next = date(by: recurrence, beyond: now), next != due else { return false }
        if let until = plan.until, next > until { return false }
        due = next
        offset = plan.offset(at: next)
        return true
    }

    private func date(by recurrence: Recurrence, beyond now: Instant) -> Instant? {
        switch recurrence {
        // Before its first date there is none of its instants.
        case .interval(let seconds): now < anchor ? anchor : Self.beat(seconds, from: anchor, beyond: now)
        case .calendar(let rule): rule.next(after: now, from: anchor)
        }
    }

    // MARK: - Other rules of the time zones

    /// Takes over that the plan was compiled by other rules of its zone. A first date is no rule's, and stays.
    /// - Returns: Whether anything is another.
    package mutating func follow(_ plan: FiringPlan, at now: Instant) -> Bool {
        guard case .calendar(let rule) = plan.recurrence, let known = offset else { return false }
        var copy = self
        if isDated, !waitsForFirstDate(of: plan),
            let date = rule.date(foundAs: due, offset: known, from: anchor, at: now),
            plan.until.map({ date <= $0 }) ?? true
        {
            copy.due = date
        }
        copy.offset = rule.offset(at: copy.due)
        defer { self = copy }
        return copy != self
    }

    private func waitsForFirstDate(of plan: FiringPlan) -> Bool {
        guard case .at(let date) = plan.first else { return false }
        return fired == 0 && due == date
    }
}
