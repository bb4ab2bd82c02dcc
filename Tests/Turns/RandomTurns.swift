// Random turns of a machine and everything that follows from them, as text.

import Base
import Board
import Machine
import TestSupport
import Tween

/// A machine that is given turns by a seed.
struct RandomTurns {
    private var machine: Machine
    private var requests: RandomRequests
    private var now = Instant(nanoseconds: 1_700_000_000_000_000_000)

    init(seed: UInt64) {
        requests = RandomRequests(seed: seed)
        machine = Self.machine(at: now)
    }

    private static func machine(at now: Instant) -> Machine {
        var board = Engine.Configuration(planner: NoFormats())
        board.maximumSchedulesPerSweep = 3
        board.maximumWorkPerAdvance = 5 * 24
        var engine = Engine(configuration: board, tracks: 0, schedules: 0)
        // Some actions are late.
        engine.setActionRate(2)
        return Machine(
            engine: engine,
            retries: RetryMemory([], capacity: 1_000, at: now),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh", sharesTurns: true)
    }

    /// Goes on from a snapshot, which must be the same when it is written again.
    mutating func restore() {
        do throws(ByteReader.Damage) {
            machine = try MachineImage.restored(
                machine, in: Self.machine(at: now), planner: NoFormats(), rules: NoCalendar())
        } catch {
            preconditionFailure("the snapshot can't be read")
        }
    }

    mutating func take() {
        now = now.advanced(bySeconds: requests.random.double(0...2))
        if requests.random.chance(0.02) { setClock() }
        var turn = Turn(at: now, tick: now.nanoseconds / 16_666_667)
        turn.isTick = requests.random.chance(0.3)
        turn.advances = !requests.random.chance(0.1)
        turn.requests = (0..<requests.random.int(0...12)).map { _ in requests.request() }
        if machine.isSweeping { turn.portions.append(.sweep) }
        if let batch = requests.batch { turn.portions.append(.batch(batch)) }
        requests.batch = nil
        let outcome = machine.apply(turn)
        requests.follow(outcome)
        print(OutcomeText.lines(of: outcome, in: machine).joined(separator: "\n"))
    }

    /// The whole board, as it would be stored.
    func tellAll() {
        for kind in ResourceKind.allCases {
            for name in machine.engine.names(of: kind, beginningWith: "", after: nil, limit: .max) {
                print("at the end", OutcomeText.record(of: name, in: machine))
            }
        }
        for (piece, bytes) in MachineImage.pieces(of: machine) { print("snapshot \(piece)", bytes) }
        print("\(machine.lastEvent) events, \(machine.retries.count) answers, \(machine.outbox.pendingCount) webhooks")
    }

    private mutating func setClock() {
        let shift = Int64(requests.random.int(-7_200...7_200)) * 1_000_000_000
        now = now.advanced(byNanoseconds: shift)
        machine.shift(byNanoseconds: shift, at: now)
    }
}
