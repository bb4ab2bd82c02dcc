// Servers that stop, die and come back, and threads that no longer want to wait.

import OperatingSystem
import ReplicationRedis
import Synchronization
import TestSupport
import Testing

@Suite struct RedisFaultTests {
    @Test func `a request to a stopped server ends at its timeout, and its connection stays unusable`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        #expect(try connection.call("SET", "a", "1") == .status("OK"))
        server.pause()
        let error = RedisError(.unreachable, "\(server.endpoint): no answer within 0.3 s")
        #expect(throws: error) { _ = try connection.call(["GET", "a"].map(bytes), .atMost(.milliseconds(300))) }
        #expect(connection.failure == error)
        // The kernel still takes connections for it.
        #expect(code { _ = try server.connect(answerTimeout: .milliseconds(100)) } == .unreachable)
        server.resume()
        // An answer that comes late is nobody's.
        #expect(throws: error) { _ = try connection.call("PING") }
        #expect(throws: error) { _ = try connection.receive() }
        #expect(try server.connect().call("GET", "a").text == "1")
    }

    @Test func `a timeout is a request's own`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        let wait = { ["XREAD", "BLOCK", $0, "STREAMS", "s", "$"].map(bytes) }
        for timeout in [RedisTimeout.usual, .endless, .usual, .atMost(.seconds(30))] {
            #expect(try connection.call(wait("10"), timeout) == .null)
        }
        #expect(code { _ = try connection.call(wait("0"), .atMost(.milliseconds(1))) } == .unreachable)
    }

    @Test func `a write that a stopped server does not take ends at its timeout`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        server.pause()
        let request = [bytes("SET"), bytes("a"), [UInt8](repeating: 1, count: 32 << 20)]
        #expect(code { _ = try connection.call(request, .atMost(.milliseconds(300))) } == .unreachable)
        server.resume()
    }

    @Test func `a server that died is unreachable until it is back`() throws {
        let server = try RedisServer(["appendonly yes", "appendfsync always"])
        let connection = try server.connect()
        #expect(try connection.call("SET", "a", "1") == .status("OK"))
        server.kill()
        for _ in 0..<2 { #expect(code { _ = try connection.call("GET", "a") } == .unreachable) }
        #expect(code { _ = try server.connect() } == .unreachable)
        try server.start()
        #expect(code { _ = try connection.call("GET", "a") } == .unreachable)
        #expect(try server.connect().call("GET", "a").text == "1")
    }

    @Test func `a pipeline that is cut off fails for all that wasn't answered`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        connection.append("PING")
        connection.append("PING")
        for _ in 0..<2 { #expect(try connection.receive() == .status("PONG")) }
        connection.append("SHUTDOWN", "NOSAVE")
        connection.append("PING")
        for _ in 0..<2 { #expect(code { _ = try connection.receive() } == .unreachable) }
    }

    @Test func `a server loading its data is reported as loading until it has finished`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        var random = SeededRandom(seed: 1)
        for index in 0..<200 {
            // Incompressible, as events are looked at by bytes read.
            let value = (0..<1_024).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = try connection.call([bytes("SET"), bytes("\(index)"), value])
        }
        _ = try connection.call("SAVE")
        server.kill()
        try server.start(["key-load-delay 50000", "loading-process-events-interval-bytes 1024"], until: .answering)
        let early = try server.connect()
        #expect(code { _ = try early.call("GET", "0") } == .loading)
        let locator = RedisLocator(try RedisAddress("redis://127.0.0.1:\(server.port)?name=b"))
        #expect(code { _ = try locator.locate() } == .loading)
        _ = try early.call("CONFIG", "SET", "key-load-delay", "0")
        try eventually("the server's end of loading") { code { _ = try early.call("GET", "0") } == nil }
        #expect(try locator.locate().call("DBSIZE") == .integer(200))
    }

    @Test func `a wait without end is ended by another thread`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        let failure = Mutex<RedisError?>(nil)
        let thread = OwnedThread(name: "reader") {
            do throws(RedisError) {
                _ = try connection.call(["XREAD", "BLOCK", "0", "STREAMS", "s", "$"].map(bytes), .endless)
            } catch {
                failure.withLock { $0 = error }
            }
        }
        #expect(thread.start())
        defer {
            connection.interrupt()
            thread.join()
        }
        try eventually("a blocked client") { try server.ask("INFO", "clients").contains("blocked_clients:1") }
        connection.interrupt()
        thread.join()
        #expect(failure.withLock { $0 } == RedisError(.unreachable, "\(server.endpoint): interrupted"))
    }

    @Test func `an interrupt before a request makes that request fail`() throws {
        let server = try RedisServer()
        let connection = try server.connect()
        connection.interrupt()
        // What is written from here on would end the process by SIGPIPE if it were let.
        #expect(code { _ = try connection.call(["BLPOP", "none", "0"].map(bytes), .endless) } == .unreachable)
    }

    @Test func `a late interrupt does not reach another connection with the same descriptor`() throws {
        let server = try RedisServer()
        for _ in 0..<200 {
            let first = try server.connect()
            let thread = OwnedThread(name: "interrupter") { for _ in 0..<50 { first.interrupt() } }
            #expect(thread.start())
            defer { thread.join() }
            first.close()
            // It gets the descriptor's number.
            let second = try server.connect()
            thread.join()
            #expect(try second.call("PING") == .status("PONG"))
            #expect(code { _ = try first.call("PING") } == .unreachable)
        }
    }
}
