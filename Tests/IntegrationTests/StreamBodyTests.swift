// A stream that is asked for by a body, and streams of more topics than they may have.

import Foundation
import TestSupport
import Testing

@Suite struct StreamBodyTests {
    private static let headers = ["Accept: text/event-stream", "Content-Type: application/json"]

    private func stream(_ server: ServerProcess, _ body: String) throws -> EventSourceClient {
        try EventSourceClient(
            port: server.port, path: "/v1/events", method: "POST", body: body, headers: Self.headers)
    }

    @Test func `a stream body may name 1000 topics`() throws {
        let server = try ServerProcess()
        for index in [0, 999] { _ = try server.client.post("/v1/tickers/t\(index)", #"{"to":\#(index),"duration":0}"#) }
        let names = (0..<1_000).map { "\"t\($0)\"" }.joined(separator: ",")
        let stream = try stream(server, "{\"ticker\":[\(names)],\"progress\":[\"p*\"],\"fps\":30}")
        var states = 0
        let begun = try stream.collect { event in
            states += event.name == "message" ? 1 : 0
            return states == 2
        }
        #expect(begun.first?.name == "hello" && begun.first?.data.contains(#""fps":30"#) == true)
        _ = try server.client.post("/v1/tickers/t500", #"{"to":5,"duration":0}"#)
        _ = try server.client.post("/v1/progress/p1", #"{"current":5,"maximum":10,"duration":0}"#)
        let later = try stream.collect { $0.name == "complete" && $0.data.contains("\"p1\"") }
        #expect(later.contains { $0.name == "complete" && $0.data.contains("\"t500\"") })
    }

    @Test func `a stream body has the fields of the query`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        _ = try server.client.post("/v1/tickers/t", #"{"to":7,"duration":1}"#)
        let text = try stream(server, #"{"ticker":["t"],"as":"text","once":true}"#)
        let rest = try text.collect { _ in false }
        #expect(rest.last?.name == "complete" && rest.last { $0.name == "message" }?.data == "7")
        // What came after an event is told to whoever names it, by field or by header.
        let id = try #require(rest.last?.id)
        _ = try server.client.post("/v1/tickers/t", #"{"to":8,"duration":0}"#)
        let again = try stream(server, #"{"ticker":["t"],"lastEventID":"\#(id)"}"#)
        #expect(try again.collect { $0.name == "complete" }.last?.data.contains("8") == true)
    }

    @Test func `9000 updates at once end in the last value, with merged completions`() throws {
        let server = try ServerProcess()
        let stream = try stream(server, #"{"ticker":["t"]}"#)
        _ = try stream.collect { $0.name == "hello" }
        let lines = (1...9_000).map { #"{"ticker":"t","to":\#($0),"duration":0}"# }.joined(separator: "\n")
        _ = try server.client.post("/v1/batch", lines)
        var told = 0
        let events = try stream.collect { event in
            guard event.name == "complete" else { return false }
            let json = try? JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]
            told += json?["count"] as? Int ?? 1
            return told == 9_000
        }
        #expect(told == 9_000)
        // 64 lines are one turn. Even if a tick came between any two turns, each tells 16 by themselves and the other 48
        // together.
        let turns = (9_000 + 63) / 64
        #expect(events.count { $0.name == "complete" } <= turns * 17)
        #expect(events.last { $0.name == "message" }?.data.contains("\"text\":\"9000\"") == true)
    }

    @Test func `streams of one ticker in different forms all end with the target`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        let streams = try ["", "&wheels", "&display", "&as=text"].map {
            try EventSourceClient(port: server.port, path: "/v1/events?ticker=t\($0)")
        }
        for stream in streams { _ = try stream.collect { $0.name == "message" } }
        _ = try server.client.post("/v1/tickers/t", #"{"to":500,"duration":0.3}"#)
        for (index, stream) in streams.enumerated() {
            let events = try stream.collect { $0.name == "complete" }
            let last = events.last { $0.name == "message" }?.data ?? ""
            #expect(last.contains("500"))
            #expect(last.contains("\"wheels\"") == (index == 1) && last.contains("\"display\"") == (index == 2))
        }
    }
}
