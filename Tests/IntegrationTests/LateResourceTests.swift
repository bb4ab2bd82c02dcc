// Streams that were there before what they name: it moves for them as for anybody.

import Foundation
import TestSupport
import Testing

@Suite struct LateResourceTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    /// A stream whose greeting has been read.
    private func stream(_ query: String) throws -> EventSourceClient {
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?\(query)")
        _ = try stream.collect { $0.name == "hello" }
        return stream
    }

    @Test(arguments: ["ticker=late", "ticker=la*", "ticker=late&ticker=other&progress=late"])
    func `a ticker that comes later moves`(query: String) throws {
        let stream = try stream(query)
        _ = try server.client.post("/v1/tickers/late", #"{"from":0,"to":1000,"duration":0.5}"#)
        let events = try stream.collect { $0.name == "complete" }
        #expect(events.filter { $0.name == "message" }.count > 10)
        #expect(events.last?.frame?.text == "1000")
    }

    @Test func `a ticker that was removed and comes again moves again`() throws {
        let stream = try stream("ticker=late")
        for _ in 0..<3 {
            _ = try server.client.post("/v1/tickers/late", #"{"from":0,"to":1000,"duration":0.3}"#)
            let events = try stream.collect { $0.name == "complete" }
            #expect(events.filter { $0.name == "message" }.count > 5)
            _ = try server.client.send("DELETE", "/v1/tickers/late")
            _ = try stream.collect { $0.name == "removed" }
        }
    }

    @Test func `a progress and a countdown that come later move`() throws {
        let stream = try stream("progress=late&schedule=late")
        _ = try server.client.post("/v1/progress/late", #"{"current":100,"duration":0.3}"#)
        let moved = try stream.collect { $0.name == "complete" }
        #expect(moved.filter { $0.frame?.progress == "late" && $0.name == "message" }.count > 5)
        _ = try server.client.send("PUT", "/v1/schedules/late", body: #"{"in":2,"do":[]}"#)
        let counted = try stream.collect { $0.name == "fired" }
        let texts = Set(counted.filter { $0.name == "message" }.compactMap { $0.frame?.text })
        #expect(texts.isSuperset(of: ["0:02", "0:01"]))
    }

    @Test func `who reads motions hears of one that comes later`() throws {
        let stream = try stream("ticker=late&mode=motion")
        _ = try server.client.post("/v1/tickers/late", #"{"from":0,"to":1000,"duration":0.3}"#)
        let events = try stream.collect { $0.name == "complete" }
        #expect(events.contains { $0.name == "motion" })
    }
}
