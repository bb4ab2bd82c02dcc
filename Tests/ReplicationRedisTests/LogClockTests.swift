// The clock of a real server is set: the log's goes on from where it stood. What it shows is made up here; to a script it is
// the same whether the server's own clock leapt or what is added to it.

import Base
import OperatingSystem
import Replication
import TestSupport
import Testing

@testable import ReplicationRedis

@Suite struct LogClockTests {
    private let server: RedisServer
    private let address: RedisAddress

    init() throws {
        server = try RedisServer()
        address = try RedisAddress("redis://127.0.0.1:\(server.port)?name=board")
    }

    private func parts(_ name: String) -> RedisLog.Parts {
        RedisLog.Parts(
            server: RedisLocator(address), wait: 0, snapshotEntries: 1_000,
            needs: LogContext(
                name: name, period: 16_666_666, epoch: "e", rules: NoCalendar(), planner: NoFormats(), post: { _ in },
                look: { _ in }, prepare: { _ in }, machine: LogMachines.empty, recorder: { NoEvents() }))
    }

    private func head(_ field: String) throws -> Int64 {
        Int64(try server.ask("HGET", "{board}:head", field)) ?? 0
    }

    private func beat(_ session: LogSession) throws -> RedisReply {
        try session.call(.beat, [[UInt8]](words: "0 - -", "3000", "10000000", "1"))
    }

    private func append(by session: LogSession) throws -> Int64 {
        let name = LogSession.text(EntryName(rawValue: .random(in: .min ... .max)))
        try session.call(.append, [name, LogContent.turn([]).bytes, []])
        return try head("instant")
    }

    @Test(arguments: [3_600_000_000, -3_600_000_000])
    func `the log's time goes on evenly after the server's clock is set, until it is reset`(step: Int64) throws {
        let (one, other) = (try LogSession(parts("a"), mayMake: true), try LogSession(parts("b"), mayMake: true))
        _ = try beat(one)
        let first = try append(by: one)
        _ = try server.ask("HINCRBY", "{board}:head", "lead", "\(step)")
        let (second, third) = (try append(by: one), try append(by: other))
        #expect(first < second && second < third && third - first < 60_000_000)
        // Held to within what a question and its answer take.
        #expect(abs(try head("lead")) < 1_000_000)
        // An entry sets it to the server's, and even time goes on.
        let even = try beat(one).elements?.first?.integer ?? 0
        _ = try server.ask("HINCRBY", "{board}:head", "lead", "\(-step)")
        _ = try server.ask("HINCRBY", "{board}:head", "set", "\(-step)")
        _ = try one.call(.resetClock, [LogSession.text(EntryName(rawValue: 1)), [], Array("\(try head("lead"))".utf8)])
        #expect(try head("lead") == 0)
        let later = try beat(other).elements?.first?.integer ?? 0
        #expect((0..<60_000_000).contains(later - even))
    }

    @Test func `a session whose own clock stood still takes the log's time from the others`() throws {
        let one = try LogSession(parts("a"), mayMake: true)
        let even = try beat(one).elements?.first?.integer ?? 0
        let late = parts("b")
        #expect(late.clock.look(from: SystemClock.monotonic(), even - 5_000_000))
        let other = try LogSession(late, mayMake: false)
        _ = try beat(one)
        _ = try beat(other)
        #expect(try head("lead") == 0)
        let expected = try #require(Int64(String(decoding: late.clock.expected, as: UTF8.self)))
        #expect(abs(expected - even) < 60_000_000 && expected > even)
    }

    @Test func `leadership and membership last as long as before when the clock is set`() throws {
        let (one, other) = (try LogSession(parts("a"), mayMake: true), try LogSession(parts("b"), mayMake: true))
        for session in [one, other] { _ = try beat(session) }
        _ = try server.ask("HINCRBY", "{board}:head", "lead", "3600000000")
        let fields = try #require(try beat(other).elements)
        #expect(fields[5].text == "a" && fields[6].pairs.count == 2)
        #expect(try server.ask("HLEN", "{board}:sessions") == "2")
    }
}
