// Whose bodies are kept before anybody has answered for them, on the real server: nobody's without a right to send them,
// and of nobody so many that there is no room for others'.

import Foundation
import TestSupport
import Testing

@Suite struct BodyShareTests {
    private static let batchBytes = 4 << 20
    /// As many as filled all the room there is for bodies.
    private static let crowd = 16

    /// Announces a batch of the longest kind and sends all of it but a byte.
    private static func withheld(_ headers: [String], on port: UInt16) throws -> RawConnection {
        let client = try RawConnection(port: port)
        try client.send(batch(headers))
        // Where the server has answered and gone there is nothing to be sent to.
        try? client.send([UInt8](repeating: UInt8(ascii: " "), count: batchBytes - 1))
        return client
    }

    private static func batch(_ headers: [String]) -> String {
        (["POST /v1/batch HTTP/1.1", "Host: localhost"] + headers + ["Content-Length: \(batchBytes)"])
            .joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Bytes of bodies that a server keeps.
    private static func keptBytes(_ client: HTTPClient, headers: [String] = []) throws -> Int {
        let name = #"tweencast_usage{name="waiting_body_bytes"} "#
        let line = try client.get("/metrics", headers: headers).body.split(separator: "\n").first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }

    /// A batch of the longest kind with one line in it.
    private static func batch(of line: String) -> String {
        String(repeating: " ", count: batchBytes - 1 - line.utf8.count) + "\n" + line
    }

    @Test func `a body without a token is not buffered, and a publisher's batch goes through`() throws {
        let guarded = try GuardedServer()
        let (client, port) = (guarded.server.client, guarded.server.port)
        let crowd = try (0..<Self.crowd).map { _ in try Self.withheld([], on: port) }
        let batch = Self.batch(of: #"{"ticker":"shop-2","to":1}"#)
        for (path, body, status) in [("/v1/tickers/shop-1", #"{"to":1}"#, 202), ("/v1/batch", batch, 200)] {
            let answer = try client.post(path, body, headers: GuardedServer.Visitor.publisher.headers)
            #expect(answer.status == status, "\(answer.body)")
        }
        #expect(try Self.keptBytes(client, headers: GuardedServer.Visitor.admin.headers) == 0)
        for visitor in crowd {
            try visitor.send(" " + HTTPClient.request("GET", "/healthz"))
            let answer = try HTTPClient.answer(from: visitor)
            #expect(answer.status == 401 && answer.headers["www-authenticate"] != nil)
            // The connection goes on, as behind any other answer.
            #expect(try HTTPClient.answer(from: visitor).status == 200)
        }
    }

    /// A request and how it is refused by its head.
    private struct Case {
        var headers: [String] = []
        var path = "/v1/batch"
        var status: Int
    }

    @Test func `Expect: 100-continue is refused at once if the head is not allowed`() throws {
        let guarded = try GuardedServer(arguments: ["--cors-origin", "https://app.example"])
        let page = "Origin: https://app.example"
        let cases = [
            Case(status: 401), Case(headers: ["Authorization: Bearer no-such-token-in-the-file"], status: 401),
            Case(headers: ["Authorization: Basic dTpw"], status: 401),
            Case(headers: GuardedServer.Visitor.subscriber.headers, status: 403),
            Case(headers: GuardedServer.Visitor.other.headers, path: "/v1/tickers/shop-1", status: 403),
            Case(headers: GuardedServer.Visitor.subscriber.headers, path: "/v1/tickers", status: 403),
            Case(headers: GuardedServer.Visitor.publisher.headers, path: "/v1/events", status: 403),
            Case(headers: GuardedServer.Visitor.publisher.headers, path: "/v1/tickets", status: 403),
            Case(path: "/v1/nothing", status: 404), Case(path: "/v1/clients", status: 405),
            Case(headers: ["Origin: https://evil.example"], status: 403),
            Case(headers: [page, "Content-Type: application/json"], status: 401),
            Case(headers: [page, "Content-Type: text/plain"], status: 415),
        ]
        for refused in cases {
            let connection = try RawConnection(port: guarded.server.port)
            let headers = refused.headers + ["Expect: 100-continue", "Content-Length: 1000"]
            try connection.send(HTTPClient.request("POST", refused.path, headers: headers))
            let answer = try HTTPClient.answer(from: connection)
            #expect(answer.status == refused.status, "\(refused)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect((answer.headers["access-control-allow-origin"] != nil) == refused.headers.contains(page))
        }
    }

    @Test func `a request refused by its head is counted and audited once`() throws {
        let folder = TemporaryFolder()
        let audit = folder.path + "/audit.jsonl"
        let guarded = try GuardedServer(arguments: [
            "--trusted-proxy", "127.0.0.1", "--refused-token-rate", "1", "--audit", audit,
        ])
        let wrong = try GuardedServer.jwt(GuardedServer.claims(), secret: String(repeating: "k", count: 40))
        func post(_ headers: [String]) throws -> Int {
            try guarded.server.client.post(
                "/v1/tickers/shop-1", #"{"to":1}"#, headers: ["X-Forwarded-For: 203.0.113.7"] + headers
            ).status
        }
        // Two seconds' worth may come at once.
        for _ in 0..<2 { #expect(try post(["Authorization: Bearer \(wrong)"]) == 401) }
        #expect(try post([]) == 401)
        #expect(try post(GuardedServer.Visitor.subscriber.headers) == 403)
        #expect(guarded.server.terminate() == 0)
        let told = try String(contentsOfFile: audit, encoding: .utf8).split(separator: "\n")
        #expect(told.count == 4 && told.allSatisfy { $0.contains(#""outcome":"denied""#) }, "\(told)")
        #expect(told.last?.contains(#""who":"subscriber","from":"203.0.113.7","what":"update""#) == true)
    }

    @Test func `a token that fills its share of body bytes leaves room for another token`() throws {
        let guarded = try GuardedServer()
        let admin = GuardedServer.Visitor.admin.headers
        let crowd = try (0..<Self.crowd).map { _ in
            try Self.withheld(GuardedServer.Visitor.other.headers, on: guarded.server.port)
        }
        #expect(crowd.count == Self.crowd)
        let batch = Self.batch(of: #"{"ticker":"shop-2","to":1}"#)
        let answer = try guarded.server.client.post(
            "/v1/batch", batch, headers: GuardedServer.Visitor.publisher.headers)
        #expect(answer.status == 200 && answer.body.contains("201"), "\(answer.body)")
        #expect(try Self.keptBytes(guarded.server.client, headers: admin) <= 32 << 20)
    }

    @Test func `an address that fills its share of body bytes leaves room for another address`() throws {
        let server = try ServerProcess(
            arguments: ["--trusted-proxy", "127.0.0.1", "--insecure", "--unlimited-from", "none"])
        let crowd = try (0..<Self.crowd).map { _ in
            try Self.withheld(["X-Forwarded-For: 203.0.113.7"], on: server.port)
        }
        #expect(crowd.count == Self.crowd)
        let batch = Self.batch(of: #"{"ticker":"a","to":1}"#)
        let answer = try server.client.post("/v1/batch", batch, headers: ["X-Forwarded-For: 203.0.113.8"])
        #expect(answer.status == 200 && answer.body.contains("201"), "\(answer.body)")
        #expect(try Self.keptBytes(server.client) <= 32 << 20)
    }

    @Test func `a local client may use all the room for bodies`() throws {
        let server = try ServerProcess()
        let crowd = try (0..<Self.crowd).map { _ in try Self.withheld([], on: server.port) }
        let all = Self.crowd * (Self.batchBytes - 1)
        try eventually("all are kept") { try Self.keptBytes(server.client) == all }
        try crowd[0].send(" ")
        let answer = try HTTPClient.answer(from: crowd[0])
        #expect(answer.status == 400 && answer.body.contains("the batch is empty"), "\(answer.body)")
    }
}
