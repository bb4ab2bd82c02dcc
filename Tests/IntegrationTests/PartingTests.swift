// What a resource's own stream tells of its end: to whoever left before it, and to whoever comes after it.

import Foundation
import TestSupport
import Testing

@Suite struct PartingTests {
    private let folder = TemporaryFolder()
    private let server: ServerProcess

    init() throws { server = try ServerProcess(folder: folder.path) }

    /// A resource, what makes it, and what ends it.
    private static let resources = [
        ("tickers/x", #"{"to":1,"duration":0}"#), ("progress/x", #"{"current":1,"duration":0}"#),
        ("schedules/x", #"{"in":600,"do":[]}"#),
    ]

    private func make(_ path: String, _ body: String) throws {
        let method = path.hasPrefix("schedules") ? "PUT" : "POST"
        #expect([200, 201, 202].contains(try server.client.send(method, "/v1/\(path)", body: body).status))
    }

    private func stream(
        _ path: String, after id: String? = nil, on server: ServerProcess? = nil
    ) throws -> EventSourceClient {
        try EventSourceClient(
            port: (server ?? self.server).port, path: "/v1/\(path)/events",
            headers: id.map { ["Last-Event-ID: \($0)"] } ?? [])
    }

    /// Listens to a resource while it comes, leaves, and has it removed.
    /// - Returns: The id of the last event that was heard.
    private func leave(_ path: String, _ body: String) throws -> String {
        try make(path, body)
        let heard = try stream(path)
        _ = try heard.collect { $0.name == "message" }
        // The same definition of a schedule again would change nothing.
        try make(path, body.replacing("600", with: "601"))
        let name = path.hasPrefix("schedules") ? "scheduled" : "complete"
        let id = try #require(heard.collect { $0.name == name }.last?.id)
        heard.close()
        #expect(try server.client.send("DELETE", "/v1/\(path)").status == 204)
        return id
    }

    @Test(arguments: resources)
    func `a reader that left before a resource was removed is told so, and then gets 204`(path: String, body: String)
        throws
    {
        let id = try leave(path, body)
        let missed = try stream(path, after: id)
        #expect(missed.status == 200)
        let events = try missed.collect { _ in false }
        #expect(events.first?.name == "hello")
        let named = events.filter { $0.id != nil }
        #expect(named.last?.name == "removed")
        #expect(named.filter { $0.name == "removed" }.count == 1)
        #expect(!events.contains { $0.name == "reset" })
        let last = try #require(named.last?.id)
        #expect(try stream(path, after: last).status == 204)
        // By the address, too, where a page can't set a header.
        let answer = try server.client.get("/v1/\(path)/events?lastEventID=\(last)")
        #expect(answer.status == 204 && answer.body.isEmpty)
    }

    @Test(arguments: resources)
    func `a removed resource's stream is 404 for a reader that never heard of it`(path: String, body: String) throws {
        let id = try leave(path, body)
        #expect(try stream(path).status == 404)
        for unknown in ["no id", "1a1fb9af874-1", "-1"] { #expect(try stream(path, after: unknown).status == 404) }
        let other = path.replacingOccurrences(of: "/x", with: "/never")
        #expect(try stream(other, after: id).status == 404)
    }

    @Test func `a removal before a restart is replayed after it`() throws {
        let id = try leave("tickers/x", #"{"to":1,"duration":0}"#)
        #expect(server.terminate() == 0)
        let again = try ServerProcess(folder: folder.path)
        let missed = try stream("tickers/x", after: id, on: again).collect { _ in false }
        #expect(missed.last { $0.id != nil }?.name == "removed")
        let last = try #require(missed.last { $0.id != nil }?.id)
        #expect(try stream("tickers/x", after: last, on: again).status == 204)
    }

    @Test func `a stream of a resource that was removed and created again replays and goes on`() throws {
        let id = try leave("tickers/x", #"{"to":1,"duration":0}"#)
        try make("tickers/x", #"{"to":5,"duration":0}"#)
        let stream = try stream("tickers/x", after: id)
        let named = try stream.collect { $0.data.contains(#""value":5"#) && $0.name == "message" }
        #expect(named.contains { $0.name == "removed" })
        try make("tickers/x", #"{"to":6,"duration":0}"#)
        #expect(try stream.collect { $0.name == "complete" && $0.frame?.value == 6 }.last?.frame?.finished == true)
    }
}
