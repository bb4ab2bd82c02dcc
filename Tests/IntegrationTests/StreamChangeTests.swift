// Open streams that are told to hear something else, over the network and by those who may.

import Foundation
import TestSupport
import Testing

@Suite struct StreamChangeTests {
    private typealias Visitor = GuardedServer.Visitor

    /// Opens a stream by its body, and reads its name.
    private static func open(
        _ server: ServerProcess, _ body: String, query: String = "", headers: [String] = []
    ) throws -> (stream: EventSourceClient, name: String) {
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/events\(query)", method: "POST", body: body, headers: headers)
        let hello = try stream.collect { $0.name == "hello" }.last
        return (stream, try #require(hello?.json["stream"] as? String))
    }

    private static func put(
        _ server: ServerProcess, _ name: String, _ body: String, query: String = "", headers: [String] = []
    ) throws -> HTTPAnswer {
        try server.client.send("PUT", "/v1/streams/\(name)\(query)", body: body, headers: headers)
    }

    @Test func `a changed stream gets its new topics and no longer those it left`() throws {
        let server = try ServerProcess()
        for id in ["a", "b", "c"] { _ = try server.client.post("/v1/tickers/\(id)", #"{"to":1,"duration":0}"#) }
        let (stream, name) = try Self.open(server, #"{"parts":[{"ticker":["a","b"]}],"heartbeat":3}"#)
        var states = 0
        _ = try stream.collect {
            states += $0.name == "message" ? 1 : 0
            return states == 2
        }
        let answer = try Self.put(
            server, name, #"{"parts":[{"ticker":["b"]},{"ticker":["c"],"wheels":"up","display":true}]}"#)
        #expect(answer.status == 204 && answer.body.isEmpty, "\(answer.body)")
        for id in ["a", "b", "c"] { _ = try server.client.post("/v1/tickers/\(id)", #"{"to":2,"duration":0}"#) }
        let told = try stream.collect { $0.name == "complete" && $0.frame?.ticker == "c" }
        let frames = told.filter { $0.name == "message" }
        #expect(frames.first?.data.contains(#""ticker":"c","value":1"#) == true)
        #expect(!told.contains { $0.frame?.ticker == "a" } && told.contains { $0.frame?.ticker == "b" })
        #expect(frames.allSatisfy { $0.data.contains(#""wheels""#) == ($0.frame?.ticker == "c") })
    }

    @Test func `a motion and the frames of one ticker come on one stream`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/a", #"{"label":"0","to":9,"duration":1000}"#)
        let (stream, _) = try Self.open(
            server, #"{"parts":[{"ticker":["a"]},{"ticker":["a"],"mode":"motion"}]}"#)
        var seen: Set<String> = []
        _ = try stream.collect {
            seen.insert($0.name)
            return seen.isSuperset(of: ["message", "motion"])
        }
        _ = try server.client.post("/v1/tickers/a/finish", "")
        let ends = try stream.collect { $0.name == "complete" }
        _ = try server.client.post("/v1/tickers/a", #"{"to":0,"duration":0}"#)
        let next = try stream.collect { $0.name == "complete" }
        #expect(ends.count { $0.name == "complete" } == 1 && next.count { $0.name == "complete" } == 1)
    }

    @Test(arguments: [
        (#"{}"#, 400, ""), (#"{"parts":[]}"#, 422, "/parts"), (#"{"parts":[{}]}"#, 422, "/parts/0"),
        (#"{"parts":[{"ticker":["a"]},{"ticker":[7]}]}"#, 422, "/parts/1/ticker/0"),
        (#"{"parts":[{"ticker":["a"],"fps":3}]}"#, 422, "/parts/0/fps"),
        (#"{"parts":[{"ticker":["a"]}],"wheels":"up"}"#, 422, "/wheels"),
        (#"{"ticker":["a"],"heartbeat":0}"#, 422, "/heartbeat"),
        (#"{"ticker":["a"],"heartbeat":61}"#, 422, "/heartbeat"),
        (#"{"ticker":["a"],"lastEventID":"x-1"}"#, 422, "/lastEventID"),
        (#"{"ticker":["a"],"locale":"xx-YY"}"#, 422, "/locale"),
    ])
    func `an invalid change of a stream is refused and changes nothing`(body: String, status: Int, pointer: String)
        throws
    {
        let server = try ServerProcess()
        let (stream, name) = try Self.open(server, #"{"ticker":["kept"]}"#)
        let answer = try Self.put(server, name, body)
        #expect(answer.status == status && (answer.json["pointer"] as? String ?? "") == pointer, "\(answer.body)")
        _ = try server.client.post("/v1/tickers/kept", #"{"to":1,"duration":0}"#)
        #expect(try stream.collect { $0.name == "complete" }.last?.frame?.ticker == "kept")
    }

    @Test func `a stream that has ended or never was is not found`() throws {
        let server = try ServerProcess()
        for name in ["AAAAAAAAAAAAAAAAAAAAAA", "x", ""] {
            #expect(try Self.put(server, name, #"{"ticker":["a"]}"#).status == 404)
        }
        let (stream, name) = try Self.open(server, #"{"ticker":["a"],"once":true}"#)
        _ = try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#)
        _ = try stream.collect { _ in false }
        var answer = try Self.put(server, name, #"{"ticker":["a"]}"#)
        // The tick thread hears of the end a moment after the client.
        for _ in 0..<100 where answer.status == 204 { answer = try Self.put(server, name, #"{"ticker":["a"]}"#) }
        #expect(answer.status == 404 && answer.body.contains("open a new one"), "\(answer.body)")
        #expect(try server.client.send("GET", "/v1/streams/\(name)").status == 405)
    }

    @Test func `whoever has another token, or none, can't change a stream`() throws {
        let guarded = try GuardedServer(anonymous: #"{"subscribe":["ticker=shop-*"]}"#)
        try guarded.prepare()
        let options = #"{"ticker":["shop-1"]}"#
        let (stream, name) = try Self.open(guarded.server, options, headers: Visitor.subscriber.headers)
        for visitor in [Visitor.nobody, .admin, .other, .publisher] {
            #expect(try Self.put(guarded.server, name, options, headers: visitor.headers).status == 404, "\(visitor)")
        }
        let own = Visitor.subscriber.headers
        #expect(try Self.put(guarded.server, name, #"{"ticker":["other-1"]}"#, headers: own).status == 403)
        #expect(try Self.put(guarded.server, name, #"{"ticker":["*"]}"#, headers: own).status == 204)
        let (other, open) = try Self.open(guarded.server, options)
        #expect(try Self.put(guarded.server, open, options, headers: own).status == 404)
        #expect(try Self.put(guarded.server, open, #"{"ticker":["other-1"]}"#).status == 401)
        #expect(try Self.put(guarded.server, open, #"{"ticker":["shop-*"]}"#).status == 204)
        // Both were open all the time.
        for stream in [stream, other] { _ = try stream.collect { $0.frame?.ticker == "shop-1" } }
    }

    @Test func `a ticket's stream may hear its topics, and more with another ticket`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        func ticket(_ topics: String, _ visitor: Visitor = .admin) throws -> String {
            let answer = try guarded.server.client.post("/v1/tickets", topics, headers: visitor.headers)
            return try #require(answer.json["ticket"] as? String)
        }
        let first = try ticket(#"{"ticker":["shop-*"]}"#)
        let (stream, name) = try Self.open(guarded.server, #"{"ticker":["shop-1"]}"#, query: "?ticket=\(first)")
        func put(_ body: String, _ query: String = "") throws -> Int {
            try Self.put(guarded.server, name, body, query: query).status
        }
        #expect(try put(#"{"ticker":["*"]}"#) == 204)
        #expect(try put(#"{"ticker":["other-1"]}"#) == 403)
        #expect(try put(#"{"ticker":["shop-1"]}"#, "?ticket=\(first)") == 401)
        // Somebody else's opens nothing here.
        let foreign = try ticket(#"{"ticker":["shop-1"]}"#, .subscriber)
        #expect(try put(#"{"ticker":["shop-1"]}"#, "?ticket=\(foreign)") == 404)
        let second = try ticket(#"{"ticker":["other-1"]}"#)
        #expect(try put(#"{"ticker":["other-1"]}"#, "?ticket=\(second)") == 204)
        _ = try stream.collect { $0.frame?.ticker == "other-1" }
        #expect(try put(#"{"ticker":["shop-1"]}"#) == 403)
    }

    @Test func `a page that may only read may open and change a stream`() throws {
        let server = try ServerProcess(arguments: ["--cors-origin", "*"])
        let page = ["Origin: https://page.example", "Content-Type: application/json"]
        let (stream, name) = try Self.open(server, #"{"ticker":["a"]}"#, headers: page)
        #expect(try Self.put(server, name, #"{"ticker":["b"]}"#, headers: page).status == 204)
        #expect(try server.client.send("POST", "/v1/tickers/a", body: #"{"to":1}"#, headers: page).status == 403)
        for (path, method) in [("/v1/events", "POST"), ("/v1/streams/\(name)", "PUT")] {
            let asked = ["Origin: https://page.example", "Access-Control-Request-Method: \(method)"]
            let answer = try server.client.send("OPTIONS", path, headers: asked)
            #expect(answer.status == 204 && answer.headers["access-control-allow-origin"] == "*")
        }
        _ = try server.client.post("/v1/tickers/b", #"{"to":1,"duration":0}"#)
        _ = try stream.collect { $0.frame?.ticker == "b" }
    }
}
