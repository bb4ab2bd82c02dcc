// What an operator asks a running server: who listens, and what lies between.

import Foundation
import TestSupport
import Testing

@Suite struct OperatorTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    @Test func `the list of clients has each stream's topics, peer and totals`() throws {
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        let one = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t&progress=b*")
        let two = try EventSourceClient(port: server.port, path: "/v1/tickers/t/events?fps=5")
        for stream in [one, two] { _ = try stream.collect { $0.name == "message" } }
        _ = try server.client.post("/v1/tickers/t", #"{"to":2,"duration":0}"#)
        for stream in [one, two] { _ = try stream.collect { $0.name == "complete" } }
        let answer = try server.client.get("/v1/clients")
        let items = try #require(answer.json["items"] as? [[String: Any]])
        #expect(answer.json["count"] as? Int == 2 && items.count == 2)
        let topics = items.compactMap { $0["topics"] as? [String] }
        #expect(Set(topics) == [["ticker/t", "progress/b*"], ["ticker/t"]])
        for item in items {
            #expect(item["topicCount"] as? Int == 1)
            #expect(item["peer"] as? String == "127.0.0.1")
            #expect((item["events"] as? Int ?? 0) >= 1)
            #expect((item["sentBytes"] as? Int ?? 0) > 200)
            #expect(item["unsentBytes"] as? Int == 0)
            #expect((item["age"] as? Double ?? -1) >= 0)
        }
        let page = try server.client.get("/v1/clients?limit=1").json
        #expect(page["count"] as? Int == 2 && (page["items"] as? [Any])?.count == 1)
        #expect(try server.client.get("/v1/clients?limit=0").status == 422)
        #expect(try server.client.get("/v1/clients", headers: ["Origin: https://evil.example"]).status == 403)
    }

    @Test func `the self-test sends 50 events with heartbeats, and ends`() throws {
        let stream = try EventSourceClient(port: server.port, path: "/v1/selftest")
        let events = try stream.collect { _ in false }
        let pieces = events.filter { $0.name == "selftest" }.compactMap { event in
            (try? JSONSerialization.jsonObject(with: Data(event.data.utf8))) as? [String: Any]
        }
        #expect(pieces.compactMap { $0["n"] as? Int } == Array(0..<50))
        #expect(events.filter { $0.name == "heartbeat" }.count == 5)
        let times = pieces.compactMap { $0["t"] as? Int }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times[49] - times[0] > 4_000_000_000)
        #expect(try server.client.get("/v1/clients").json["count"] as? Int == 0)
    }
}
