// Actions due at an instant, once or repeating: a plan, how far it has come, and what it sets off.

package import Labels
package import RecurrenceRules
package import Tween

/// A schedule as decoded and validated.
package struct ScheduleDefinition: Hashable, Sendable {
    /// When it fires.
    package var plan = FiringPlan()
    package var actions: ActionList
    /// What the actions say, the same however they are written; nil where they are no client's.
    package var meaning: UInt64?
    /// The countdown's text.
    package var label = CountdownLabel.standard
    /// The locale of its text, a BCP 47 tag; nil: English.
    package var locale: String?
    /// The JSON it was decoded from: what is stored and shown.
    package var source: [UInt8]

    package init(actions: ActionList, source: [UInt8]) {
        self.actions = actions
        self.source = source
    }

    /// Whether another asks for the same, however it is written. Both have their words.
    func asksForTheSame(as other: ScheduleDefinition) -> Bool {
        plan == other.plan && label == other.label && locale == other.locale
            && (actions == other.actions || meaning != nil && meaning == other.meaning)
    }

    /// Has its text read and written as its locale does.
    /// - Throws: `CommandError.invalid` naming `locale`, or `label` where that counts in a unit that no countdown has.
    mutating func takeWords(from planner: any Planner) throws(CommandError) {
        if let locale {
            do throws(CommandError) {
                label.words = try planner.words(in: locale)
            } catch {
                guard case .invalid(_, let reason) = error else { throw error }
                throw .invalid(field: "locale", reason: reason)
            }
        }
        if let refusal = label.refusal { throw .invalid(field: "label", reason: "\(refusal)") }
    }
}

/// A schedule on the board.
package struct Schedule: Hashable, Sendable {
    package let name: ResourceName
    package var revision: UInt64
    package var definition: ScheduleDefinition
    /// How far its plan has come.
    var firing: Firing
    /// Paused by itself; the board's pause of all is the engine's.
    package var isPaused: Bool
    /// Whose action it is that waits for its time; nil for a schedule that was asked for.
    package var origin: ResourceName?

    /// - Throws: `CommandError.invalid` where it would never fire.
    package init(name: ResourceName, definition: ScheduleDefinition, at now: Instant) throws(CommandError) {
        self.name = name
        self.definition = definition
        revision = 1
        isPaused = false
        do throws(RecurrenceError) {
            firing = try Firing(definition.plan, at: now)
        } catch {
            throw .invalid(field: error.field, reason: error.reason)
        }
    }

    /// Restores a stored schedule.
    package init(
        name: ResourceName, revision: UInt64, definition: ScheduleDefinition, firing: Firing, isPaused: Bool,
        origin: ResourceName? = nil
    ) {
        self.name = name
        self.revision = revision
        self.definition = definition
        self.firing = firing
        self.isPaused = isPaused
        self.origin = origin
    }

    /// When it fires next; meaningless while `remaining` is set.
    package var due: Instant { firing.due }
    /// The date from which durations of the calendar are counted.
    package var anchor: Instant { firing.anchor }
    /// Whether `due` is a date that a pause doesn't move.
    package var isDated: Bool { firing.isDated }
    /// Seconds it still has to run, while an interval is held.
    package var remaining: Double? { firing.remaining }
    /// How often it has fired.
    package var fired: Int { firing.fired }

    /// Seconds east of UTC that its zone's clocks have at `due`, by the rules that it was found by.
    package var offset: Int? { firing.offset }

    /// Seconds until it fires; never negative.
    package func remaining(at now: Instant) -> Double { firing.remaining(at: now) }

    /// Whether it was due before `now` and is to leave out what it couldn't fire in time.
    func leavesOut(at now: Instant) -> Bool { firing.leavesOut(by: definition.plan, at: now) }

    /// Moves past what fell due before `now` without firing.
    /// - Returns: false when nothing is left to fire.
    mutating func skipMissed(at now: Instant) -> Bool { firing.skipMissed(by: definition.plan, at: now) }

    /// Goes by other rules of the time zones.
    /// - Returns: Whether anything of it is another.
    mutating func follow(_ rules: any CalendarRules, at now: Instant) -> Bool {
        definition.plan = definition.plan.compiled(by: rules)
        return firing.follow(definition.plan, at: now)
    }

    /// Counts a firing and moves to the next instant: one firing stands for all that were missed.
    /// - Returns: false when it has fired for the last time.
    mutating func advance(at now: Instant) -> Bool {
        revision += 1
        return firing.advance(by: definition.plan, at: now)
    }

    /// The instants at which it would fire from now on, as ``Firing/upcoming(_:by:at:)`` tells them.
    package func upcoming(_ limit: Int, at now: Instant) -> [Instant] {
        firing.upcoming(limit, by: definition.plan, at: now)
    }
}
