// Scripts: sent once, called by their digest, sent again where they were lost.

import OperatingSystem
import ReplicationRedis
import Synchronization
import TestSupport
import Testing

@Suite struct RedisScriptTests {
    private let script = RedisScript(
        name: "append",
        source: "redis.call('RPUSH', KEYS[1], unpack(ARGV)) return {redis.call('LLEN', KEYS[1]), ARGV[1]}")

    @Test func `a script is loaded into a server once and then called by its digest`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        for count in 1...3 {
            let answer = try script.evaluate(on: connection, keys: [bytes("l")], arguments: [[0, 255, 13, 10]])
            #expect(answer == .array([.integer(Int64(count)), .bytes([0, 255, 13, 10])]))
        }
        let stats = try server.ask("INFO", "commandstats")
        #expect(stats.contains("cmdstat_script|load:calls=1,"))
        #expect(stats.contains("cmdstat_evalsha:calls=3,"))
        #expect(stats.contains("cmdstat_eval:calls=1,"))
    }

    @Test func `a script runs each time although the server keeps flushing scripts`() throws {
        let server = try RedisServer()
        let (connection, other) = (try server.connect(), try server.connect())
        let isOver = Atomic(false)
        let flusher = OwnedThread(name: "flusher") {
            while !isOver.load(ordering: .relaxed) { _ = try? other.call("SCRIPT", "FLUSH") }
        }
        #expect(flusher.start())
        defer {
            isOver.store(true, ordering: .relaxed)
            flusher.join()
        }
        for count in 1...500 {
            let answer = try script.evaluate(on: connection, keys: [bytes("l")], arguments: [[1]])
            #expect(answer.elements?.first == .integer(Int64(count)))
        }
    }

    @Test func `a script is loaded again after a flush, a restart or on another server`() throws {
        let server = try RedisServer(["appendonly yes"])
        var connection = try server.connect()
        let run = { try script.evaluate(on: connection, keys: [bytes("l")], arguments: [[1]]).elements?.first }
        #expect(try run() == .integer(1))
        _ = try connection.call("SCRIPT", "FLUSH")
        #expect(try run() == .integer(2))
        try server.restart()
        connection = try server.connect()
        #expect(try run() == .integer(3))
        // Another server, another connection: the digest is the same.
        let other = try RedisServer()
        connection = try other.connect()
        #expect(try run() == .integer(1))
    }

    @Test func `a pipelined script that the server lacks reports noScript for each call`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        script.append(to: connection, keys: [bytes("l")], arguments: [[1]])
        #expect(code { _ = try connection.value(of: connection.receive()) } == .noScript)
        try script.load(on: connection)
        for _ in 0..<101 { script.append(to: connection, keys: [bytes("l")], arguments: [[1]]) }
        for count in 1...101 { #expect(try connection.receive().elements?.first == .integer(Int64(count))) }
        _ = try connection.call("SCRIPT", "FLUSH")
        for _ in 0..<2 { script.append(to: connection, keys: [bytes("l")], arguments: [[1]]) }
        for _ in 0..<2 {
            #expect(code { _ = try connection.value(of: connection.receive()) } == .noScript)
        }
        #expect(try connection.call("LLEN", "l") == .integer(101))
        try script.load(on: connection)
        script.append(to: connection, keys: [bytes("l")], arguments: [[1]])
        #expect(try connection.receive().elements?.first == .integer(102))
    }

    @Test func `an error inside a script is that call's error and keeps the connection`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        let failing = RedisScript(name: "failing", source: "return redis.error_reply('STALE entry')")
        let broken = RedisScript(name: "broken", source: "return (")
        let error = #expect(throws: RedisError.self) { _ = try failing.evaluate(on: connection, keys: []) }
        #expect(error?.code == .failed)
        #expect(error?.cause.contains("STALE entry") == true)
        #expect(code { _ = try broken.evaluate(on: connection, keys: []) } == .failed)
        #expect(connection.failure == nil)
    }
}
