// How much of bodies is kept: by path, and of all together.

import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct BodyBudgetTests {
    private func server(budget: Int) throws -> TestServer {
        try TestServer(bodyLimit: 1_000, configure: { $0.bodyBudget = budget }) { request, exchange in
            exchange.send(.text(200, "\(request.body.count)"))
        }
    }

    private func start(_ path: String, length: Int, of announced: Int, on server: TestServer) throws -> RawConnection {
        let client = try RawConnection(port: server.port)
        let body = String(repeating: "x", count: length)
        try client.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(announced)\r\n\r\n\(body)")
        return client
    }

    @Test(arguments: [("/", 1_000, 200), ("/", 1_001, 413), ("/large", 10_000, 200), ("/large", 10_001, 413)])
    func `the limit is the path's`(path: String, length: Int, status: Int) throws {
        let server = try server(budget: 1_000_000)
        #expect(try HTTPClient.answer(from: start(path, length: length, of: length, on: server)).status == status)
        #expect(server.server.counters.bodyBytes == 0)
    }

    @Test func `bodies under way are counted, and what finds no room is refused until there is some`() throws {
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

    @Test func `a body that outgrows what is left is dropped and refused at its end`() throws {
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

    @Test func `a budget takes what fits and gives nothing twice`() {
        let budget = BodyBudget(10)
        #expect(budget.take(10))
        #expect(!budget.take(1))
        #expect(budget.bytes == 10)
        #expect(!budget.hasRoom(for: 1))
        budget.give(4)
        #expect(budget.hasRoom(for: 4))
        #expect(!budget.hasRoom(for: 5))
        #expect(!budget.hasRoom(for: .max))
    }
}
