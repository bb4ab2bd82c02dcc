// A change whose answer is the stream of what it starts, to the end of that; and what can't be answered so.

import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct StreamedChangeTests {
    private static let stream = ["Accept: text/event-stream"]

    private static func open(
        _ server: ServerProcess, _ path: String, _ body: String, method: String = "POST", _ headers: [String] = []
    ) throws -> EventSourceClient {
        try EventSourceClient(
            port: server.port, path: "/v1/\(path)", method: method, body: body, headers: stream + headers)
    }

    /// The reasons of all completions of a stream up to its end.
    private static func reasons(_ events: [ServerSentEvent]) -> [String] {
        events.filter { $0.name == "complete" }.compactMap(\.frame?.reason)
    }

    @Test(arguments: ["tickers/t", "progress/p"], SendPath.possible)
    func `a streamed answer ends with its own motion, not with the superseded one`(
        resource: String, _ path: SendPath
    ) throws {
        let server = try ServerProcess(arguments: path.flags)
        let goal = resource == "tickers/t" ? "to" : "current"
        _ = try server.client.post("/v1/\(resource)", "{\"\(goal)\":100,\"duration\":1000}")
        let stream = try Self.open(server, resource, "{\"\(goal)\":5,\"duration\":0.2}")
        let events = try stream.collect { _ in false }
        #expect(stream.status == 200 && stream.hasEnded)
        #expect(events.first?.name == "hello" && events.contains { $0.name == "message" })
        #expect(Self.reasons(events) == ["superseded", "finished"])
        #expect(events.last?.name == "complete" && events.last?.frame?.value == 5)
    }

    @Test func `a streamed answer of an instant update has a frame and a completion`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        let events = try Self.open(server, "tickers/t", #"{"to":7,"duration":0}"#).collect { _ in false }
        #expect(events.map(\.name) == ["hello", "message", "complete"])
        #expect(events.dropFirst().compactMap(\.frame?.value) == [7, 7])
    }

    @Test(arguments: [
        #"{"min":6}"#, #"{"to":9,"duration":1000,"sequence":3}"#, #"{"max":4}"#,
    ])
    func `a streamed answer of an update without effect shows the state and ends`(update: String) throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"label":"Gate 1","to":5,"duration":0,"sequence":3}"#)
        let events = try Self.open(server, "tickers/t", update).collect { _ in false }
        #expect(events.first?.name == "hello" && events.count > 1)
        #expect(events.dropFirst().allSatisfy { $0.name == "message" && $0.frame?.text == "Gate 5" })
    }

    @Test func `a streamed answer of a queued update ends when that has finished`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"to":100,"duration":1000}"#)
        let stream = try Self.open(server, "tickers/t", #"{"to":5,"duration":0.1,"interrupt":"queue"}"#)
        _ = try stream.collect { $0.name == "message" }
        _ = try server.client.post("/v1/tickers/t/finish")
        let ends = try stream.collect { _ in false }.filter { $0.name == "complete" }
        #expect(ends.compactMap(\.frame?.value) == [100, 5])
    }

    @Test func `a streamed answer ends when its motion is superseded, cancelled or removed`() throws {
        let server = try ServerProcess()
        let others: [(method: String, path: String, body: String?, reason: String)] = [
            ("POST", "", #"{"to":1,"duration":1000}"#, "superseded"), ("POST", "/cancel", "", "cancelled"),
            ("DELETE", "", nil, "removed"),
        ]
        for other in others {
            let stream = try Self.open(server, "tickers/t", #"{"to":9,"duration":2,"repeat":"forever"}"#)
            _ = try stream.collect { $0.name == "message" }
            _ = try server.client.send(other.method, "/v1/tickers/t\(other.path)", body: other.body)
            #expect(try Self.reasons(stream.collect { _ in false }).last == other.reason)
        }
    }

    @Test func `a streamed answer of a paused motion stays open until it has finished`() throws {
        let server = try ServerProcess()
        let stream = try Self.open(server, "tickers/t", #"{"to":9,"duration":1000}"#)
        _ = try stream.collect { $0.name == "message" }
        _ = try server.client.post("/v1/tickers/t/pause")
        _ = try stream.collect { $0.name == "paused" }
        _ = try server.client.post("/v1/tickers/t/finish")
        #expect(try Self.reasons(stream.collect { _ in false }) == ["finished"])
    }

    @Test func `a refused change is answered by a problem instead of a stream`() throws {
        let server = try ServerProcess()
        let before = try server.client.post("/v1/tickers/t", #"{"to":100,"duration":1000}"#)
        for (body, headers, status) in [
            (#"{"to":5}"#, ["If-Match: \"77\""], 412), (#"{"to":5,"interrupt":"reject"}"#, [], 409),
            (#"{"to":"five"}"#, [], 422),
        ] {
            let answer = try server.client.post("/v1/tickers/t", body, headers: Self.stream + headers)
            #expect(answer.status == status && answer.headers["content-type"] == "application/problem+json")
        }
        let query = try server.client.post("/v1/tickers/t?fqs=1", #"{"to":5}"#, headers: Self.stream)
        #expect(query.status == 422 && query.body.contains("?fqs"))
        #expect(try server.client.get("/v1/tickers/t").headers["etag"] == before.headers["etag"])
    }

    @Test func `a retry opens the stream of the same motion`() throws {
        let server = try ServerProcess()
        let key = ["Idempotency-Key: k"]
        var animations: [String?] = []
        for _ in 0..<2 {
            let stream = try Self.open(server, "tickers/t", #"{"by":1,"duration":0}"#, key)
            animations.append(try stream.collect { _ in false }.last?.frame?.animation)
            // Further motions don't count.
            _ = try server.client.post("/v1/tickers/t", #"{"by":10,"duration":0}"#)
        }
        #expect(animations == ["1", "1"])
        #expect(try server.client.get("/v1/tickers/t").json["value"] as? Int == 21)
        #expect(try server.client.post("/v1/tickers/t", #"{"by":1,"duration":0}"#, headers: key).status == 422)
    }

    @Test func `a streamed answer needs the right to subscribe to the resource`() throws {
        let guarded = try GuardedServer()
        let admin = GuardedServer.Visitor.admin.headers
        let client = guarded.server.client
        let definition = #"{"id":"shop-1","in":1000,"do":[]}"#
        let requests = [
            ("POST", "/v1/tickers/shop-1", #"{"by":1}"#), ("POST", "/v1/progress/shop-1", #"{"by":1}"#),
            ("POST", "/v1/schedules", definition), ("PUT", "/v1/schedules/shop-1", #"{"in":1000,"do":[]}"#),
        ]
        for visitor in [GuardedServer.Visitor.publisher, .adder] {
            for (method, path, body) in requests {
                let answer = try client.send(method, path, body: body, headers: visitor.headers + Self.stream)
                #expect(answer.status == 403, "\(visitor) \(path) \(answer.body)")
            }
        }
        for path in ["tickers", "progress", "schedules"] {
            #expect(try client.get("/v1/\(path)/shop-1", headers: admin).status == 404)
        }
        let allowed = try client.post(
            "/v1/tickers/other-1", #"{"to":1,"duration":0}"#,
            headers: GuardedServer.Visitor.other.headers + Self.stream)
        #expect(allowed.status == 200 && allowed.body.contains("event: complete"))
    }

    @Test(arguments: [("POST", "schedules"), ("PUT", "schedules/s")], [#""#, #","label":"in {words}""#])
    func `a streamed answer of a schedule ends with its last firing`(
        route: (method: String, path: String), more: String
    ) throws {
        let server = try ServerProcess()
        let stream = try Self.open(
            server, route.path, "{\"every\":0.2,\"count\":2,\"do\":[]\(more)}", method: route.method)
        let events = try stream.collect { _ in false }
        let names = events.map(\.name).filter { $0 != "message" }
        // One with something to show stays.
        #expect(names == ["hello", "scheduled", "fired", "fired"] + (more.isEmpty ? ["removed"] : []))
        #expect(events.contains { $0.name == "message" } && stream.hasEnded)
    }

    @Test func `a schedule's stream ends when that is deleted`() throws {
        let server = try ServerProcess()
        let stream = try Self.open(server, "schedules", #"{"id":"s","in":1000,"do":[]}"#)
        _ = try stream.collect { $0.name == "message" }
        _ = try server.client.send("DELETE", "/v1/schedules/s")
        #expect(try stream.collect { _ in false }.last?.frame?.reason == "cancelled")
    }

    @Test(arguments: [
        ("PUT", "/v1/tickers/t", #"{"label":"7"}"#, "text/event-stream"), ("POST", "/v1/tickers/t/pause", "", "text/*"),
        ("DELETE", "/v1/tickers/t", "", "text/event-stream"), ("POST", "/v1/tickers/t", #"{"to":1}"#, "text/html"),
        ("POST", "/v1/tickers", #"{"to":1}"#, "application/json;q=0"),
        ("POST", "/v1/batch", #"{"ticker":"t","to":1}"#, "text/event-stream"),
        ("POST", "/v1/tickets", #"{"ticker":["t"]}"#, "text/event-stream"),
        ("POST", "/v1/notifications/N", "1", "text/event-stream"),
        ("POST", "/v1/schedules/preview", #"{"in":1,"do":[]}"#, "application/x-ndjson"),
        ("DELETE", "/v1/schedules", "", "*/*;q=0"), ("POST", "/v1/schedules/pause", "", "text/event-stream"),
    ])
    func `an Accept that a change can't satisfy gets 406 and changes nothing`(
        method: String, path: String, body: String, accept: String
    ) throws {
        let server = try ServerProcess()
        let before = try server.client.post("/v1/tickers/t", #"{"to":5,"duration":1000}"#)
        let answer = try server.client.send(
            method, path, body: body.isEmpty ? nil : body, headers: ["Accept: \(accept)"])
        #expect(answer.status == 406 && answer.headers["content-type"] == "application/problem+json")
        let detail = answer.json["detail"] as? String ?? ""
        #expect(detail.contains("`Accept`") && detail.contains("application/json"), "\(detail)")
        #expect(try server.client.get("/v1/tickers/t").headers["etag"] == before.headers["etag"])
        #expect(try server.client.get("/v1/schedules").json["paused"] as? Bool == false)
        #expect((try server.client.get("/v1/tickers").json["items"] as? [Any])?.count == 1)
    }

    @Test(arguments: [[], ["*/*"], ["application/json"], ["text/event-stream;q=0.1, application/json"], [""]])
    func `a change is answered as JSON unless Accept prefers a stream`(accept: [String]) throws {
        let server = try ServerProcess()
        let headers = accept.map { "Accept: \($0)" }
        for (path, body, status) in [
            ("tickers/t", #"{"to":1}"#, 202), ("progress/p", #"{"current":1}"#, 202),
            ("schedules", #"{"in":1000,"do":[]}"#, 201),
        ] {
            let answer = try server.client.post("/v1/\(path)", body, headers: headers)
            #expect(answer.status == status && answer.headers["content-type"] == "application/json")
        }
    }

    @Test func `a streamed answer takes NDJSON and the options of other streams`() throws {
        let server = try ServerProcess()
        let answer = try server.client.post(
            "/v1/tickers/t?stamp", #"{"to":5,"duration":0}"#, headers: ["Accept: application/x-ndjson"])
        #expect(answer.headers["content-type"] == "application/x-ndjson")
        let lines = answer.body.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("\"t\":") && lines[2].contains("complete"))
        let texts = try Self.open(server, "tickers/t?as=text", #"{"to":6,"duration":0}"#).collect { _ in false }
        #expect(texts.map(\.data).contains("6") && texts.last?.name == "complete")
    }
}
