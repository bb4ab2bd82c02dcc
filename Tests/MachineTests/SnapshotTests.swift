// What a snapshot holds beside the board; that both go on alike is what DeterminismTests look at.

import Board
import Machine
import Primitives
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
        settings.webhooks.attempts = 3
        var (machine, restored) = (Self.machine(), Self.machine())
        machine.set(settings)
        try machine.writeSnapshot { (piece, bytes) throws(ByteReader.Damage) in
            try restored.read(piece, bytes, rules: NoCalendar())
        }
        #expect(restored.settings == settings)
    }

    @Test func `a snapshot from before records were compact is read`() throws {
        let body =
            #"{"revision":"2","target":"7.5","rest":"0","touched":"1700000000223456789","label":"Hits: 1.0","#
            + #""lastUpdate":"1700000000223456789","run":{"animation":"2","origin":1.25,"request":{"to":"7.5","#
            + #""duration":0.4,"curve":"linear"},"motion":{"from":1.25,"to":7.5,"start":"1700000000223456789"}}}"#
        var writer = ByteWriter()
        for count in [5, 700] { writer.count(count) }
        writer.flag(true)
        writer.byte(0)
        writer.text("a")
        writer.data(Array(body.utf8))
        writer.count(0)
        let faces = FaceShelf(planner: NoFormats())
        let resources = try Machine.resources(writer.bytes, faces: faces, rules: NoCalendar())
        var machine = Self.machine()
        machine.seat(resources)
        let track = try #require(machine.engine.track(ResourceName(.ticker, "a")))
        #expect(resources.first?.seat.slot == 5 && track.revision == 2)
        #expect(track.run?.motion.from == 1.25 && track.run?.motion.to == 7.5)
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
