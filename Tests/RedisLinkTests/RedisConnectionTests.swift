// Connections to real servers.

import Synchronization
import TestSupport
import Testing
import Threads

@testable import RedisLink

@Suite struct RedisConnectionTests {
    private static let patience = 20.0

    private func connect(_ server: RedisServer, patience: Double = RedisConnectionTests.patience) throws
        -> RedisConnection
    {
        try RedisConnection(.host("127.0.0.1", port: server.port), as: nil, patience: patience)
    }

    private func words(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }

    @Test func `what is written is read back, bytes of any kind and many at once`() throws {
        let server = try RedisServer()
        defer { server.stop() }
        let connection = try connect(server)
        let value = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try connection.call([Array("SET".utf8), [0, 255, 13, 10], value])
        #expect(try connection.call([Array("GET".utf8), [0, 255, 13, 10]]) == .bytes(value))
        #expect(try connection.call(["SET", "empty", ""]) == .status("OK"))
        #expect(try connection.call(["GET", "empty"]) == .bytes([]))
        #expect(try connection.call(["GET", "nothing"]) == .null)
        for _ in 0..<10_000 { connection.append(words(["INCR", "n"])) }
        var last = RedisReply.null
        for _ in 0..<10_000 { last = try connection.receive() }
        #expect(last == .integer(10_000))
        let large = [UInt8](repeating: 7, count: 4 << 20)
        try connection.call([Array("SET".utf8), Array("large".utf8), large])
        #expect(try connection.call(["GET", "large"]) == .bytes(large))
    }

    @Test func `an error that the server answers leaves the connection as it is`() throws {
        let server = try RedisServer()
        defer { server.stop() }
        let connection = try connect(server)
        #expect(throws: RedisError.self) { try connection.call(["NONSENSE"]) }
        #expect(try connection.call(["PING"]) == .status("PONG"))
    }

    @Test func `a server that doesn't answer in time ends the connection, and another can be made`() throws {
        let server = try RedisServer()
        let connection = try connect(server)
        try connection.setPatience(0.2)
        server.pause()
        #expect(throws: RedisError.self) { try connection.call(["PING"]) }
        server.resume()
        #expect(throws: RedisError.self) { try connection.call(["PING"]) }
        #expect(try connect(server).call(["PING"]) == .status("PONG"))
    }

    @Test func `whoever waits can be interrupted`() throws {
        let server = try RedisServer()
        defer { server.stop() }
        let connection = try connect(server)
        let isWaiting = Atomic(false)
        let ended = Mutex<RedisError?>(nil)
        let thread = OwnedThread(name: "waiting") {
            isWaiting.store(true, ordering: .releasing)
            do throws(RedisError) {
                try connection.call(["XREAD", "BLOCK", "0", "STREAMS", "log", "0-0"])
            } catch {
                ended.withLock { $0 = error }
            }
        }
        #expect(thread.start())
        while !isWaiting.load(ordering: .acquiring) {}
        connection.interrupt()
        thread.join()
        #expect(ended.withLock { $0?.code } == .unreachable)
    }

    @Test func `a password and a user's rights are asked for`() throws {
        let server = try RedisServer(["--requirepass", "secret", "--user", "app", "on", ">x", "~{b}:*", "+get"])
        let endpoint = RedisEndpoint.host("127.0.0.1", port: server.port)
        func code(_ credentials: RedisCredentials?, _ command: [String]) -> RedisError.Code? {
            do throws(RedisError) {
                let connection = try RedisConnection(endpoint, as: credentials, patience: Self.patience)
                try connection.call(command)
                return nil
            } catch {
                return error.code
            }
        }
        let app = RedisCredentials(user: "app", password: "x")
        #expect(code(nil, ["GET", "{b}:x"]) == .refused)
        #expect(code(RedisCredentials(user: nil, password: "wrong"), ["GET", "x"]) == .refused)
        #expect(code(RedisCredentials(user: nil, password: "secret"), ["GET", "x"]) == nil)
        #expect(code(app, ["GET", "{b}:x"]) == nil && code(app, ["GET", "x"]) == .refused)
        #expect(code(app, ["SET", "{b}:x", "1"]) == .refused)
    }

    @Test func `a unix socket and another database will do`() throws {
        let server = try RedisServer(["--unixsocket", "socket"])
        let path = RedisEndpoint.path(server.socketPath)
        let connection = try RedisConnection(path, as: nil, database: 3, patience: Self.patience)
        try connection.call(["SET", "x", "1"])
        #expect(try connect(server).call(["GET", "x"]) == .null)
        #expect(
            try RedisConnection(path, as: nil, database: 3, patience: Self.patience).call(["GET", "x"]).integer == 1)
    }

    @Test func `a server without memory says so`() throws {
        let server = try RedisServer(["--maxmemory", "1mb"])
        defer { server.stop() }
        let connection = try connect(server)
        let value = [UInt8](repeating: 0, count: 1 << 20)
        var code: RedisError.Code?
        for index in 0..<10 where code == nil {
            do throws(RedisError) {
                try connection.call([Array("SET".utf8), Array("k\(index)".utf8), value])
            } catch {
                code = error.code
            }
        }
        #expect(code == .outOfMemory)
    }

    @Test func `nobody there is no connection`() throws {
        let server = try RedisServer()
        let port = server.port
        server.kill()
        #expect(throws: RedisError.self) {
            try RedisConnection(.host("127.0.0.1", port: port), as: nil, patience: Self.patience)
        }
    }

    @Test(arguments: [
        (["--appendonly", "yes", "--appendfsync", "always"], []), (["--appendonly", "no"], ["appendonly yes"]),
        (["--appendonly", "yes"], ["appendfsync is everysec"]),
        (["--appendonly", "no", "--maxmemory-policy", "allkeys-lru"], ["appendonly yes", "noeviction"]),
    ])
    func `settings that lose what was acknowledged are told`(arguments: [String], warnings: [String]) throws {
        let server = try RedisServer(arguments)
        defer { server.stop() }
        let check = try RedisCheck(connect(server))
        #expect(check.warnings.count == warnings.count)
        for (told, expected) in zip(check.warnings, warnings) { #expect(told.contains(expected)) }
        #expect(check.version.hasPrefix("7."))
    }

    @Test func `a replica takes no writes, and the next server is tried`() throws {
        let (master, other) = (try RedisServer(), try RedisServer())
        try connect(other).call(["REPLICAOF", "127.0.0.1", "\(master.port)"])
        let alone = RedisLocator(try RedisAddress("redis://127.0.0.1:\(other.port)?name=b"), patience: Self.patience)
        #expect { try alone.connect() } throws: { ($0 as? RedisError)?.code == .readOnly }
        let both = try RedisAddress("redis://127.0.0.1:\(other.port),127.0.0.1:\(master.port)?name=b")
        let found = try RedisLocator(both, patience: Self.patience).connect()
        #expect(found.endpoint == .host("127.0.0.1", port: master.port))
    }
}
