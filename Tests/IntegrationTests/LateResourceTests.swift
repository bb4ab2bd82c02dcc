// Streams that were there before what they name: it moves for them as for anybody.

import Foundation
import TestSupport
import Testing

@Suite struct LateResourceTests {
    private let server: ServerProcess

    init() throws { server = try ServerProcess() }

    private func stream(_ query: String) throws -> EventSourceClient {
        try EventSourceClient.greeted(port: server.port, path: "/v1/events?\(query)")
    }

    @Test(arguments: ["ticker=late", "ticker=la*", "ticker=late&ticker=other&progress=late"])
    func `a stream opened before its ticker exists gets its frames`(query: String) throws {
        let stream = try stream(query)
        _ = try server.client.post("/v1/tickers/late", #"{"from":0,"to":100000,"duration":100}"#)
        let values = try stream.frames(10).compactMap { $0.frame?.value }
        #expect(values == values.sorted() && Set(values).count == values.count)
        _ = try server.client.post("/v1/tickers/late/finish")
        #expect(try stream.collect { $0.name == "complete" }.last?.frame?.text == "100000")
    }

    @Test func `a stream gets frames of a ticker that is removed and created again`() throws {
        let stream = try stream("ticker=late")
        for _ in 0..<3 {
            _ = try server.client.post("/v1/tickers/late", #"{"from":0,"to":100000,"duration":100}"#)
            _ = try stream.frames(5)
            _ = try server.client.send("DELETE", "/v1/tickers/late")
            _ = try stream.collect { $0.name == "removed" }
        }
    }

    @Test func `a stream opened before its progress and countdown exist gets their frames`() throws {
        let stream = try stream("progress=late&schedule=late")
        _ = try server.client.post("/v1/progress/late", #"{"current":100,"duration":100}"#)
        #expect(try stream.frames(5).allSatisfy { $0.frame?.progress == "late" || $0.name != "message" })
        _ = try server.client.send("DELETE", "/v1/progress/late")
        _ = try stream.collect { $0.name == "removed" }
        _ = try server.client.send("PUT", "/v1/schedules/late", body: #"{"in":600,"do":[]}"#)
        let texts = try stream.frames(2).filter { $0.name == "message" }.compactMap { $0.frame?.text }
        #expect(texts.first == "10:00" && texts.last?.hasPrefix("9:5") == true)
    }

    @Test func `a motion-mode stream opened before its ticker exists gets its motion`() throws {
        let stream = try stream("ticker=late&mode=motion")
        _ = try server.client.post("/v1/tickers/late", #"{"from":0,"to":1000,"duration":0.3}"#)
        let events = try stream.collect { $0.name == "complete" }
        #expect(events.contains { $0.name == "motion" })
    }
}
