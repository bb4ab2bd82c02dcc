// Each answer is told of, once, whatever became of its request; and the names of requests.

import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct AnsweredRequestTests {
    @Test func `each answer is reported once, with its status, byte count and request ID`() throws {
        let server = try TestServer(bodyLimit: 100) { request, responder in
            switch request.path {
            case "/later": responder.send { .text(200, "later") }
            case "/silent": break
            default: responder.send(.text(201, "done"))
            }
        }
        let client = server.client
        func name(_ number: Int) -> [String] { ["X-Request-ID: r\(number)"] }
        _ = try client.get("/a?b=c", headers: name(1))
        _ = try client.send("HEAD", "/a", headers: name(2))
        _ = try client.post("/a", "body", headers: name(3))
        _ = try client.get("/later", headers: name(4))
        // Let go without an answer, refused by its head, by its body's length, and by more than was announced.
        _ = try client.get("/silent", headers: name(5))
        _ = try client.post("/a", "body", headers: name(6) + ["X-Refuse: 1"])
        _ = try client.post("/a", String(repeating: "x", count: 200), headers: name(7))
        let raw = try RawConnection(port: server.port)
        try raw.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Request-ID: r8\r\n\r\n")
        #expect(try HTTPClient.answer(from: raw).status == 400)
        let told = server.told
        #expect(told.map(\.id) == (1...8).map { "r\($0)" })
        #expect(told.map(\.status) == [201, 201, 201, 200, 500, 401, 413, 400])
        #expect(told.map(\.bytes) == [4, 0, 4, 5, 10, 7, 8, 12])
        #expect(told[0].path == "/a" && told[1].method == "HEAD" && told.allSatisfy { !$0.isStream })
    }

    @Test func `generated request IDs are unique and at most 15 bytes long`() {
        let first = RequestIDs()
        let second = RequestIDs()
        var names: [String] = []
        for _ in 0..<1_000 {
            names.append(first.next())
            names.append(second.next())
        }
        #expect(Set(names).count == 2_000)
        #expect(names.allSatisfy { $0.utf8.count <= 15 && RequestIDs.admitted($0) == $0 })
    }

    @Test(arguments: ["", " ", "a b", "a\nb", "a\"", "ä", "a;b", "{}", String(repeating: "a", count: 129)])
    func `a malformed request ID of a client is not taken over`(text: String) {
        #expect(RequestIDs.admitted(text) == nil)
    }
}
