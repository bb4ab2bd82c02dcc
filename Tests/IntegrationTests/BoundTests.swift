// Limits of the whole server that a flag sets, on the real server: what is beyond is refused by name, and what is there
// goes on.

import Foundation
import TestSupport
import Testing

@Suite struct BoundTests {
    private static func server(_ flag: String, _ value: Int) throws -> ServerProcess {
        try ServerProcess(arguments: ["--\(flag)", "\(value)"])
    }

    private static func limit(_ name: String, of server: ServerProcess) throws -> String? {
        try server.client.get("/v1/limits").body.components(separatedBy: "},").first { $0.contains("\"\(name)\"") }
    }

    @Test(arguments: [("tickers", "progress"), ("progress", "tickers")])
    func `--max-tracks limits tickers and progress views together`(kind: String, other: String) throws {
        let server = try Self.server("max-tracks", 2)
        let bodies = ["tickers": #"{"to":1}"#, "progress": #"{"current":1}"#]
        func post(_ kind: String, _ id: String) throws -> HTTPAnswer {
            try server.client.post("/v1/\(kind)/\(id)", bodies[kind] ?? "")
        }
        #expect(try post(kind, "a").status == 202 && post(other, "a").status == 202)
        let refusal = try post(kind, "b")
        #expect(refusal.status == 503 && refusal.body.contains("--max-tracks"), "\(refusal.body)")
        #expect(try post(kind, "a").status == 202)
        #expect(try Self.limit("tracks", of: server)?.contains(#""maximum":2,"used":2,"flag":"--max-tracks""#) == true)
        #expect(try server.client.send("DELETE", "/v1/\(other)/a").status == 204)
        #expect(try post(kind, "b").status == 202)
    }

    @Test func `--max-schedules limits new schedules, not replacements`() throws {
        let server = try Self.server("max-schedules", 1)
        func define(_ id: String) throws -> HTTPAnswer {
            try server.client.send("PUT", "/v1/schedules/\(id)", body: #"{"in":60,"do":[{"notify":"n"}]}"#)
        }
        #expect(try define("a").status == 201)
        let refusal = try define("b")
        #expect(refusal.status == 503 && refusal.body.contains("--max-schedules"), "\(refusal.body)")
        #expect(try define("a").status == 200)
    }

    @Test func `--max-delayed-actions limits actions with a delay`() throws {
        let server = try Self.server("max-delayed-actions", 1)
        let actions = (0..<3).map { #"{"notify":"n\#($0)","delay":60}"# }.joined(separator: ",")
        let events = try EventSourceClient.greeted(port: server.port, path: "/v1/events?ticker=a&notification=*")
        #expect(try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0,"then":[\#(actions)]}"#).status == 202)
        _ = try events.collect { $0.name == "complete" }
        #expect(try server.client.get("/metrics").body.contains("tweencast_usage{name=\"delayed_actions\"} 1\n"))
    }

    @Test func `--max-query-parameters and --max-request-topics limit a request`() throws {
        let parameters = try Self.server("max-query-parameters", 3)
        #expect(try parameters.client.get("/v1/tickers?limit=1&x=1&y=1&z=1").status == 414)
        let topics = try Self.server("max-request-topics", 2)
        let answers = [
            try topics.client.get("/v1/events?ticker=a&ticker=b&ticker=c"),
            try topics.client.post("/v1/events", #"{"ticker":["a","b","c"]}"#),
            try topics.client.post("/v1/tickets", #"{"ticker":["a","b","c"]}"#),
        ]
        for answer in answers {
            #expect(answer.status == 400 && answer.body.contains("--max-request-topics"), "\(answer.body)")
        }
    }

    @Test func `--idempotency-bytes limits kept answers without losing any`() throws {
        let server = try Self.server("idempotency-bytes", 1 << 20)
        let label = String(repeating: "x", count: 4_000)
        var answers: [Int] = []
        while answers.last != 503, answers.count < 1_000 {
            let key = ["Idempotency-Key: \(answers.count)"]
            answers.append(
                try server.client.post("/v1/tickers/a", #"{"to":1,"label":"\#(label)"}"#, headers: key).status)
        }
        #expect(answers.last == 503 && answers.count > 50, "\(answers.count)")
        // Those that are kept are answered as they were.
        #expect(
            try server.client.post(
                "/v1/tickers/a", #"{"to":1,"label":"\#(label)"}"#, headers: ["Idempotency-Key: 0"]
            ).headers["idempotency-replayed"] == "true")
    }
}
