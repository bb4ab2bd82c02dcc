// The server as its clients see it: requests, answers now and later, limits, start and stop.

import Glibc
import HTTPTransport
import TestSupport
import Testing

@Suite struct HTTPServerTests {
    @Test func `a request arrives whole: method, decoded path, query in order, headers in any case, body`() throws {
        let server = try TestServer { request, responder in
            let query = request.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let body = String(decoding: request.body, as: UTF8.self)
            let parts = [request.method, request.path, query, request.header("x-one") ?? "-", body]
            responder.send(.text(200, parts.joined(separator: "|")))
        }
        let answer = try server.client.send(
            "PUT", "/a%20b/c?b=2&a=1%2B1&b=x+y&flag", body: "hello", headers: ["X-One: 1"])
        #expect(answer.status == 200)
        #expect(answer.body == "PUT|/a b/c|b=2&a=1+1&b=x y&flag=|1|hello")
        #expect(answer.headers["content-type"] == "text/plain")
    }

    @Test func `a query name given twice yields its first value, and the peer's address is known`() throws {
        let server = try TestServer { request, responder in
            responder.send(.text(200, "\(request.query("a") ?? "-") \(request.query("z") ?? "-") \(request.peer)"))
        }
        #expect(try server.client.get("/?a=1&a=2").body == "1 - 127.0.0.1")
    }

    @Test func `an attachment of a connection is seen by its later requests and by no other connection's`()
        throws
    {
        let server = try TestServer { request, responder in
            let known = (request.attachment as? Keepsake)?.text ?? "-"
            request.attachment = Keepsake(text: request.path)
            responder.send(.text(200, "\(known) \(request.peer)"))
        }
        let clients = try (0..<2).map { _ in try RawConnection(port: server.port) }
        for client in clients {
            for (path, known) in [("/a", "-"), ("/b", "/a"), ("/c", "/b")] {
                try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try HTTPClient.answer(from: client).body == "\(known) 127.0.0.1")
            }
        }
    }

    @Test(arguments: ["/a%00b", "/%00", "/?q=a%00b", "/?a%00b=1"])
    func `an escaped NUL stays escaped and truncates neither path nor query`(target: String) throws {
        let server = try TestServer { request, responder in
            let query = request.queryItems.map { "\($0.name)=\($0.value)" }.joined()
            responder.send(.text(200, request.path + query))
        }
        #expect(try server.client.get(target).body.contains("%00"))
    }

    @Test(arguments: ["/%zz", "/%", "/%4", "/100%"])
    func `a malformed percent escape in a path stays as it is`(target: String) throws {
        let server = try TestServer { request, responder in responder.send(.text(200, request.path)) }
        #expect(try server.client.get(target).body == target)
    }

    @Test func `HEAD gets the headers of GET and no body`() throws {
        let server = try TestServer { _, responder in responder.send(.text(200, "12345")) }
        let answer = try server.client.send("HEAD", "/")
        #expect(answer.status == 200)
        #expect(answer.headers["content-length"] == "5")
        #expect(answer.body.isEmpty)
    }

    /// None, few and many: the others are suspended.
    static let waitingLimits = [0, 2, 1_024]

    @Test(arguments: waitingLimits)
    func `an answer may come later, from another thread, in any order`(limit: Int) throws {
        let kept = KeptExchanges()
        let server = try TestServer(configure: { $0.waitingLimit = limit }) { _, responder in kept.keep(responder) }
        let clients = try (0..<8).map { _ in try RawConnection(port: server.port) }
        for client in clients { try client.send(HTTPClient.request("GET", "/")) }
        let exchanges = kept.take(clients.count)
        for (index, responder) in exchanges.enumerated().reversed() { responder.send(.text(200, "\(index)")) }
        let bodies = try clients.map { try HTTPClient.answer(from: $0).body }
        #expect(Set(bodies) == Set((0..<8).map { "\($0)" }))
    }

    @Test func `only the first answer counts`() throws {
        let server = try TestServer { _, responder in
            responder.send(.text(200, "first"))
            responder.send(.text(500, "second"))
        }
        #expect(try server.client.get("/").body == "first")
    }

    @Test(arguments: [false, true])
    func `a request whose responder is released without an answer gets a 500`(isLater: Bool) throws {
        let kept = KeptExchanges()
        let server = try TestServer { _, responder in if isLater { kept.keep(responder) } }
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("GET", "/"))
        if isLater { _ = kept.take(1) }
        let answer = try HTTPClient.answer(from: client)
        #expect(answer.status == 500)
        #expect(answer.body == "unanswered")
    }

    @Test func `pipelined requests are answered in their order on one connection`() throws {
        let server = try TestServer { request, responder in responder.send(.text(200, request.path)) }
        let client = try RawConnection(port: server.port)
        try client.send((0..<50).map { HTTPClient.request("GET", "/\($0)") }.joined())
        for index in 0..<50 { #expect(try HTTPClient.answer(from: client).body == "/\(index)") }
    }

    @Test func `requests without an answer yet don't hold up others`() throws {
        let kept = KeptExchanges()
        let server = try TestServer(configure: { $0.workers = 1 }) { request, responder in
            if request.path == "/wait" { kept.keep(responder) } else { responder.send(.text(200, "ok")) }
        }
        let waiting = try RawConnection(port: server.port)
        try waiting.send(HTTPClient.request("GET", "/wait"))
        let exchanges = kept.take(1)
        #expect(try server.client.get("/").body == "ok")
        exchanges.first?.send(.text(200, "late"))
        #expect(try HTTPClient.answer(from: waiting).body == "late")
    }

    // MARK: - Start and stop

    @Test func `starting on a port in use fails, and the server on it goes on`() throws {
        let first = try TestServer { _, responder in responder.send(.text(200, "first")) }
        #expect(throws: TransportError.addressInUse) {
            _ = try TestServer(configure: { $0.port = first.port }) { _, responder in
                responder.send(.text(200, "second"))
            }
        }
        for _ in 0..<10 { #expect(try first.client.get("/").body == "first") }
    }

    @Test(arguments: ["", "nonsense", "1.2.3", "256.0.0.1", "example.com"])
    func `a configured host that is no IP address is refused`(host: String) {
        #expect(throws: TransportError.badAddress(host)) {
            _ = try TestServer(configure: { $0.host = host }) { _, _ in }
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "::"])
    func `the server listens on an IPv4 address, and with :: on both families`(host: String) throws {
        let server = try TestServer(configure: { $0.host = host }) { request, responder in
            responder.send(.text(200, request.peer))
        }
        #expect(try server.client.get("/").body.contains("127.0.0.1"))
    }

    @Test func `a port is free again at once after a stop`() throws {
        var server: TestServer? = try TestServer { _, responder in responder.send(.text(200, "one")) }
        let port = try #require(server?.port)
        #expect(try HTTPClient(port: port).get("/").body == "one")
        server = nil
        let second = try TestServer(configure: { $0.port = port }) { _, responder in responder.send(.text(200, "two")) }
        #expect(try second.client.get("/").body == "two")
    }

    @Test func `a quiesced server refuses new connections and ends open ones with Connection: close`() throws {
        let kept = KeptExchanges()
        let server = try TestServer { _, responder in kept.keep(responder) }
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("GET", "/"))
        let exchanges = kept.take(1)
        server.server.quiesce()
        #expect(throws: RawConnection.Failure.self) { _ = try RawConnection(port: server.port) }
        exchanges.first?.send(.text(200, "done"))
        let answer = try HTTPClient.answer(from: client)
        #expect(answer.body == "done")
        #expect(answer.headers["connection"]?.lowercased() == "close")
    }

    @Test(arguments: waitingLimits)
    func `stopping the server answers waiting requests with a 500, though their responders are kept`(limit: Int) throws
    {
        let kept = KeptExchanges()
        var server: TestServer? = try TestServer(configure: { $0.waitingLimit = limit }) { _, responder in
            kept.keep(responder)
        }
        let port = try #require(server?.port)
        let clients = try (0..<20).map { _ in try RawConnection(port: port) }
        for client in clients { try client.send(HTTPClient.request("GET", "/")) }
        let exchanges = kept.take(clients.count)
        server = nil
        for client in clients { #expect(try HTTPClient.answer(from: client).status == 500) }
        // Too late, but harmless.
        for responder in exchanges { responder.send(.text(200, "late")) }
    }

    @Test(arguments: waitingLimits)
    func `an answer given just before a stop still arrives`(limit: Int) throws {
        for _ in 0..<20 {
            let kept = KeptExchanges()
            var server: TestServer? = try TestServer(configure: { $0.waitingLimit = limit }) { _, responder in
                kept.keep(responder)
            }
            let client = try RawConnection(port: try #require(server?.port))
            try client.send(HTTPClient.request("GET", "/"))
            kept.take(1).first?.send(.text(200, "in time"))
            server = nil
            #expect(try HTTPClient.answer(from: client).body == "in time")
        }
    }

    @Test func `starting and stopping while clients come and go is safe`() throws {
        for _ in 0..<50 {
            let server = try TestServer(configure: { $0.workers = 4 }) { _, responder in
                responder.send(.text(200, "ok"))
            }
            let clients = try (0..<8).map { _ in try RawConnection(port: server.port) }
            for client in clients { try client.send(HTTPClient.request("GET", "/")) }
            // The server goes while its workers are still busy with these.
        }
    }

    @Test func `stopping twice, or without a start, does nothing`() throws {
        let application = TestApplication { _, responder in responder.send(.text(200, "")) }
        let server = HTTPServer(configuration: HTTPServerConfiguration(), application: application)
        server.stop()
        _ = try server.start()
        server.stop()
        server.stop()
        #expect(server.connectionCount == 0)
    }
}
