// The progress of a plan: when it fires next, and how often it has fired. Pure: the instant is always an argument.

import Base
package import Tween

/// The state of a running plan. The plan itself is passed in, so that it is stored only once.
package struct Firing: Hashable, Sendable {
    /// When it fires next; meaningless while `remaining` is set.
    package private(set) var due: Instant
    /// The date from which dated repetitions are counted, so that the 31st returns after a shorter month, and the original
    /// rhythm continues after late, paused or missed firings.
    package private(set) var anchor: Instant
    /// Whether `due` is a date that a pause doesn't move.
    package private(set) var isDated: Bool
    /// Seconds left, while an interval is held.
    package private(set) var remaining: Double?
    /// How often it has fired.
    package private(set) var fired: Int
    /// Seconds east of UTC in the plan's zone at `due`, by the rules with which it was found; nil without a zone.
    package private(set) var offset: Int?

    /// Starts a plan.
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

    /// Restores stored state.
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

    /// Postpones the next firing to an instant at the earliest.
    package mutating func postpone(to soonest: Instant) { due = max(due, soonest) }

    /// Moves along a timeline that was shifted by `nanoseconds`. Dates and held intervals stay.
    package mutating func shift(byNanoseconds nanoseconds: Int64) {
        if !isDated, remaining == nil { due = due.advanced(byNanoseconds: nanoseconds) }
    }

    /// Holds an interval; a date stays.
    package mutating func hold(at now: Instant) {
        guard !isDated, remaining == nil else { return }
        remaining = max(0, due.seconds(since: now))
    }

    /// Releases a held interval, whose remaining time runs from now.
    package mutating func release(at now: Instant) {
        guard let seconds = remaining else { return }
        due = now.advanced(bySeconds: seconds)
        remaining = nil
    }

    /// Holds or releases it.
    package mutating func settle(isHeld: Bool, at now: Instant) {
        if isHeld { hold(at: now) } else { release(at: now) }
    }

    // MARK: - Firing

    /// Returns whether it was due before `now` and its plan skips missed firings, or a pause or a step of the clock moved it
    /// beyond the plan's last date.
    package func skips(by plan: FiringPlan, at now: Instant) -> Bool {
        guard remaining == nil else { return false }
        return plan.missed == .skip && due < now || plan.until.map { due > $0 } ?? false
    }

    /// Skips firings that were due before `now`, and the next one.
    /// - Returns: false when nothing is left to fire.
    package mutating func skipMissed(by plan: FiringPlan, at now: Instant) -> Bool {
        guard let next = successor(by: plan, after: now) else { return false }
        due = next
        offset = plan.offset(at: next)
        return true
    }

    /// Counts a firing and moves to the next instant. One firing stands for all missed ones.
    /// - Returns: false when it has fired for the last time.
    package mutating func advance(by plan: FiringPlan, at now: Instant) -> Bool {
        fired = fired.addingSaturated(1)
        guard plan.count.map({ fired < $0 }) ?? (plan.recurrence != nil) else { return false }
        return skipMissed(by: plan, at: now)
    }

    /// Ends it: from now on `due` is the instant of its removal, which moves with the clock as an interval does.
    package mutating func finish(removedAt instant: Instant) {
        (due, isDated, remaining, offset) = (instant, false, nil, nil)
    }

    /// Returns the next instants at which it would fire if nothing were paused, as far as known: a held interval has none.
    /// An overdue firing comes first, with its original instant.
    /// - Parameter limit: The most instants.
    package func upcoming(_ limit: Int, by plan: FiringPlan, at now: Instant) -> [Instant] {
        var copy = self
        guard limit > 0, remaining == nil, !skips(by: plan, at: now) || copy.skipMissed(by: plan, at: now) else {
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

    /// Returns the first instant after `now` that is a whole number of intervals after a start.
    /// - Returns: nil if an instant can't hold it.
    private static func beat(_ seconds: Double, from start: Instant, beyond now: Instant) -> Instant? {
        // In whole nanoseconds: a quotient of seconds may be slightly too small, so that the result would be now. Unsigned,
        // because the nanoseconds since 1678 exceed a signed integer.
        let nanoseconds = Int64(saturating: (seconds * 1e9).rounded())
        let step = UInt64(bitPattern: max(1, nanoseconds))
        let passed = UInt64(bitPattern: now.nanoseconds &- start.nanoseconds)
        let room = UInt64(bitPattern: Int64.max &- start.nanoseconds)
        let (offset, overflow) = (passed - passed % step).addingReportingOverflow(step)
        guard !overflow, offset <= room else { return nil }
        return Instant(nanoseconds: start.nanoseconds &+ Int64(bitPattern: offset))
    }

    // MARK: - A clock that was set back

    /// Seconds by which a clock may be set back without rules that say when firing twice for the same time, as in Vixie
    /// cron. Beyond it, all rules follow the new time.
    private static let shortStep = 3.0 * 3_600

    /// Recomputes a dated firing after the clock was set back. A first date belongs to no repetition and stays.
    /// - Returns: Whether its due instant has changed.
    package mutating func recompute(by plan: FiringPlan, byNanoseconds nanoseconds: Int64, at now: Instant) -> Bool {
        guard isDated, let recurrence = plan.recurrence, !waitsForFirstDate(of: plan),
            recurrence.saysHowOften || Double(nanoseconds) / -1e9 >= Self.shortStep
        else { return false }
        // Without a date of its own, the repetition began at the request, so its anchor moves with the clock.
        if !plan.hasPhase { anchor = anchor.advanced(byNanoseconds: nanoseconds) }
        guard let next = date(by: recurrence, beyond: now), next != due else { return false }
        if let until = plan.until, next > until { return false }
        due = next
        offset = plan.offset(at: next)
        return true
    }

    private func date(by recurrence: Recurrence, beyond now: Instant) -> Instant? {
        switch recurrence {
        // None of its instants is before the first date.
        case .interval(let seconds): now < anchor ? anchor : Self.beat(seconds, from: anchor, beyond: now)
        case .calendar(let rule): rule.next(after: now, from: anchor)
        }
    }

    // MARK: - Other rules of the time zones

    /// Adopts a plan compiled with other rules of its zone. A first date depends on no rule and stays.
    /// - Returns: Whether anything has changed.
    package mutating func adopt(_ plan: FiringPlan, at now: Instant) -> Bool {
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
