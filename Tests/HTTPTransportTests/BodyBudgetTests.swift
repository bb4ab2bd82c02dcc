// How much of bodies is kept: by path, and of all together.

import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct BodyBudgetTests {
    private func server(budget: Int) throws -> TestServer {
        try TestServer(bodyLimit: 1_000, configure: { $0.bodyBudget = budget }) { request, responder in
            responder.send(.text(200, "\(request.body.count)"))
        }
    }

    private func start(
        _ path: String, length: Int, of announced: Int, by owner: String? = nil, on server: TestServer
    ) throws -> RawConnection {
        let client = try RawConnection(port: server.port)
        let body = String(repeating: "x", count: length)
        let whose = owner.map { "X-Owner: \($0)\r\n" } ?? ""
        try client.send("POST \(path) HTTP/1.1\r\nHost: x\r\n\(whose)Content-Length: \(announced)\r\n\r\n\(body)")
        return client
    }

    @Test(arguments: [("/", 1_000, 200), ("/", 1_001, 413), ("/large", 10_000, 200), ("/large", 10_001, 413)])
    func `the limit of a body's length depends on the path`(path: String, length: Int, status: Int) throws {
        let server = try server(budget: 1_000_000)
        #expect(try HTTPClient.answer(from: start(path, length: length, of: length, on: server)).status == status)
        #expect(server.server.counters.bodyBytes == 0)
    }

    @Test func `a body for which the budget has no room gets a 503 until another body is finished`() throws {
        let server = try server(budget: 15_000)
        let first = try start("/large", length: 9_000, of: 10_000, on: server)
        #expect(eventually { server.server.counters.bodyBytes == 9_000 })
        let refused = try start("/large", length: 6_001, of: 6_001, on: server)
        let answer = try HTTPClient.answer(from: refused)
        #expect(answer.status == 503)
        #expect(answer.headers["connection"] == "close")
        #expect(try server.client.post("/large", String(repeating: "x", count: 6_000)).body == "6000")
        try first.send(String(repeating: "x", count: 1_000))
        #expect(try HTTPClient.answer(from: first).body == "10000")
        #expect(eventually { server.server.counters.bodyBytes == 0 })
        #expect(try server.client.post("/large", String(repeating: "x", count: 10_000)).body == "10000")
    }

    @Test func `a chunked body that outgrows the budget is dropped and answered with a 503 at its end`() throws {
        let server = try server(budget: 5_000)
        let client = try RawConnection(port: server.port)
        let chunk = "3e8\r\n\(String(repeating: "x", count: 1_000))\r\n"
        try client.send("POST /large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        try client.send(String(repeating: chunk, count: 9) + "0\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).status == 503)
        #expect(eventually { server.server.counters.bodyBytes == 0 })
    }

    @Test func `clients that leave in the middle of a body give its room back`() throws {
        let server = try server(budget: 100_000)
        do {
            let clients = try (0..<10).map { _ in try start("/large", length: 9_000, of: 10_000, on: server) }
            #expect(eventually { server.server.counters.bodyBytes == 90_000 })
            #expect(clients.count == 10)
        }
        #expect(eventually { server.server.counters.bodyBytes == 0 })
    }

    @Test func `one owner's bodies cannot take the whole budget: another owner's body is accepted`() throws {
        let server = try server(budget: 20_000)
        let first = try start("/large", length: 9_999, of: 10_000, by: "a", on: server)
        #expect(eventually { server.server.counters.bodyBytes == 9_999 })
        let refused = try start("/large", length: 100, of: 100, by: "a", on: server)
        #expect(try HTTPClient.answer(from: refused).status == 503)
        let others = try start("/large", length: 5_000, of: 5_000, by: "b", on: server)
        #expect(try HTTPClient.answer(from: others).body == "5000")
        // One that is nobody's in particular is held to what is left alone.
        let nobodys = try start("/large", length: 10_000, of: 10_000, on: server)
        #expect(try HTTPClient.answer(from: nobodys).body == "10000")
        try first.send("x")
        #expect(try HTTPClient.answer(from: first).body == "10000")
        #expect(eventually { server.server.counters.bodyBytes == 0 })
        let again = try start("/large", length: 10_000, of: 10_000, by: "a", on: server)
        #expect(try HTTPClient.answer(from: again).body == "10000")
    }

    @Test func `a chunked body that outgrows its owner's share gets a 503, another owner's a 200`() throws {
        let server = try server(budget: 8_000)
        let client = try RawConnection(port: server.port)
        let chunk = "3e8\r\n\(String(repeating: "x", count: 1_000))\r\n"
        try client.send("POST /large HTTP/1.1\r\nHost: x\r\nX-Owner: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        try client.send(String(repeating: chunk, count: 4))
        #expect(eventually { server.server.counters.bodyBytes == 4_000 })
        let others = try start("/large", length: 2_000, of: 2_000, by: "b", on: server)
        #expect(try HTTPClient.answer(from: others).body == "2000")
        try client.send(chunk + "0\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).status == 503)
        #expect(eventually { server.server.counters.bodyBytes == 0 })
    }

    @Test func `a byte budget refuses what does not fit and has room again after bytes are given back`() {
        let budget = ByteBudget(10)
        #expect(budget.reserve(6, of: nil, isFirst: true) && budget.reserve(4, of: nil, isFirst: false))
        #expect(!budget.reserve(1, of: nil, isFirst: true))
        #expect(budget.bytes == 10)
        #expect(!budget.hasRoom(for: 1, of: nil))
        budget.give(10, of: nil)
        #expect(budget.reserve(5, of: "a", isFirst: true) && !budget.reserve(1, of: "a", isFirst: false))
        #expect(budget.hasRoom(for: 5, of: "b") && !budget.hasRoom(for: 6, of: "b"))
        #expect(budget.hasRoom(for: 5, of: nil) && !budget.hasRoom(for: .max, of: nil))
        budget.give(5, of: "a")
        #expect(budget.bytes == 0 && budget.hasRoom(for: 5, of: "a"))
    }
}
