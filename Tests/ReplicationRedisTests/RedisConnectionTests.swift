// A connection to a server that is well: what goes in and out, and who may.

import Foundation
import ReplicationRedis
import TestSupport
import Testing

@Suite struct RedisConnectionTests {
    @Test func `a request returns the server's reply, and an error reply keeps the connection`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        #expect(try connection.call("PING") == .status("PONG"))
        #expect(try connection.call("SET", "a", "1") == .status("OK"))
        #expect(try connection.call("INCR", "a") == .integer(2))
        #expect(try connection.call("GET", "a") == .bytes(bytes("2")))
        #expect(try connection.call("GET", "none") == .null)
        #expect(try connection.call("MGET", "a", "none") == .array([.bytes(bytes("2")), .null]))
        #expect(try connection.call("XREAD", "STREAMS", "none", "0") == .null)
        #expect(try connection.call("KEYS", "none") == .array([]))
        #expect(try connection.call("CLIENT", "GETNAME").text == "tweencast")
        // An error is thrown, or received, and changes nothing about the connection.
        #expect(code { _ = try connection.call("LPUSH", "a", "1") } == .failed)
        connection.append("LPUSH", "a", "1")
        guard case .error(let text) = try connection.receive() else {
            Issue.record("no error")
            return
        }
        #expect(text.hasPrefix("WRONGTYPE"))
        #expect(
            try connection.call("EVAL", "return {1, {err='INNER x'}}", "0") == .array([.integer(1), .error("INNER x")]))
        #expect(connection.failure == nil)
    }

    @Test func `keys and values of any bytes come back unchanged`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        let all = (0...255).map { UInt8($0) }
        for value in [[], all, bytes("\r\n$5\r\n*3\r\n"), all.reversed()] {
            _ = try connection.call([bytes("HSET"), all, value, value])
            #expect(try connection.call([bytes("HGET"), all, value]) == .bytes(value))
        }
    }

    @Test func `10000 pipelined requests are answered in order`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        let body = [UInt8](repeating: 7, count: 100)
        for index in 1...10_000 {
            connection.append([bytes("XADD"), bytes("s"), bytes("\(index)-0"), bytes("body"), body])
        }
        for index in 1...10_000 { #expect(try connection.receive().text == "\(index)-0") }
        // All of them in one answer.
        let answer = try connection.call("XREAD", "COUNT", "10000", "STREAMS", "s", "0")
        let entries = try #require(answer.elements?.first?.elements?.last?.elements)
        #expect(entries.count == 10_000)
        for (index, entry) in entries.enumerated() {
            #expect(
                entry == .array([.bytes(bytes("\(index + 1)-0")), .array([.bytes(bytes("body")), .bytes(body)])]))
        }
    }

    @Test(arguments: [512 << 10, 32 << 20, 64 << 20]) func `values of up to 64 MiB are written and read back`(size: Int)
        throws
    {
        let server = try RedisServer()
        let connection = try server.connect()
        var value = [UInt8](repeating: 0x0D, count: size)
        for index in stride(from: 0, to: size, by: 4_093) { value[index] = UInt8(truncatingIfNeeded: index) }
        #expect(try connection.call([bytes("SET"), bytes("large"), value]) == .status("OK"))
        let answer = try connection.call("GET", "large")
        #expect(answer.bytes.map { Data($0) == Data(value) } == true)
        #expect(try connection.call("PING") == .status("PONG"))
    }

    @Test func `a request of 800 arguments and 16 MB is sent whole`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        let pieces = (0..<800).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 20_000) }
        #expect(try connection.call([bytes("RPUSH"), bytes("list")] + pieces) == .integer(800))
        #expect(try connection.call("LRANGE", "list", "0", "-1") == .array(pieces.map { .bytes($0) }))
    }

    @Test func `receiving without a pending request is an error, and replies come in order`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        #expect(code { _ = try connection.receive() } == .protocolError)
        connection.append([])
        #expect(code { _ = try connection.receive() } == .protocolError)
        connection.append("PING")
        #expect(code { _ = try connection.call("PING") } == .protocolError)
        #expect(try connection.receive() == .status("PONG"))
        #expect(try connection.call("PING") == .status("PONG"))
    }

    @Test func `an answer that the library can't read ends the connection`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        #expect(try connection.call("EVAL", "return {{{{{{{1}}}}}}}", "0").elements?.count == 1)
        #expect(code { _ = try connection.call("EVAL", "return {{{{{{{{{1}}}}}}}}}", "0") } == .protocolError)
        #expect(connection.failure?.code == .protocolError)
        #expect(code { _ = try connection.call("PING") } == .protocolError)
    }

    @Test func `only the server's password opens a connection`() throws {
        let server = try RedisServer(["requirepass right"])
        #expect(try server.connect(password: "right").call("PING") == .status("PONG"))
        for password in ["wrong", "", "right "] {
            #expect(code { _ = try server.connect(password: password) } == .refused)
        }
        let stranger = try server.connect()
        #expect(code { _ = try stranger.call("PING") } == .refused)
        let open = try RedisServer()
        #expect(code { _ = try open.connect(password: "right") } == .refused)
    }

    @Test func `an ACL user may do only what its rules allow`() throws {
        let server = try RedisServer([
            "user default off", "user reader on >pass ~b* +get +ping", "user all on nopass ~* +@all",
        ])
        let reader = try server.connect(user: "reader", password: "pass")
        #expect(try reader.call("GET", "board") == .null)
        for request in [["SET", "board", "1"], ["GET", "other"], ["CLIENT", "ID"]] {
            #expect(code { _ = try reader.call(request.map(bytes)) } == .refused)
        }
        #expect(try reader.call("PING") == .status("PONG"))
        #expect(try server.connect(user: "all", password: "any").call("SET", "board", "1") == .status("OK"))
        #expect(code { _ = try server.connect(user: "nobody", password: "pass") } == .refused)
        #expect(code { _ = try server.connect(password: "pass") } == .refused)
    }

    @Test func `a refused login does not put the password into the error`() throws {
        let server = try RedisServer(["rename-command AUTH \"\""])
        let error = #expect(throws: RedisError.self) { _ = try server.connect(user: "u", password: "hunter2") }
        #expect(error?.code == .refused)
        #expect(error?.cause.contains("hunter2") == false)
    }

    @Test func `a Unix socket connects with password and database`() throws {
        let server = try RedisServer(["unixsocket redis.sock", "requirepass pass"])
        let endpoint = RedisEndpoint.unix(path: server.socket)
        let credentials = RedisCredentials(password: "pass")
        let connection = try RedisConnection(
            to: endpoint, RedisConnectionConfiguration(credentials: credentials, database: 3))
        #expect(try connection.call("SET", "a", "1") == .status("OK"))
        #expect(code { _ = try RedisConnection(to: endpoint).call("PING") } == .refused)
        #expect(code { _ = try RedisConnection(to: .unix(path: server.socket + ".none")) } == .unreachable)
        server.terminate()
        #expect(code { _ = try connection.call("PING") } == .unreachable)
    }

    @Test func `a connection uses its database from its first request`() throws {
        let server = try RedisServer(["databases 4"])
        _ = try server.connect(database: 3).call("SET", "a", "3")
        #expect(try server.connect().call("GET", "a") == .null)
        #expect(try server.connect(database: 3).call("GET", "a").text == "3")
        #expect(code { _ = try server.connect(database: 4) } == .unsuitable)
    }

    @Test func `a host name is resolved, and an unknown one is unreachable`() throws {
        let server = try RedisServer()
        let connection = try RedisConnection(to: .tcp(host: "localhost", port: server.port))
        #expect(try connection.call("PING") == .status("PONG"))
        #expect(code { _ = try RedisConnection(to: .tcp(host: "nowhere.invalid", port: 6379)) } == .unreachable)
    }

    @Test func `a server out of memory is reported as such, and reads go on`() throws {
        let server = try RedisServer(["maxmemory 1mb", "maxmemory-policy noeviction"])
        let connection = try server.connect()
        let script = RedisScript(name: "set", source: "return redis.call('SET', KEYS[1], ARGV[1])")
        let value = [UInt8](repeating: 1, count: 200_000)
        let full = code {
            for index in 0..<20 { _ = try connection.call([bytes("SET"), bytes("\(index)"), value]) }
        }
        #expect(full == .outOfMemory)
        #expect(
            code { _ = try script.evaluate(on: connection, keys: [bytes("a")], arguments: [value]) } == .outOfMemory)
        #expect(try connection.call("GET", "none") == .null)
    }

    @Test func `a master without enough replicas is reported as noReplicas`() throws {
        let server = try RedisServer(["min-replicas-to-write 1"])
        let connection = try server.connect()
        #expect(code { _ = try connection.call("SET", "a", "1") } == .noReplicas)
    }

    @Test func `a server at its maximum of clients counts as unreachable`() throws {
        let server = try RedisServer(["maxclients 2"])
        var connections: [RedisConnection] = []
        #expect(code { for _ in 0..<3 { connections.append(try server.connect()) } } == .unreachable)
        for connection in connections { #expect(try connection.call("PING") == .status("PONG")) }
    }
}
