// Actions due at an instant, once or repeating. Pure: every function takes the instant.

package import Labels
package import Tween

/// A schedule as decoded and validated.
package struct ScheduleDefinition: Hashable, Sendable {
    /// When it fires first.
    package enum First: Hashable, Sendable {
        /// At a date; one in the past fires at once.
        case at(Instant)
        /// After seconds.
        case after(Double)
    }

    /// What falls due while the service is down or the schedule is paused.
    package enum MissedPolicy: String, Hashable, Sendable, CaseIterable {
        /// Fires once when it can.
        case fire
        /// Is left out.
        case skip
    }

    package var first: First?
    package var recurrence: Recurrence?
    /// The most firings; nil is one without a recurrence, unbounded with one.
    package var count: Int?
    /// No firing after this.
    package var until: Instant?
    package var actions: ActionList
    package var missed: MissedPolicy
    /// The countdown's text.
    package var label = CountdownLabel.standard
    /// The locale of its text, a BCP 47 tag; nil: English.
    package var locale: String?
    /// The JSON it was decoded from: what is stored and shown.
    package var source: [UInt8]

    package init(actions: ActionList, source: [UInt8]) {
        self.actions = actions
        self.source = source
        missed = .fire
    }

    /// Has its text written as its locale does.
    /// - Throws: `CommandError.invalid` naming `locale`.
    mutating func takeWords(from planner: any Planner) throws(CommandError) {
        guard let locale else { return }
        do throws(CommandError) {
            label.words = try planner.words(in: locale)
        } catch {
            guard case .invalid(_, let reason) = error else { throw error }
            throw .invalid(field: "locale", reason: reason)
        }
    }
}

/// How a schedule repeats.
package enum Recurrence: Hashable, Sendable {
    /// Every so many seconds of elapsed time.
    case interval(Double)
    /// By a calendar rule, such as a cron expression.
    case calendar(CalendarRecurrence)
}

/// A rule that names instants by the calendar. The rule itself lives outside of the board: it needs time zones.
package struct CalendarRecurrence: Hashable, Sendable {
    /// What tells two rules apart: the rule's text and zone.
    package let text: String
    /// It says how often, such as every quarter of an hour, not when: then it goes by what the clocks show at the moment,
    /// whatever they showed before.
    package let saysHowOften: Bool
    private let successor: @Sendable (_ instant: Instant, _ anchor: Instant) -> Instant?

    /// - Parameters:
    ///   - text: The rule's text and zone.
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

/// A schedule on the board.
package struct Schedule: Hashable, Sendable {
    package let name: ResourceName
    package var revision: UInt64
    package var definition: ScheduleDefinition
    /// When it fires next; meaningless while `remaining` is set.
    package var due: Instant
    /// The date from which durations of the calendar are counted, so that the 31st comes back after a shorter month.
    package let anchor: Instant
    /// Whether `due` is a date that a pause doesn't move.
    package var isDated: Bool
    /// Seconds it still has to run, while an interval is held.
    package var remaining: Double?
    /// Paused by itself; the board's pause of all is the engine's.
    package var isPaused: Bool
    /// How often it has fired.
    package var fired: Int
    /// Whose action it is that waits for its time; nil for a schedule that was asked for.
    package var origin: ResourceName?

    /// - Throws: `CommandError.invalid` where it would never fire.
    package init(name: ResourceName, definition: ScheduleDefinition, at now: Instant) throws(CommandError) {
        self.name = name
        self.definition = definition
        revision = 1
        isPaused = false
        fired = 0
        switch (definition.first, definition.recurrence) {
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
                throw .invalid(field: "every", reason: "this rule never matches a date")
            }
            due = next
            anchor = now
            isDated = true
        case (nil, nil):
            throw .invalid(field: "at", reason: "a schedule needs one of `at`, `in` or `every`")
        }
        if let until = definition.until, due > until {
            throw .invalid(field: "until", reason: "must not be before the first firing")
        }
    }

    /// Restores a stored schedule.
    package init(
        name: ResourceName, revision: UInt64, definition: ScheduleDefinition, due: Instant, anchor: Instant,
        isDated: Bool, remaining: Double?, isPaused: Bool, fired: Int, origin: ResourceName? = nil
    ) {
        self.name = name
        self.revision = revision
        self.definition = definition
        self.due = due
        self.anchor = anchor
        self.isDated = isDated
        self.remaining = remaining
        self.isPaused = isPaused
        self.fired = fired
        self.origin = origin
    }

    /// Keeps it from firing before an instant.
    mutating func postpone(to soonest: Instant) { due = max(due, soonest) }

    /// Seconds until it fires; never negative.
    package func remaining(at now: Instant) -> Double {
        remaining ?? max(0, due.seconds(since: now))
    }

    /// Stops the clock of what has an interval; a date stays.
    mutating func hold(at now: Instant) {
        guard !isDated, remaining == nil else { return }
        remaining = max(0, due.seconds(since: now))
    }

    /// Lets it go on: an interval runs its remaining time from now.
    mutating func release(at now: Instant) {
        guard let seconds = remaining else { return }
        due = now.advanced(bySeconds: seconds)
        remaining = nil
    }

    /// Holds it, or lets it go on.
    mutating func settle(isHeld: Bool, at now: Instant) {
        if isHeld { hold(at: now) } else { release(at: now) }
    }

    /// Whether it was due before `now` and is to leave out what it couldn't fire in time.
    func leavesOut(at now: Instant) -> Bool { definition.missed == .skip && remaining == nil && due < now }

    /// Moves past what fell due before `now` without firing.
    /// - Returns: false when nothing is left to fire.
    mutating func skipMissed(at now: Instant) -> Bool {
        guard let next = successor(of: due, after: now) else { return false }
        due = next
        return true
    }

    /// Counts a firing and moves to the next instant: one firing stands for all that were missed.
    /// - Returns: false when it has fired for the last time.
    mutating func advance(at now: Instant) -> Bool {
        fired += 1
        revision += 1
        guard definition.count.map({ fired < $0 }) ?? (definition.recurrence != nil) else { return false }
        guard let next = successor(of: due, after: now) else { return false }
        due = next
        return true
    }

    /// The instants at which it would fire from now on, were nothing paused, as far as they are known: a held interval
    /// has none. An overdue firing comes first, at the instant at which it was due.
    /// - Parameter limit: The most instants.
    package func upcoming(_ limit: Int, at now: Instant) -> [Instant] {
        var copy = self
        guard limit > 0, remaining == nil, !leavesOut(at: now) || copy.skipMissed(at: now) else { return [] }
        var instants = [copy.due]
        while instants.count < limit, copy.advance(at: copy.due) { instants.append(copy.due) }
        return instants
    }

    private mutating func successor(of due: Instant, after now: Instant) -> Instant? {
        guard let next = next(after: due, beyond: now) else { return nil }
        if let until = definition.until, next > until { return nil }
        return next
    }

    private mutating func next(after due: Instant, beyond now: Instant) -> Instant? {
        switch definition.recurrence {
        case nil:
            return nil
        case .interval(let seconds):
            isDated = false
            let missed = max(0, (now.seconds(since: due) / seconds).rounded(.down))
            return due.advanced(bySeconds: (missed + 1) * seconds)
        case .calendar(let rule):
            isDated = true
            return rule.next(after: max(due, now), from: anchor)
        }
    }
}
