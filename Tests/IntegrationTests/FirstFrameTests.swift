// Whoever hears of a motion's end has seen a frame of it before, however short it was.

import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct FirstFrameTests {
    /// Paths of a kind's updates, and updates that are over at once, or nearly.
    private static let updates = [
        ("tickers", #"{"label":"A 0","to":10,"duration":0}"#, "A 10"),
        ("tickers", #"{"label":"A 0","to":10,"animated":false}"#, "A 10"),
        ("tickers", #"{"label":"A 10","to":10,"duration":2}"#, "A 10"),
        ("tickers", #"{"label":"A 0","to":10,"duration":0.001}"#, "A 10"),
        ("progress", #"{"current":10,"duration":0}"#, "10%"),
        ("progress", #"{"current":10,"duration":0.002}"#, "10%"),
    ]

    @Test(arguments: updates, SendPath.possible)
    func `a stream that answers an update shows its last frame before its end`(
        of update: (kind: String, body: String, text: String), _ path: SendPath
    ) throws {
        let server = try ServerProcess(arguments: path.flags)
        for _ in 0..<20 {
            for form in ["", "&as=text", "&display"] {
                let stream = try EventSourceClient(
                    port: server.port, path: "/v1/\(update.kind)?once\(form)", method: "POST",
                    body: update.body, headers: ["Accept: text/event-stream"])
                let events = try stream.collect { $0.name == "complete" }
                #expect(events.last?.name == "complete")
                let frames = events.filter { $0.name == "message" }
                #expect((form == "&as=text" ? frames.last?.data : frames.last?.frame?.text) == update.text)
            }
        }
    }

    @Test(arguments: SendPath.possible)
    func `a subscriber to all gets a new resource's frame before its complete`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
        let stream = try EventSourceClient.greeted(port: server.port, path: "/v1/events?ticker=*&progress=*")
        for index in 0..<40 {
            let (kind, update, text) = Self.updates[index % Self.updates.count]
            _ = try server.client.post("/v1/\(kind)/n\(index)", update)
            let events = try stream.collect { $0.name == "complete" }
            #expect(events.last?.frame?.text == text)
            #expect(events.contains { $0.name == "message" && $0.frame?.text == text })
        }
    }

    @Test(arguments: SendPath.possible)
    func `a replayed stream answer has a frame before complete`(_ path: SendPath) throws {
        let server = try ServerProcess(arguments: path.flags)
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
