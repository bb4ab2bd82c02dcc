// Answers that wait to be read: written in portions, counted, and refused beyond their limit.

import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct UnreadAnswerTests {
    private static let large = String(repeating: "0123456789", count: 100_000)

    /// `/large` is a megabyte, also of `POST`; other paths are themselves. The owner is the parameter `of`.
    private func server(_ configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> TestServer {
        try TestServer(configure: configure) { request, responder in
            responder.changeLabel { $0.owner = request.query("of") }
            guard responder.hasRoomForAnswer || request.method == "GET" else {
                return responder.send(.text(503, "full"))
            }
            responder.send(.text(200, request.path == "/large" ? Self.large : request.path))
        }
    }

    private func ask(_ path: String, method: String = "GET", of server: TestServer) throws -> RawConnection {
        let client = try RawConnection(port: server.port, receiveBuffer: 4_096)
        try client.send(HTTPClient.request(method, path))
        return client
    }

    @Test func `a long answer has its length, and the connection goes on`() throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("GET", "/large") + HTTPClient.request("GET", "/next"))
        let answer = try HTTPClient.answer(from: client)
        #expect(answer.body == Self.large && answer.headers["content-length"] == "1000000")
        #expect(try HTTPClient.answer(from: client).body == "/next")
        #expect(server.server.counters.unreadBytes == 0)
        #expect(server.told.map(\.bytes) == [1_000_000, 5])
    }

    @Test func `HEAD has the length of a long answer, and holds nothing`() throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("HEAD", "/large") + HTTPClient.request("GET", "/next"))
        let head = try #require(try client.readHead())
        #expect(head.contains("content-length: 1000000"))
        #expect(try HTTPClient.answer(from: client).body == "/next")
    }

    @Test func `answers that nobody reads are counted, and one beyond the limit is refused until there is room`() throws
    {
        let server = try server {
            $0.unreadBudget = 10_000_000
            $0.unreadPerOwner = 2_500_000
        }
        let clients = try (0..<2).map { _ in try ask("/large?of=a", of: server) }
        #expect(eventually { server.server.counters.unreadBytes == 2_000_000 })
        #expect(try server.client.get("/large?of=a").status == 503)
        // Short answers, and those of others, are no part of it.
        #expect(try server.client.get("/small?of=a").body == "/small")
        #expect(try server.client.get("/large?of=b").body == Self.large)
        #expect(try server.client.get("/large").body == Self.large)
        #expect(try HTTPClient.answer(from: clients[0]).body == Self.large)
        #expect(eventually { server.server.counters.unreadBytes == 1_000_000 })
        #expect(try server.client.get("/large?of=a").status == 200)
        clients[1].shut()
        #expect(eventually { server.server.counters.unreadBytes == 0 })
    }

    @Test func `a change's answer is sent beyond the unread limit, and the next change is refused`() throws {
        let server = try server {
            $0.unreadBudget = 10_000_000
            $0.unreadPerOwner = 500_000
        }
        let client = try ask("/large?of=a", method: "POST", of: server)
        #expect(eventually { server.server.counters.unreadBytes == 1_000_000 })
        #expect(try server.client.post("/large?of=a", "").body == "full")
        #expect(try HTTPClient.answer(from: client).body == Self.large)
    }

    @Test func `unread answers of all clients together have a limit`() throws {
        let server = try server { $0.unreadBudget = 1_500_000 }
        let client = try ask("/large", of: server)
        #expect(eventually { server.server.counters.unreadBytes == 1_000_000 })
        #expect(try server.client.get("/large").status == 503)
        client.shut()
        #expect(eventually { server.server.counters.unreadBytes == 0 })
        #expect(try server.client.get("/large").status == 200)
    }

    @Test func `a body in portions counts as one portion`() throws {
        let source = PortionSource((0..<100).map { _ in Array(repeating: 120, count: 16_384) })
        let server = try TestServer { _, responder in
            responder.send(HTTPResponse(status: 200, body: Array("first".utf8), rest: source))
        }
        let client = try ask("/", of: server)
        _ = try client.readHead()
        #expect(server.server.counters.unreadBytes == StreamedBody.portion)
        let body = try #require(try client.readChunks())
        #expect(body.hasPrefix("firstx") && body.utf8.count == 5 + 1_638_400)
        #expect(eventually { server.server.counters.unreadBytes == 0 })
    }

    @Test func `a client that reads an answer too slowly is cut off at the reading timeout`() throws {
        let server = try server { $0.readingTimeout = 0.1 }
        let client = try ask("/large", of: server)
        #expect(eventually { server.server.counters.late == 1 })
        // The connection may end with a reset.
        #expect(((try? client.readToEnd()) ?? "").utf8.count < 1_000_000)
        #expect(eventually { server.server.counters.unreadBytes == 0 })
    }
}
