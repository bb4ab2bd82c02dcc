// What a snapshot holds beside the board; that both go on alike is what DeterminismTests look at.

import Base
import Board
import Machine
import TestSupport
import Testing
import Tween

@Suite struct SnapshotTests {
    private static func machine() -> Machine {
        Machine(
            engine: Engine(configuration: Engine.Configuration(planner: NoFormats())),
            retries: RetryMemory([], capacity: 1_000, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: RetryPlan(), receiver: { $0 }), epoch: "e", deliveries: "wh", sharesTurns: true)
    }

    @Test func `settings come along`() throws {
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

    @Test func `logs of events that came before come along, as many as are known`() throws {
        var (machine, restored) = (Self.machine(), Self.machine())
        for number in 0...Machine.maximumPastEpochs { machine.begin(epoch: "e\(number)") }
        #expect(machine.pastEpochs.count == Machine.maximumPastEpochs && !machine.knows(epoch: "e"))
        try machine.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
            try restored.read(piece, bytes, rules: NoCalendar())
        }
        #expect(restored.epoch == machine.epoch && restored.pastEpochs == machine.pastEpochs)
    }

    @Test func `the rules of the time zones come along, by their version`() throws {
        let zones = HandZones("2026a", hours: -8)
        var machine = Self.machine()
        machine.follow(zones: "2026a", zones, at: Instant(nanoseconds: 0))
        for (rules, missing) in [(zones, nil), (HandZones("2025z", hours: -7), "2026a")] {
            var restored = Self.machine()
            try machine.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
                try restored.read(piece, bytes, rules: rules)
            }
            #expect(restored.requiredZoneVersion == "2026a" && restored.missingZones == missing)
        }
    }

    @Test func `books of resources that are not there are refused`() throws {
        var machine = Self.machine()
        var turn = Turn(at: Instant(nanoseconds: 0), tick: 0)
        turn.requests = [try MachineScript.update("a", #"{"to":1}"#)]
        _ = machine.take(turn)
        var pieces: [SnapshotPiece: [UInt8]] = [:]
        machine.writeSnapshot { pieces[$0] = $1 }
        let books = try #require(pieces[.books])
        var restored = Self.machine()
        #expect(throws: ByteReader.Damage.self) { try restored.read(.books, books, rules: NoCalendar()) }
    }
}
