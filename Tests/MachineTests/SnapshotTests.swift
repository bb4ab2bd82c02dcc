// What a snapshot holds beside the board; that both go on alike is what DeterminismTests look at.

import Base
import Board
import Machine
import TestSupport
import Testing
import Tween

@Suite struct SnapshotTests {
    private static func machine(_ board: Engine.Configuration = Engine.Configuration(planner: NoFormats())) -> Machine {
        Machine(
            engine: Engine(configuration: board),
            retries: RetryMemory([], capacity: 1_000, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh", sharesTurns: true)
    }

    @Test func `a snapshot restores the settings`() throws {
        var settings = MachineSettings()
        (settings.boardBytes, settings.retryKeys, settings.retrySeconds) = (1 << 20, 7, 300)
        (settings.tracks, settings.schedules, settings.delayedActions, settings.retryBytes) = (2, 3, 4, 5)
        settings.updateRate = 6
        settings.webhooks.attempts = 3
        var (machine, restored) = (Self.machine(), Self.machine())
        machine.set(settings)
        try machine.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
            try restored.read(piece, bytes, rules: NoCalendar())
        }
        #expect(restored.settings == settings)
    }

    @Test func `a snapshot restores the known past epochs`() throws {
        var (machine, restored) = (Self.machine(), Self.machine())
        for number in 0...Machine.maximumPastEpochs { machine.begin(epoch: "e\(number)") }
        #expect(machine.pastEpochs.count == Machine.maximumPastEpochs && !machine.knows(epoch: "e"))
        try machine.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
            try restored.read(piece, bytes, rules: NoCalendar())
        }
        #expect(restored.epoch == machine.epoch && restored.pastEpochs == machine.pastEpochs)
    }

    @Test func `a snapshot restores the time zone version, and names it if it is missing`() throws {
        let zones = HandZones("2026a", hours: -8)
        var machine = Self.machine()
        machine.adopt(zones: "2026a", zones, at: Instant(nanoseconds: 0))
        for (rules, missing) in [(zones, nil), (HandZones("2025z", hours: -7), "2026a")] {
            var restored = Self.machine()
            try machine.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
                try restored.read(piece, bytes, rules: rules)
            }
            #expect(restored.requiredZoneVersion == "2026a" && restored.missingZones == missing)
        }
    }

    @Test func `a tick after unfinished due work passes milestones alike with and without a snapshot`() throws {
        var board = Engine.Configuration(planner: NoFormats())
        // Room for the end of one motion, or for a milestone before its actions.
        board.maximumWorkPerAdvance = 10
        var machine = Self.machine(board)
        func take(_ requests: [Request] = [], at seconds: Double, tick: Bool) -> Outcome {
            var turn = Turn(at: Instant(nanoseconds: 0).advanced(bySeconds: seconds), tick: Int64(seconds * 10))
            (turn.isTick, turn.requests) = (tick, requests)
            return machine.apply(turn)
        }
        let passing = #"{"to":10,"duration":10,"milestones":[{"at":5,"do":[{"notify":"half"}]}]}"#
        _ = take(
            try [passing, #"{"to":1,"duration":5}"#, #"{"to":1,"duration":5}"#].enumerated().map {
                try MachineScript.update("t\($0)", $1)
            }, at: 0, tick: false)
        #expect(take(at: 5.01, tick: false).counts.cutShort == 1)
        let before = machine
        let one = take(at: 5.02, tick: true)
        machine = Self.machine(board)
        try before.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
            guard piece == .tracks else { return try machine.read(piece, bytes, rules: NoCalendar()) }
            let renderings = RenderingCache(planner: NoFormats())
            machine.insert(try Machine.resources(bytes, renderings: renderings, rules: NoCalendar()))
        }
        let other = take(at: 5.02, tick: true)
        #expect(one.told == ["2 milestone", "3 notification"])
        #expect(other.told == one.told)
    }

    @Test func `commands of an instant that a snapshot divides keep their order`() throws {
        var (machine, restored) = (Self.machine(), Self.machine())
        func turn(at seconds: Double, _ requests: [Request]) -> Turn {
            var turn = Turn(at: Instant(nanoseconds: 0).advanced(bySeconds: seconds), tick: Int64(seconds * 10))
            turn.requests = requests
            return turn
        }
        func finish(_ id: String) -> Request {
            .command(CommandRequest(.play(ResourceName(.ticker, id), .finish), as: .noContent))
        }
        let moving = #"{"to":10,"duration":60,"then":[{"ticker":"t","by":1,"duration":0}]}"#
        _ = machine.apply(turn(at: 0, try ["a", "b"].map { try MachineScript.update($0, moving) }))
        _ = machine.apply(turn(at: 1, [finish("a")]))
        try machine.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
            guard piece == .tracks else { return try restored.read(piece, bytes, rules: NoCalendar()) }
            let renderings = RenderingCache(planner: NoFormats())
            restored.insert(try Machine.resources(bytes, renderings: renderings, rules: NoCalendar()))
        }
        _ = machine.apply(turn(at: 1, [finish("b")]))
        _ = restored.apply(turn(at: 1, [finish("b")]))
        let name = ResourceName(.ticker, "t")
        let due = try #require(machine.engine.track(name)?.due)
        #expect(restored.engine.track(name)?.due == due)
    }

    @Test func `a snapshot whose books name missing resources is rejected`() throws {
        var machine = Self.machine()
        var turn = Turn(at: Instant(nanoseconds: 0), tick: 0)
        turn.requests = [try MachineScript.update("a", #"{"to":1}"#)]
        _ = machine.apply(turn)
        var pieces: [SnapshotPiece: [UInt8]] = [:]
        machine.writeSnapshot { pieces[$0] = $1 }
        let books = try #require(pieces[.books])
        var restored = Self.machine()
        #expect(throws: ByteReader.Damage.self) { try restored.read(.books, books, rules: NoCalendar()) }
    }
}
