// What each entry of a log means to a machine, turn by turn. Whoever follows the same entries has the same machine, told the
// same events and given the same answers, whenever the entries reach it.

import Base
import Board
package import Machine
package import Tween

/// Why an entry doesn't follow on what a machine has taken.
package enum LogBreak: Error, Hashable, Sendable {
    /// Entries between are missing: they are in the log no more.
    case gap
    /// The log holds other entries than those that were taken: part of it was lost, and others came in their place.
    case forked
}

/// What follows from an entry, in the order in which it is to be told.
package enum Consequence {
    /// Instants are told so many nanoseconds later from here on.
    case clockSet(Int64)
    /// Events belong to another log of events from here on, the machine's.
    /// - Parameter hasLost: Of the ones before, listeners were told what isn't so.
    case epoch(hasLost: Bool)
    case turn(Outcome)
}

/// How far a machine has followed a log.
package struct Follower: Sendable {
    package private(set) var position: LogPosition
    package private(set) var digest: StateDigest
    /// Nanoseconds by which entries have set the log's clock so far.
    package private(set) var clockShift: Int64
    /// Nanoseconds between ticks: what is told together is told with a tick.
    package let period: Int64
    /// The tick that the last entry lies in.
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

    /// The tick that an instant lies in: ticks are at multiples of the period on the log's own clock.
    private static func tick(of instant: Instant, _ period: Int64) -> Int64 { instant.nanoseconds / period }

    private func start(ofTick tick: Int64) -> Instant {
        Instant(nanoseconds: tick.multipliedReportingOverflow(by: period).partialValue)
    }

    /// From when on an entry is wanted though nobody asks for anything: something falls due, goes on, or is to be told.
    /// Never before the last entry: what that left due waits for one behind it.
    package func nextDue(of machine: Machine) -> Instant? {
        var due: [Instant] = []
        if let next = machine.nextDue { due.append(max(next, machine.isCutShort ? start(ofTick: lastTick + 1) : next)) }
        if machine.isSweeping { due.append(position.instant) }
        if machine.hasUntold { due.append(start(ofTick: lastTick + 1)) }
        return due.min().map { max($0, position.instant) }
    }

    /// Whether a milestone has been reached that an entry would tell.
    package func reachesMilestone(of machine: Machine, at now: Instant) -> Bool {
        Self.tick(of: now, period) > lastTick && machine.engine.reachesMilestone(at: now)
    }

    // MARK: - Entries

    /// Carries an entry out.
    /// - Parameters:
    ///   - machine: As it was at the position.
    ///   - tell: Given what follows, a turn at a time, with the machine as that turn left it. What holds from the entry on
    ///     comes first: what falls due with it is told like all that comes behind it.
    /// - Throws: Where the entry isn't the next one; nothing has changed then.
    package mutating func take(
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
        case .zones(let version, let rules): machine.follow(zones: version, rules, at: entry.position.instant)
        case .epoch(let epoch, let lost):
            guard lost.map(machine.knows(epoch:)) ?? true else { break }
            machine.begin(epoch: epoch, hasLost: lost != nil)
            tell(.epoch(hasLost: lost != nil), &machine)
        }
        take(requests, by: &machine, at: entry.position.instant, tell)
        position = entry.position
        lastTick = Self.tick(of: position.instant, period)
        digest.add(position.name.rawValue)
    }

    /// What is due, then the requests: as many turns as these take, all at one instant.
    private mutating func take(
        _ requests: ArraySlice<Request>, by machine: inout Machine, at now: Instant,
        _ tell: (Consequence, inout Machine) -> Void
    ) {
        let tick = Self.tick(of: now, period)
        var rest = requests
        var isFirst = true
        repeat {
            var turn = Turn(at: now, tick: tick)
            turn.advances = isFirst
            // The first entry of a tick tells what was put together in the last one.
            turn.isTick = isFirst && tick != lastTick
            turn.requests = Array(rest.prefix(Machine.commandsPerTurn))
            if isFirst, machine.isSweeping { turn.portions = [.sweep] }
            let outcome = machine.take(turn)
            digest.add(outcome, of: machine)
            tell(.turn(outcome), &machine)
            rest = rest.dropFirst(outcome.taken)
            isFirst = false
        } while !rest.isEmpty
    }
}
