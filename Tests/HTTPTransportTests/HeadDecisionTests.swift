// What becomes of a request that is judged by its head, before its body is there.

import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct HeadDecisionTests {
    /// Answers how long the body was that was handed over, and the note that came with it.
    private func server() throws -> TestServer {
        try TestServer(bodyLimit: 1_000) { request, responder in
            responder.send(.text(200, "\(request.body.count) \((request.context as? Keepsake)?.text ?? "-")"))
        }
    }

    private func head(_ path: String = "/", _ headers: String...) -> String {
        (["POST \(path) HTTP/1.1", "Host: x"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    private func bytes(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(arguments: [1, 1_000, 1_001, 100_000])
    func `a refused request's body is read to its end, and the connection stays open`(count: Int) throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send(head("/", "X-Refuse: 1", "Content-Length: \(count)") + bytes(count - 1))
        #expect(server.server.counters.bodyBytes == 0)
        try client.send("x" + head("/", "Content-Length: 3") + "abc")
        let refusal = try HTTPClient.answer(from: client)
        #expect(refusal.status == 401 && refusal.body == "not you")
        #expect(refusal.headers["connection"] != "close")
        #expect(try HTTPClient.answer(from: client).body == "3 -")
    }

    @Test(arguments: [(10, "Expect: 100-continue"), (5_000_000, "X-Other: 1")])
    func `a refused body is answered at its head and closed if it is huge or awaits 100-continue`(
        count: Int, header: String
    ) throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send(head("/", "X-Refuse: 1", header, "Content-Length: \(count)"))
        let refusal = try HTTPClient.answer(from: client)
        #expect(refusal.status == 401 && refusal.headers["connection"] == "close")
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a refused chunked body is read to its end, and cut off when endless`() throws {
        let server = try server()
        let chunk = "3e8\r\n\(bytes(1_000))\r\n"
        let start = head("/", "X-Refuse: 1", "Transfer-Encoding: chunked")
        let client = try RawConnection(port: server.port)
        try client.send(start + String(repeating: chunk, count: 50) + "0\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).status == 401)
        let endless = try RawConnection(port: server.port)
        try endless.send(start)
        #expect(throws: RawConnection.Failure.self) {
            for _ in 0..<100_000 { try endless.send(chunk) }
        }
        #expect(server.server.counters.bodyBytes == 0)
    }

    @Test func `a body that the path does not read is discarded up to the limit, and gets a 413 beyond it`() throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send(head("/unread", "Content-Length: 1000") + bytes(999))
        #expect(server.server.counters.bodyBytes == 0)
        try client.send("x")
        #expect(try HTTPClient.answer(from: client).body == "0 -")
        #expect(try server.client.post("/unread", bytes(1_001)).status == 413)
    }

    @Test func `the context made from a request's head is given to its handler with the body`() throws {
        let server = try server()
        #expect(try server.client.post("/", "abc", headers: ["X-Note: known"]).body == "3 known")
        // Where no body is to come nothing is judged.
        #expect(try server.client.post("/", "", headers: ["X-Note: known", "X-Refuse: 1"]).body == "0 -")
    }
}
