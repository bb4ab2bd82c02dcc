// A countdown's end over HTTP: what it shows then, to whom, and for how long.

import Foundation
import TestSupport
import Testing

@Suite struct CountdownTests {
    private static func frames(_ events: [ServerSentEvent]) -> [String] {
        events.filter { $0.name == "message" }.map { "\($0.json["text"] ?? "") \($0.json["state"] ?? "")" }
    }

    private static func hasEnded(_ id: String, _ event: ServerSentEvent) -> Bool {
        event.json["schedule"] as? String == id && event.json["state"] as? String == "ended"
    }

    @Test func `a countdown shows 0:00, then its words, also to later readers, until its time is over`() throws {
        let server = try ServerProcess()
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?schedule=start")
        _ = try stream.collect { $0.name == "hello" }
        _ = try server.client.post(
            "/v1/schedules", #"{"id":"start","in":1.2,"label":"Starting in {clock}","ended":"Now {n}!","ttl":4}"#)
        let seen = try stream.collect { $0.json["text"] as? String == "Now {n}!" }
        #expect(
            Self.frames(seen).suffix(3) == [
                "Starting in 0:01 pending", "Starting in 0:00 ended", "Now {n}! ended",
            ])
        let shown = try server.client.get("/v1/schedules/start").json
        #expect(shown["state"] as? String == "ended" && shown["remaining"] as? Double == 0 && shown["due"] == nil)
        let display = try #require(shown["display"] as? [String: Any])
        #expect(display["text"] as? String == "Now {n}!" && display["accessible"] as? String == "Now {n}!")
        #expect(display["state"] as? String == "ended" && display["clock"] as? String == "0:00")
        let late = try EventSourceClient(port: server.port, path: "/v1/schedules/start/events?locale=ar-EG")
        #expect(Self.frames(try late.collect { $0.name == "removed" }) == ["Now {n}! ended"])
        #expect(try server.client.get("/v1/schedules/start").status == 404)
    }

    @Test func `a countdown without an ended text stays at 0:00 in each reader's digits`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/schedules", #"{"id":"s","in":0.1,"label":"Live in {clock}"}"#)
        for (locale, text) in [("en", "Live in 0:00"), ("ar-EG", "Live in ٠:٠٠")] {
            let stream = try EventSourceClient(port: server.port, path: "/v1/events?schedule=s&locale=\(locale)")
            #expect(try stream.collect { $0.json["state"] as? String == "ended" }.last?.json["text"] as? String == text)
        }
        let list = try server.client.get("/v1/schedules").json["items"] as? [[String: Any]]
        #expect(list?.map { $0["state"] as? String } == ["ended"])
    }

    @Test func `an ended countdown survives a restart with its text and its remaining ttl`() throws {
        let folder = TemporaryFolder()
        let first = try ServerProcess(folder: folder.path)
        let ended = try EventSourceClient(port: first.port, path: "/v1/events?schedule=*")
        _ = try ended.collect { $0.name == "hello" }
        _ = try first.client.post("/v1/schedules", #"{"id":"s","in":0,"ended":"Live!","ttl":600}"#)
        _ = try first.client.post("/v1/schedules", #"{"id":"brief","in":0,"ended":"Gone","ttl":1}"#)
        _ = try first.client.post("/v1/schedules", #"{"id":"later","in":2,"ended":"Later"}"#)
        _ = try ended.collect { Self.hasEnded("brief", $0) }
        first.kill()
        let second = try ServerProcess(folder: folder.path)
        let words = try EventSourceClient(port: second.port, path: "/v1/events?schedule=s")
        _ = try words.collect { $0.json["text"] as? String == "Live!" }
        let after = try second.client.get("/v1/schedules/s").json
        #expect(after["text"] as? String == "Live!" && after["state"] as? String == "ended")
        #expect(after["fired"] as? Int == 1 && after["revision"] as? String == "2")
        let stream = try EventSourceClient(port: second.port, path: "/v1/events?schedule=later&schedule=brief")
        let events = try stream.collect { $0.json["text"] as? String == "Later" }
        #expect(events.contains { Self.hasEnded("later", $0) })
        #expect(try second.client.get("/v1/schedules/brief").status == 404)
    }

    @Test(arguments: [
        (#"{"in":5,"doo":[]}"#, "/doo"), (#"{"ttl":9}"#, "/at"), (#"{"in":5,"label":"x","ttl":-1}"#, "/ttl"),
        (#"{"in":5,"ended":7}"#, "/ended"), (#"{"in":5,"ended":"\#(String(repeating: "x", count: 4_097))"}"#, "/ended"),
        (#"{"label":"x"}"#, "/at"),
    ])
    func `a countdown without a time or with unknown fields is refused with a pointer`(body: String, pointer: String)
        throws
    {
        let server = try ServerProcess()
        let answer = try server.client.post("/v1/schedules", body)
        #expect(answer.status == 422 && answer.json["pointer"] as? String == pointer, "\(answer.body)")
    }

    @Test(arguments: [#"{"in":0.05}"#, #"{"in":0.05,"do":[]}"#])
    func `a schedule without actions fires for its subscribers`(body: String) throws {
        let server = try ServerProcess()
        let stream = try EventSourceClient.greeted(port: server.port, path: "/v1/events?schedule=s")
        #expect(try server.client.send("PUT", "/v1/schedules/s", body: body).status == 201)
        let events = try stream.collect { $0.name == "removed" }
        #expect(events.filter { $0.name == "fired" }.count == 1)
        #expect(events.last?.json["reason"] as? String == "completed")
    }
}
