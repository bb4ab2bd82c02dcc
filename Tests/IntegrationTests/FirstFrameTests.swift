// Whoever hears of a motion's end has seen a frame of it before, however short it was.

import Foundation
import TestSupport
import Testing

@Suite struct FirstFrameTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    /// Paths of a kind's updates, and updates that are over at once, or nearly.
    private static let updates = [
        ("tickers", #"{"label":"A 0","to":10,"duration":0}"#, "A 10"),
        ("tickers", #"{"label":"A 0","to":10,"animated":false}"#, "A 10"),
        ("tickers", #"{"label":"A 10","to":10,"duration":2}"#, "A 10"),
        ("tickers", #"{"label":"A 0","to":10,"duration":0.001}"#, "A 10"),
        ("progress", #"{"current":10,"duration":0}"#, "10%"),
        ("progress", #"{"current":10,"duration":0.002}"#, "10%"),
    ]

    @Test(arguments: updates) func `a stream that answers an update shows its last frame before its end`(
        kind: String, update: String, text: String
    ) throws {
        for _ in 0..<40 {
            for form in ["", "&as=text", "&display"] {
                let stream = try EventSourceClient(
                    port: server.port, path: "/v1/\(kind)?once\(form)", method: "POST",
                    body: update, headers: ["Accept: text/event-stream"])
                let events = try stream.collect { $0.name == "complete" }
                #expect(events.last?.name == "complete")
                let frames = events.filter { $0.name == "message" }
                #expect((form == "&as=text" ? frames.last?.data : frames.last?.frame?.text) == text)
            }
        }
    }

    @Test func `a listener to all sees a new resource's frame before its end`() throws {
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=*&progress=*")
        _ = try stream.collect { $0.name == "hello" }
        for index in 0..<40 {
            let (kind, update, text) = Self.updates[index % Self.updates.count]
            _ = try server.client.post("/v1/\(kind)/n\(index)", update)
            let events = try stream.collect { $0.name == "complete" }
            #expect(events.last?.frame?.text == text)
            #expect(events.contains { $0.name == "message" && $0.frame?.text == text })
        }
    }

    @Test func `an answer that is given again has a frame, too`() throws {
        let headers = ["Accept: text/event-stream", "Idempotency-Key: once"]
        for _ in 0..<3 {
            let stream = try EventSourceClient(
                port: server.port, path: "/v1/tickers?once", method: "POST",
                body: #"{"label":"A 0","to":10,"duration":0}"#, headers: headers)
            let events = try stream.collect { $0.name == "complete" }
            #expect(events.map(\.name).suffix(2) == ["message", "complete"])
        }
    }
}
