// Clients that send a little now and then: silence is not the only way to hold a connection.

import HTTPTransport
import OperatingSystem
import TestSupport
import Testing

@Suite struct DeadlineTests {
    private func server(configure: (inout HTTPServerConfiguration) -> Void) throws -> TestServer {
        try TestServer(bodyLimit: 50_000_000, configure: configure) { request, responder in
            if request.path == "/long" {
                responder.send(.text(200, String(repeating: "x", count: 50_000_000)))
            } else {
                responder.send(.text(200, "\(request.body.count)"))
            }
        }
    }

    /// Sends a byte now and then until the server ends the connection.
    private func dribble(_ text: String, on client: RawConnection) -> Bool {
        eventually { (try? client.send(text)) == nil }
    }

    @Test func `a head that comes byte by byte is cut off when its time is over`() throws {
        let server = try server { $0.headTimeout = 0.5 }
        let client = try RawConnection(port: server.port)
        try client.send("GET / HTTP/1.1\r\n")
        #expect(dribble("a", on: client))
        #expect(eventually { server.server.connectionCount == 0 })
        #expect(server.server.counters.late == 1)
    }

    @Test func `a second request's head that arrives byte by byte is cut off at the idle timeout`() throws {
        let server = try server { $0.timeoutSeconds = 1 }
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("GET", "/"))
        #expect(try HTTPClient.answer(from: client).status == 200)
        try client.send("GET / HTTP/1.1\r\n")
        #expect(dribble("a", on: client))
    }

    @Test(arguments: ["Content-Length: 40000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0"])
    func `a body or chunk size that arrives byte by byte is cut off at the body timeout`(start: String) throws {
        let server = try server {
            $0.bodyTimeout = 0.5
            $0.lowestBodyRate = .max
        }
        let client = try RawConnection(port: server.port)
        try client.send("POST / HTTP/1.1\r\nHost: x\r\n\(start)")
        #expect(dribble("0", on: client))
        #expect(eventually { server.server.counters.bodyBytes == 0 })
    }

    @Test func `a client that reads an answer below the lowest rate is cut off, though never silent`() throws {
        let server = try server {
            $0.answerTimeout = 1
            $0.lowestAnswerRate = .max
        }
        let client = try RawConnection(port: server.port, receiveBuffer: 4_096)
        try client.send(HTTPClient.request("GET", "/long"))
        #expect(
            eventually {
                // Some each millisecond, so that there is no silence.
                _ = try? client.read(count: 4_096)
                return server.server.counters.late == 1
            })
        #expect(eventually { server.server.connectionCount == 0 })
    }

    @Test func `the wait for an answer has no deadline`() throws {
        let kept = KeptExchanges()
        let server = try TestServer(configure: {
            $0.headTimeout = 2
            $0.timeoutSeconds = 1
        }) { request, responder in
            if request.path == "/wait" { kept.keep(responder) } else { responder.send(.text(200, "")) }
        }
        let waiting = try RawConnection(port: server.port)
        try waiting.send(HTTPClient.request("GET", "/wait"))
        let exchanges = kept.take(1)
        // Another that begins no request is cut off meanwhile, so that deadlines were looked at.
        let idle = try RawConnection(port: server.port)
        #expect(try idle.readToEnd().isEmpty)
        exchanges.first?.send(.text(200, "late"))
        #expect(try HTTPClient.answer(from: waiting).body == "late")
    }

    @Test func `at the connection limit, a new client displaces those that sent no whole request head`() throws {
        let server = try server { $0.connectionLimit = 8 }
        let idle = try (0..<40).map { _ in try RawConnection(port: server.port) }
        for client in idle { try client.send("GET / HT") }
        // A new client is served although all places were taken, and more wait before it.
        #expect(try server.client.get("/").status == 200)
        #expect(server.server.counters.displaced > 0)
        #expect(server.server.counters.late == 0)
        #expect(server.server.connectionCount <= 8)
    }

    @Test func `at the connection limit, a new client displaces those whose body does not arrive`() throws {
        let server = try server { $0.connectionLimit = 8 }
        let begun = try (0..<40).map { _ in try RawConnection(port: server.port) }
        for client in begun { try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nx") }
        #expect(try server.client.get("/").status == 200)
        #expect(server.server.counters.displaced > 0)
        #expect(server.server.counters.late == 0)
    }

    @Test func `an owner over its connection rate is turned away, and its open connection goes on`() throws {
        let server = try server {
            $0.connectionRate = 1
            $0.owner = { $0 == "127.0.0.1" ? "one" : nil }
        }
        let first = try RawConnection(port: server.port)
        var answered = 0
        while server.server.counters.hasty == 0, answered < 1_000 {
            let next = try RawConnection(port: server.port)
            // Turned away, it may be gone before all is sent.
            try? next.send(HTTPClient.request("GET", "/"))
            if let answer = try? HTTPClient.answer(from: next), answer.status == 200 { answered += 1 }
        }
        #expect(server.server.counters.hasty == 1)
        try first.send(HTTPClient.request("GET", "/"))
        #expect(try HTTPClient.answer(from: first).status == 200)
        // A place is free again with time alone.
        #expect(eventually { (try? server.client.get("/"))?.status == 200 })
    }

    @Test func `connections without an owner have no connection rate`() throws {
        let server = try server { $0.connectionRate = 1 }
        for _ in 0..<50 { #expect(try server.client.get("/").status == 200) }
        #expect(server.server.counters.hasty == 0)
    }

    @Test func `at the connection limit, a request that is being served is not displaced`() throws {
        let kept = KeptExchanges()
        let server = try TestServer(configure: { $0.connectionLimit = 4 }) { request, responder in
            if request.path == "/wait" { kept.keep(responder) } else { responder.send(.text(200, "ok")) }
        }
        let waiting = try (0..<3).map { _ in try RawConnection(port: server.port) }
        for client in waiting { try client.send(HTTPClient.request("GET", "/wait")) }
        let exchanges = kept.take(3)
        let idle = try (0..<4).map { _ in try RawConnection(port: server.port) }
        #expect(idle.count == 4)
        #expect(try server.client.get("/").body == "ok")
        for responder in exchanges { responder.send(.text(200, "served")) }
        for client in waiting { #expect(try HTTPClient.answer(from: client).body == "served") }
    }
}
