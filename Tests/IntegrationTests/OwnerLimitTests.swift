// Limits of one token or address, on the real server: what is refused says which limit, and others don't feel it.

import Foundation
import TestSupport
import Testing

@Suite struct OwnerLimitTests {
    /// Addresses come by a proxy that is trusted: this machine's own has no limits.
    private static let proxied = ["--trusted-proxy", "127.0.0.1", "--insecure"]

    private static func from(_ address: String) -> [String] { ["X-Forwarded-For: \(address)"] }

    @Test func `an address beyond --request-rate gets 429, and others are served`() throws {
        let server = try ServerProcess(arguments: Self.proxied + ["--request-rate", "1"])
        let first = Self.from("203.0.113.7")
        var answers: [HTTPAnswer] = []
        while answers.last?.status != 429, answers.count < 1_000 {
            answers.append(try server.client.get("/v1/tickers", headers: first))
        }
        let refusal = try #require(answers.last)
        #expect(refusal.status == 429 && refusal.body.contains("--request-rate"), "\(refusal.body)")
        #expect(refusal.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        #expect(try server.client.get("/v1/tickers", headers: Self.from("203.0.113.8")).status == 200)
        #expect(try server.client.get("/v1/tickers").status == 200)
        // What is nowhere, and what is no secret, is asked for as well.
        for path in ["/nowhere", "/", "/v1/nothing"] {
            #expect(try server.client.get(path, headers: first).status == 429, "\(path)")
        }
        // Whether it is well may be asked by anybody, however often.
        #expect(try server.client.get("/healthz", headers: first).status == 200)
        let metrics = try server.client.get("/metrics").body
        #expect(metrics.contains("tweencast_limit_refusals_total{name=\"request_rate\"} 4"))
    }

    @Test func `changing a stream is charged by its topics, and the next change gets 429`() throws {
        let server = try ServerProcess(arguments: Self.proxied + ["--request-rate", "10"])
        let headers = Self.from("203.0.113.7")
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/events", method: "POST", body: #"{"ticker":["a"]}"#, headers: headers)
        let hello = try stream.collect { $0.name == "hello" }.last
        let name = try #require(hello?.json["stream"] as? String)
        let topics = (0..<5_000).map { "\"t\($0)\"" }.joined(separator: ",")
        let path = "/v1/streams/\(name)"
        let body = "{\"ticker\":[\(topics)]}"
        #expect(try server.client.send("PUT", path, body: body, headers: headers).status == 204)
        let refusal = try server.client.send("PUT", path, body: body, headers: headers)
        #expect(refusal.status == 429 && refusal.body.contains("--request-rate"), "\(refusal.body)")
        #expect(refusal.headers["retry-after"].flatMap { Int($0) } ?? 0 > 10)
    }

    @Test func `actions count towards the rate of whoever posted them, and are late beyond it`() throws {
        let server = try ServerProcess(arguments: Self.proxied + ["--update-rate", "10"])
        let actions = (0..<30).map { _ in #"{"notify":"n"}"# }.joined(separator: ",")
        let headers = Self.from("203.0.113.7")
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?schedule=flood")
        let made = try server.client.post(
            "/v1/schedules", #"{"id":"flood","every":0.01,"do":[\#(actions)]}"#, headers: headers)
        #expect(made.status == 201, "\(made.body)")
        _ = try stream.collect { $0.name == "fired" }
        // The second firing has to wait for a second.
        try eventually("actions are late") {
            try !server.client.get("/metrics").body.contains("tweencast_actions_late_total 0")
        }
        let late = try server.client.get("/v1/limits", headers: headers)
        let table = try JSONSerialization.jsonObject(with: Data(late.body.utf8)) as? [String: Any]
        let own = try #require(table?["own"] as? [[String: Any]])
        let rate = try #require(own.first { $0["name"] as? String == "update_rate" })
        #expect(rate["lateActions"] as? Int ?? 0 > 0 && rate["lateSeconds"] as? Double ?? 0 > 0, "\(late.body)")
        let others = try server.client.get("/v1/limits", headers: Self.from("203.0.113.8")).body
        #expect(others.contains("\"lateActions\":0"), "\(others)")
    }

    @Test func `a batch that is rejected counts no change`() throws {
        let server = try ServerProcess(arguments: Self.proxied + ["--update-rate", "10"])
        let headers = Self.from("203.0.113.7")
        let lines = (0..<1_000).map { #"{"ticker":"t\#($0)","to":1}"# }.joined(separator: "\n")
        let key = "Idempotency-Key: " + String(repeating: "k", count: 300)
        #expect(try server.client.post("/v1/batch", lines, headers: headers + [key]).status == 400)
        #expect(try server.client.post("/v1/batch?stagger=x", lines, headers: headers).status == 422)
        #expect(try server.client.post("/v1/batch", lines, headers: headers).status == 200)
    }

    @Test func `a batch counts as many changes as it has lines`() throws {
        let server = try ServerProcess(arguments: Self.proxied + ["--update-rate", "10"])
        let lines = (0..<1_000).map { #"{"ticker":"t\#($0)","to":1}"# }.joined(separator: "\n")
        let headers = Self.from("203.0.113.7")
        #expect(try server.client.post("/v1/batch", lines, headers: headers).status == 200)
        for (path, body) in [("/v1/batch", lines), ("/v1/tickers/a", #"{"to":1}"#)] {
            let answer = try server.client.post(path, body, headers: headers)
            #expect(answer.status == 429 && answer.body.contains("--update-rate"), "\(answer.body)")
        }
        #expect(try server.client.get("/v1/tickers/a").status == 404)
        #expect(try server.client.post("/v1/tickers/b", #"{"to":1}"#, headers: Self.from("203.0.113.8")).status == 202)
    }

    @Test func `--max-streams-per-address limits streams, and a closed one frees its place`() throws {
        let server = try ServerProcess(arguments: Self.proxied + ["--max-streams-per-address", "2"])
        func stream(_ address: String = "203.0.113.7") throws -> EventSourceClient {
            try EventSourceClient(port: server.port, path: "/v1/events?ticker=a", headers: Self.from(address))
        }
        let streams = [try stream(), try stream()]
        for stream in streams { _ = try stream.collect { $0.name == "hello" } }
        let refused = try stream().collect { _ in false }
        #expect(refused.map(\.name) == ["bye"])
        #expect(refused.first?.data == #"{"reason":"limit","limit":"address_streams"}"#)
        #expect(refused.first?.retry ?? 0 >= 10_000)
        _ = try stream("203.0.113.8").collect { $0.name == "hello" }
        // A change whose answer would be a stream is not made.
        let post = try EventSourceClient(
            port: server.port, path: "/v1/tickers", method: "POST", body: #"{"to":1}"#,
            headers: Self.from("203.0.113.7") + ["Accept: text/event-stream"])
        #expect(try post.collect { _ in false }.map(\.name) == ["bye"])
        #expect(try !server.client.get("/v1/tickers").body.contains("\"ticker\":"))
        streams[0].close()
        var next = try stream().next()
        while next?.name == "bye" { next = try stream().next() }
        #expect(next?.name == "hello")
    }

    @Test func `connections beyond --connection-rate are refused and counted`() throws {
        let server = try ServerProcess(arguments: ["--unlimited-from", "none", "--connection-rate", "1"])
        let first = try RawConnection(port: server.port)
        func metrics() throws -> String {
            try first.send(HTTPClient.request("GET", "/metrics"))
            return try HTTPClient.answer(from: first).body
        }
        let refusals = "tweencast_limit_refusals_total{name=\"connection_rate\"} "
        #expect(try metrics().contains("tweencast_limit{name=\"connection_rate\"} 1\n"))
        var refused = false
        for _ in 0..<1_000 where !refused { refused = (try? server.client.get("/healthz")) == nil }
        #expect(try refused && metrics().contains(refusals + "1\n"))
    }

    @Test func `a trusted proxy is not limited in connections`() throws {
        let server = try ServerProcess(
            arguments: Self.proxied + [
                "--unlimited-from", "none", "--connection-rate", "1", "--max-connections-per-address", "1",
            ])
        let kept = try (0..<20).map { _ in try RawConnection(port: server.port) }
        for client in kept {
            try client.send(HTTPClient.request("GET", "/healthz", headers: Self.from("203.0.113.7")))
            #expect(try HTTPClient.answer(from: client).status == 200)
        }
        let metrics = try server.client.get("/metrics").body
        #expect(metrics.contains("tweencast_limit_refusals_total{name=\"connection_rate\"} 0"))
        #expect(metrics.contains("tweencast_connections_displaced_total 0"))
    }

    @Test func `limits show a token its own use, and the server's use only to an admin`() throws {
        let guarded = try GuardedServer(arguments: ["--max-streams-per-token", "7"])
        let headers = GuardedServer.Visitor.subscriber.headers
        let stream = try EventSourceClient(
            port: guarded.server.port, path: "/v1/events?ticker=shop-1", headers: headers)
        _ = try stream.collect { $0.name == "hello" }
        let own = try guarded.server.client.get("/v1/limits", headers: headers).body
        #expect(
            own.contains(#"{"name":"token_streams","maximum":7,"used":1,"flag":"--max-streams-per-token"}"#), "\(own)")
        #expect(
            own.contains(#"{"name":"streams","maximum":"#)
                && !own.contains(#"{"name":"streams","maximum":15000,"used""#))
        let all = try guarded.server.client.get("/v1/limits", headers: GuardedServer.Visitor.admin.headers).body
        #expect(all.contains(#""used":1,"flag":"--max-streams"}"#), "\(all)")
    }

    @Test func `an address beyond --refused-token-rate gets 429 for unknown JWTs only`() throws {
        let guarded = try GuardedServer(arguments: Self.proxied + ["--refused-token-rate", "1"])
        func get(_ token: String, from address: String) throws -> HTTPAnswer {
            try guarded.server.client.get(
                "/v1/tickers", headers: Self.from(address) + ["Authorization: Bearer \(token)"])
        }
        let wrong = try GuardedServer.jwt(GuardedServer.claims(), secret: String(repeating: "k", count: 40))
        var statuses: [Int] = []
        while statuses.last != 429, statuses.count < 1_000 {
            statuses.append(try get(wrong, from: "203.0.113.7").status)
        }
        #expect(statuses.first == 401 && statuses.last == 429)
        // Those who know better are not held up: a token of the file, and one that was looked at before.
        #expect(try get(GuardedServer.Visitor.admin.token, from: "203.0.113.7").status == 200)
        #expect(try get(wrong, from: "203.0.113.8").status == 401)
    }

    @Test func `the list of clients has each stream's token and forwarded address`() throws {
        let guarded = try GuardedServer(arguments: Self.proxied)
        let stream = try EventSourceClient(
            port: guarded.server.port, path: "/v1/events?ticker=shop-1",
            headers: GuardedServer.Visitor.subscriber.headers + Self.from("203.0.113.7"))
        _ = try stream.collect { $0.name == "hello" }
        let clients = try guarded.server.client.get("/v1/clients", headers: GuardedServer.Visitor.admin.headers).body
        #expect(clients.contains(#""peer":"203.0.113.7","token":"subscriber""#), "\(clients)")
    }
}
