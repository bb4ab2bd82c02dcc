// A listener that has heard nothing but its greeting, and comes back.

import Foundation
import TestSupport
import Testing

@Suite struct PlaceTests {
    private let folder = TemporaryFolder()

    private func greeting(_ server: ServerProcess, _ path: String, last: String? = nil) throws -> String {
        let headers = last.map { ["Last-Event-ID: \($0)"] } ?? []
        let stream = try EventSourceClient(port: server.port, path: path, headers: headers)
        let events = try stream.collect { $0.name == "hello" }
        stream.close()
        return try #require(events.last?.id)
    }

    @Test(arguments: [
        "/v1/events?notification=lunch", "/v1/events?notification=*&as=text", "/v1/events?notification=lunch&fps=1",
        "/v1/events?notification=lunch&locale=de-DE",
    ])
    func `a reader that got only its greeting gets the events missed while away`(path: String) throws {
        let server = try ServerProcess()
        let last = try greeting(server, path)
        _ = try server.client.post("/v1/notifications/lunch", "1")
        let again = try EventSourceClient(port: server.port, path: path, headers: ["Last-Event-ID: \(last)"])
        let events = try again.collect { $0.name == "notification" }
        #expect(events.map(\.name) == ["hello", "notification"])
    }

    @Test func `a once stream resumed after its completion replays it and ends`() throws {
        let server = try ServerProcess()
        _ = try server.client.send("PUT", "/v1/tickers/a", body: #"{"label":"0"}"#)
        let path = "/v1/tickers/a/events?once"
        let last = try greeting(server, path)
        _ = try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#)
        let again = try EventSourceClient(port: server.port, path: path, headers: ["Last-Event-ID: \(last)"])
        #expect(try again.collect { _ in false }.map(\.name) == ["hello", "complete"])
    }

    @Test func `a resumed stream of a resource removed meanwhile replays that, and then gets 204`() throws {
        let server = try ServerProcess()
        _ = try server.client.send("PUT", "/v1/tickers/a", body: #"{"label":"0"}"#)
        let last = try greeting(server, "/v1/tickers/a/events")
        _ = try server.client.send("DELETE", "/v1/tickers/a")
        let again = try EventSourceClient(
            port: server.port, path: "/v1/tickers/a/events", headers: ["Last-Event-ID: \(last)"])
        let told = try again.collect { _ in false }
        #expect(told.map(\.name) == ["hello", "removed"])
        let end = try #require(told.last?.id)
        let late = try server.client.get("/v1/tickers/a/events", headers: ["Last-Event-ID: \(end)"])
        #expect(late.status == 204)
    }

    @Test func `a greeting's id stays valid across restarts without any event`() throws {
        var last: String?
        for _ in 0..<3 {
            let server = try ServerProcess(folder: folder.path)
            // What it waits for is that the store has what the run began with.
            _ = try server.client.send("PUT", "/v1/tickers/a", body: #"{"label":"0"}"#)
            last = try greeting(server, "/v1/events?notification=lunch", last: last)
            server.kill()
        }
        let server = try ServerProcess(folder: folder.path)
        _ = try server.client.post("/v1/notifications/lunch", "1")
        let again = try EventSourceClient(
            port: server.port, path: "/v1/events?notification=lunch", headers: ["Last-Event-ID: \(last ?? "")"])
        let events = try again.collect { $0.name == "notification" }
        #expect(events.map(\.name) == ["hello", "notification"])
    }

    @Test func `a greeting's id of a run without events is known to the next run`() throws {
        let first = try ServerProcess(folder: folder.path)
        _ = try first.client.post("/v1/notifications/lunch", "0")
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let last = try greeting(second, "/v1/events?notification=lunch")
        second.kill()
        let third = try ServerProcess(folder: folder.path)
        _ = try third.client.post("/v1/notifications/lunch", "1")
        let again = try EventSourceClient(
            port: third.port, path: "/v1/events?notification=lunch", headers: ["Last-Event-ID: \(last)"])
        let events = try again.collect { $0.name == "notification" }
        #expect(events.map(\.name) == ["hello", "notification"])
        #expect(events.last?.data.contains(#""data":1"#) == true)
    }

    @Test func `an id lost with an in-memory server gets a reset with a new id`() throws {
        let first = try ServerProcess()
        let last = try greeting(first, "/v1/events?notification=lunch")
        first.kill()
        let second = try ServerProcess()
        let again = try EventSourceClient(
            port: second.port, path: "/v1/events?notification=lunch", headers: ["Last-Event-ID: \(last)"])
        let events = try again.collect { $0.name == "reset" }
        #expect(events.map(\.name) == ["hello", "reset"])
        #expect(events.first?.id == nil && events.last?.id != nil)
    }

    @Test(arguments: [
        "notification=lunch&lastEventId=NEW", "lastEventID=OLD&notification=lunch&lastEventId=NEW",
        "&notification=lunch&lastEventId=NEW", "notification=lunch&lastEventID=NEW&lastEventId=",
    ])
    func `lastEventId, as EventSource polyfills send it, sets the place of replay`(query: String) throws {
        let server = try ServerProcess()
        let old = try greeting(server, "/v1/events?notification=lunch")
        _ = try server.client.post("/v1/notifications/lunch", "1")
        let new = try greeting(server, "/v1/events?notification=lunch")
        _ = try server.client.post("/v1/notifications/lunch", "2")
        let path = "/v1/events?" + query.replacing("OLD", with: old).replacing("NEW", with: new)
        let stream = try EventSourceClient(port: server.port, path: path)
        let told = try stream.collect { $0.name == "notification" }
        #expect(told.last?.data.contains(#""data":2"#) == true, "\(told)")
    }

    @Test func `a self-test with a polyfill's lastEventId begins anew`() throws {
        let server = try ServerProcess()
        for name in ["lastEventId", "lastEventID"] {
            let stream = try EventSourceClient(port: server.port, path: "/v1/selftest?\(name)=x-1")
            #expect(stream.status == 200)
            #expect(try stream.collect { $0.name == "selftest" }.map(\.name) == ["hello", "heartbeat", "selftest"])
        }
        #expect(try server.client.get("/v1/selftest?lastEventIds=x").status == 422)
    }
}
