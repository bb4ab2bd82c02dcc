// What a board makes of changes: whatever it took reads back from its records, its snapshots and the log of replicas, and
// whatever it says of it is JSON.

import Base
import Board
import Machine
import RecurrenceRules
import Replication
import TestSupport
import Tween
import Wire

enum BoardProperties {
    static let start = Instant(nanoseconds: 1_700_000_000_123_456_789)
    private static let pauses = [0.0, 0.016, 0.4, 5, 70]

    /// Gives commands to a board that nobody else changes, and looks at it for a while.
    static func check(_ commands: [Command], planner: any Planner = NoFormats()) throws(Violation) {
        try checkEntry(commands)
        var machine = machine(planner)
        var turn = Turn(at: start, tick: 0)
        turn.isTick = true
        turn.requests = commands.map { .command(CommandRequest($0, showing: nil, as: .noContent)) }
        for pause in pauses {
            turn.instant = turn.instant.advanced(bySeconds: pause)
            turn.portions = machine.isSweeping ? [.sweep] : []
            let outcome = machine.apply(turn)
            try check(outcome)
            try check(machine.engine, at: turn.instant, planner)
            turn.requests = []
            turn.tick += 1
        }
        try checkSnapshot(of: machine, planner)
    }

    static func machine(_ planner: any Planner) -> Machine {
        var board = Engine.Configuration(planner: planner)
        // As small as lets a few commands reach the limits of an advance.
        board.maximumWorkPerAdvance = 20 * 24
        return Machine(
            engine: Engine(configuration: board, tracks: 0, schedules: 0),
            retries: RetryMemory([], capacity: 100, at: start), outbox: Outbox(retries: RetryPlan(), receiver: { $0 }),
            epoch: "e", deliveries: "wh", sharesTurns: true)
    }

    private static func check(_ outcome: Outcome) throws(Violation) {
        for event in outcome.events {
            switch event.content {
            case .one(let one): try JSONProperties.check(EventEncoder.payload(of: one), "an event")
            case .completions(let name, let crowd):
                try JSONProperties.check(EventEncoder.payload(of: crowd, name), "an event")
            }
        }
        for answer in outcome.answers {
            let body = answer.answer.body()
            if !body.isEmpty { try JSONProperties.check(body, "an answer") }
        }
    }

    // MARK: - Records

    private static func check(_ engine: Engine, at now: Instant, _ planner: any Planner) throws(Violation) {
        let renderings = RenderingCache(planner: planner)
        for case let track? in engine.tracks { try check(track, renderings, at: now) }
        for case let schedule? in engine.schedules { try check(schedule, isHeld: engine.isHeld(schedule), at: now) }
    }

    private static func check(_ track: Track, _ renderings: RenderingCache, at now: Instant) throws(Violation) {
        let contents = TrackRecord.contents(of: track)
        let again: Track
        do throws(Problem) {
            again = try TrackRecord.track(track.name, contents, renderings: renderings, rules: CalendarProperties.rules)
        } catch {
            throw Violation("a record can't be read: \(error) \(String(decoding: contents.body, as: UTF8.self))")
        }
        try require(TrackRecord.contents(of: again) == contents, "a record is another one when it has been read")
        for seconds in [0, 0.01, 1, 70] {
            let later = now.advanced(bySeconds: seconds)
            let told = answer(track, at: later)
            try JSONProperties.check(told, "a track")
            try require(answer(again, at: later) == told, "a track tells something else when it has been read")
        }
    }

    /// All that a client can be told of a track.
    private static func answer(_ track: Track, at now: Instant) -> [UInt8] {
        var json = JSONWriter()
        json.array {
            TrackEncoder.append(track, at: now, to: &$0)
            $0.raw(MotionEncoder.payload(of: track, at: now))
        }
        return json.bytes
    }

    private static func check(_ schedule: Schedule, isHeld: Bool, at now: Instant) throws(Violation) {
        let contents = ScheduleRecord.contents(of: schedule)
        let again: Schedule
        do throws(Problem) {
            again = try ScheduleRecord.schedule(schedule.name, contents, rules: CalendarProperties.rules)
        } catch {
            throw Violation("a record can't be read: \(error) \(String(decoding: contents.body, as: UTF8.self))")
        }
        try require(ScheduleRecord.contents(of: again) == contents, "a record is another one when it has been read")
        var json = JSONWriter()
        ScheduleEncoder.append(schedule, isHeld: isHeld, at: now, to: &json)
        try JSONProperties.check(json.bytes, "a schedule")
    }

    // MARK: - Bytes

    /// Commands reach other replicas as they were.
    private static func checkEntry(_ commands: [Command]) throws(Violation) {
        let content = LogContent.turn(commands.map { .command(CommandRequest($0, showing: nil, as: .noContent)) })
        let bytes = content.bytes
        do throws(UnreadableEntry) {
            let again = try LogContent(bytes, rules: CalendarProperties.rules)
            guard again.bytes == bytes, case .turn(let requests) = again else { throw UnreadableEntry.damaged }
            for (request, command) in zip(requests, commands) {
                guard case .command(let read) = request, read.command == command else { throw UnreadableEntry.damaged }
            }
        } catch {
            throw Violation("an entry that was written can't be read, or is another one")
        }
    }

    /// A machine that was written down is the same one.
    private static func checkSnapshot(of machine: Machine, _ planner: any Planner) throws(Violation) {
        let pieces = SnapshotProperties.pieces(of: machine)
        do throws(ByteReader.Damage) {
            let again = try SnapshotProperties.machine(from: pieces, planner)
            let written = SnapshotProperties.pieces(of: again)
            guard written.map(\.0) == pieces.map(\.0), written.map(\.1) == pieces.map(\.1) else {
                throw ByteReader.Damage()
            }
        } catch {
            throw Violation("a snapshot can't be read, or is another one")
        }
    }
}
