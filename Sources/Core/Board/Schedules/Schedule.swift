// Actions that are due once or repeatedly: their plan, its current state, and the actions.

package import Labels
package import RecurrenceRules
package import Tween

/// A schedule as decoded and validated.
package struct ScheduleDefinition: Hashable, Sendable {
    /// When it fires.
    package var plan = FiringPlan()
    package var actions: ActionList
    /// A hash of the actions' meaning, the same however they are written; nil if they are not from a client.
    package var meaning: UInt64?
    /// The countdown's text.
    package var label = CountdownLabel.standard
    /// The text once it has ended and shown its label at 0; nil shows the label, at 0.
    package var ended: String?
    /// The locale of its text, a BCP 47 tag; nil means English.
    package var locale: String?
    /// Seconds that it stays after its end, to show so; 0 removes it at once.
    package var timeToLive = 0.0
    /// The default of `timeToLive` for a schedule that has something to show: a day.
    package static let standardTimeToLive = 86_400.0
    /// The JSON it was decoded from, which is stored and shown.
    package var source: [UInt8]

    package init(actions: ActionList, source: [UInt8]) {
        self.actions = actions
        self.source = source
    }

    /// Whether another definition means the same, however it is written. Both must have their words.
    func asksForTheSame(as other: ScheduleDefinition) -> Bool {
        plan == other.plan && label == other.label && ended == other.ended && locale == other.locale
            && timeToLive == other.timeToLive
            && (actions == other.actions || meaning != nil && meaning == other.meaning)
    }

    /// Sets the words of the locale in which its text is read and written.
    /// - Throws: `CommandError.invalid` naming `locale`, or `label` if it counts in a unit that countdowns don't have.
    mutating func setWords(from planner: any Planner) throws(CommandError) {
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
    /// The current state of its plan.
    var firing: Firing
    /// Whether it was paused itself; the engine keeps the pause of the whole board.
    package var isPaused: Bool
    /// Whether nothing is left to fire. It stays for its time to live, in which `due` is the instant of its removal.
    package private(set) var isEnded = false
    /// The resource whose delayed action this is; nil for a schedule that a client created.
    package var origin: ResourceName?

    /// - Throws: `CommandError.invalid` if it would never fire.
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
        isEnded: Bool = false, origin: ResourceName? = nil
    ) {
        self.name = name
        self.revision = revision
        self.definition = definition
        self.firing = firing
        self.isPaused = isPaused
        self.isEnded = isEnded
        self.origin = origin
    }

    /// When it fires next, or is removed once it has ended; meaningless while `remaining` is set.
    package var due: Instant { firing.due }
    /// The date from which calendar durations are counted.
    package var anchor: Instant { firing.anchor }
    /// Whether `due` is a date that a pause doesn't move.
    package var isDated: Bool { firing.isDated }
    /// Seconds left of an interval while it is paused.
    package var remaining: Double? { firing.remaining }
    /// How often it has fired.
    package var fired: Int { firing.fired }

    /// Its time zone's offset at `due` in seconds east of UTC, by the rules with which `due` was computed.
    package var offset: Int? { firing.offset }

    /// Returns the seconds until it fires; never negative, and 0 once it has ended.
    package func remaining(at now: Instant) -> Double { isEnded ? 0 : firing.remaining(at: now) }

    /// When an ended countdown's words follow its label at 0: after a second, or half of its time to live if that is less. Nil
    /// if it has none, or hasn't ended.
    package var wordsDue: Instant? {
        guard isEnded, definition.ended != nil else { return nil }
        let life = definition.timeToLive
        return due.advanced(bySeconds: min(1, life / 2) - life)
    }

    /// Returns the words of an ended countdown; nil while it shows its label.
    package func words(at now: Instant) -> String? {
        guard let wordsDue, wordsDue <= now else { return nil }
        return definition.ended
    }

    /// Whether it still waits and another definition means the same.
    func waits(for other: ScheduleDefinition) -> Bool { !isEnded && definition.asksForTheSame(as: other) }

    /// See ``Firing/skips(by:at:)``.
    func skips(at now: Instant) -> Bool { !isEnded && firing.skips(by: definition.plan, at: now) }

    /// Skips the firings that were due before `now`.
    /// - Returns: false when nothing is left to fire.
    mutating func skipMissed(at now: Instant) -> Bool { firing.skipMissed(by: definition.plan, at: now) }

    /// Switches to other time zone rules.
    /// - Returns: Whether this changed the schedule.
    mutating func adopt(_ rules: any CalendarRules, at now: Instant) -> Bool {
        definition.plan = definition.plan.compiled(by: rules)
        return firing.adopt(definition.plan, at: now)
    }

    /// Counts a firing and moves to the next instant: one firing stands for all that were missed.
    /// - Returns: false when it has fired for the last time.
    mutating func advance(at now: Instant) -> Bool {
        revision += 1
        return firing.advance(by: definition.plan, at: now)
    }

    /// Ends it when nothing is left to fire.
    /// - Returns: false if it doesn't stay.
    mutating func end(at now: Instant) -> Bool {
        guard definition.timeToLive > 0 else { return false }
        isEnded = true
        firing.finish(removedAt: now.advanced(bySeconds: definition.timeToLive))
        return true
    }

    /// Returns the next instants at which it fires; see ``Firing/upcoming(_:by:at:)``.
    package func upcoming(_ limit: Int, at now: Instant) -> [Instant] {
        isEnded ? [] : firing.upcoming(limit, by: definition.plan, at: now)
    }
}
