// Applies a log's entries to a machine, turn by turn. All replicas that apply the same entries have the same machine, events
// and answers, whenever the entries arrive.

import Base
import Board
package import Machine
package import Tween

/// Why an entry does not continue a machine's state.
package enum LogBreak: Error, Hashable, Sendable {
    /// Entries in between are missing and no longer in the log.
    case gap
    /// The log has other entries than those that were applied: part of it was lost and replaced.
    case forked
}

/// A result of an entry, in the order of publication.
package enum Consequence {
    /// Instants are shifted by this many nanoseconds from here on.
    case clockSet(Int64)
    /// Events belong to the machine's new event log from here on.
    /// - Parameter hasLost: Whether subscribers received events of earlier logs that were lost.
    case epoch(hasLost: Bool)
    case turn(Outcome)
}

/// How far a machine has followed a log.
package struct Follower: Sendable {
    package private(set) var position: LogPosition
    package private(set) var digest: StateDigest
    /// The total nanoseconds by which entries have set the log's clock.
    package private(set) var clockShift: Int64
    /// Nanoseconds between ticks; merged events are published with a tick.
    package let period: Int64
    /// The tick of the last entry.
    private var lastTick: Int64

    /// - Parameter period: Nanoseconds between ticks.
    package init(
        at position: LogPosition = .start, digest: StateDigest = StateDigest(), period: Int64, clockShift: Int64 = 0
    ) {
        self.clockShift = clockShift
        self.position = position
        self.digest = digest
        self.period = period
        lastTick = Self.tick(of: position.instant, period)
    }

    // MARK: - Time

    /// Returns the tick that contains an instant: ticks are multiples of the period on the log's own clock.
    private static func tick(of instant: Instant, _ period: Int64) -> Int64 { instant.nanoseconds / period }

    private func start(ofTick tick: Int64) -> Instant {
        Instant(nanoseconds: tick.multipliedReportingOverflow(by: period).partialValue)
    }

    /// Returns the instant from which on an entry is needed without any request, because something is due, continues or
    /// waits to be published. Never before the last entry: what that one left needs a later one.
    package func nextDue(of machine: Machine) -> Instant? {
        var due: [Instant] = []
        if let next = machine.nextDue { due.append(max(next, machine.isCutShort ? start(ofTick: lastTick + 1) : next)) }
        if machine.isSweeping { due.append(position.instant) }
        if machine.hasCompletionGroups { due.append(start(ofTick: lastTick + 1)) }
        return due.min().map { max($0, position.instant) }
    }

    /// Whether a milestone has been reached that needs an entry.
    package func reachesMilestone(of machine: Machine, at now: Instant) -> Bool {
        Self.tick(of: now, period) > lastTick && machine.engine.reachesMilestone(at: now)
    }

    // MARK: - Entries

    /// Applies an entry.
    /// - Parameters:
    ///   - machine: The machine at the current position.
    ///   - tell: Receives the results, one turn at a time, with the machine after that turn. A new clock or epoch comes
    ///     first, because it applies to what falls due with the entry, too.
    /// - Throws: If the entry isn't the next one; nothing has changed then.
    package mutating func apply(
        _ entry: LogEntry, by machine: inout Machine, _ tell: (Consequence, inout Machine) -> Void
    ) throws(LogBreak) {
        guard entry.position.sequence <= position.sequence &+ 1 else { throw .gap }
        guard entry.position.sequence == position.sequence &+ 1, entry.previous == position.name else { throw .forked }
        var requests: ArraySlice<Request> = []
        switch entry.content {
        case .turn(let asked): requests = asked[...]
        case .clockSet(let nanoseconds):
            clockShift = clockShift.addingSaturated(nanoseconds)
            machine.shift(byNanoseconds: nanoseconds, at: entry.position.instant)
            tell(.clockSet(nanoseconds), &machine)
        case .settings(let settings): machine.set(settings)
        case .zones(let version, let rules): machine.adopt(zones: version, rules, at: entry.position.instant)
        case .epoch(let epoch, let lost):
            guard lost.map(machine.knows(epoch:)) ?? true else { break }
            machine.begin(epoch: epoch, hasLost: lost != nil)
            tell(.epoch(hasLost: lost != nil), &machine)
        }
        apply(requests, by: &machine, at: entry.position.instant, tell)
        position = entry.position
        lastTick = Self.tick(of: position.instant, period)
        digest.add(position.name.rawValue)
    }

    /// Executes what is due, then the requests, in as many turns as needed, all at one instant.
    private mutating func apply(
        _ requests: ArraySlice<Request>, by machine: inout Machine, at now: Instant,
        _ tell: (Consequence, inout Machine) -> Void
    ) {
        let tick = Self.tick(of: now, period)
        var rest = requests
        var isFirst = true
        repeat {
            var turn = Turn(at: now, tick: tick)
            turn.advances = isFirst
            // The first entry of a tick publishes what was merged in the last one.
            turn.isTick = isFirst && tick != lastTick
            turn.requests = Array(rest.prefix(Machine.commandsPerTurn))
            if isFirst, machine.isSweeping { turn.portions = [.sweep] }
            let outcome = machine.apply(turn)
            digest.add(outcome, of: machine)
            tell(.turn(outcome), &machine)
            rest = rest.dropFirst(outcome.taken)
            isFirst = false
        } while !rest.isEmpty
    }
}
