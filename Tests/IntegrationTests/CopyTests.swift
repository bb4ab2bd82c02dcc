// A board that moves: from a folder to replicas and back, by the program itself, over a real Redis.

import Foundation
import TestSupport
import Testing

@Suite struct CopyTests {
    private let redis: RedisServer
    private let folder = TemporaryFolder()
    private let receiver: HTTPReceiver

    init() throws {
        redis = try RedisServer(["appendonly yes", "appendfsync always"])
        receiver = try HTTPReceiver()
    }

    /// Where a board may be.
    enum Keeper: Sendable { case folder, redis }

    private func place(_ keeper: Keeper, _ name: String) -> String {
        switch keeper {
        case .folder: "sqlite:\(folder.path)/\(name)"
        case .redis: "redis://127.0.0.1:\(redis.port)?name=\(name)"
        }
    }

    private func server(on place: String) throws -> ServerProcess {
        try ServerProcess(
            arguments: ["--store", place, "--webhook-host", "127.0.0.1:\(receiver.port)", "--webhook-attempts", "2"],
            environment: ["TWEENCAST_WEBHOOK_SECRET": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
    }

    private func copy(_ source: String, _ target: String) throws -> String {
        let (code, output) = try ServerProcess.output(["copy", "--from", source, "--to", target])
        #expect(code == 0)
        return output
    }

    // MARK: - What a board is

    private static let fillings = [
        ("/v1/tickers/rest", #"{"label":"Sales: $1,204.50","to":2310.75,"duration":0}"#),
        ("/v1/tickers/run", #"{"label":"0 m","to":1000000,"duration":6000,"then":[{"notify":"n"}]}"#),
        ("/v1/tickers/steps", #"{"to":[300,{"to":900,"offset":0.75,"easing":"back"},750],"duration":3000}"#),
        ("/v1/tickers/held", #"{"label":"0 m","to":500,"duration":0.5,"then":[{"notify":"held"}]}"#),
        ("/v1/tickers/held/pause", ""),
        ("/v1/tickers/queue", #"{"to":10,"duration":3000}"#),
        ("/v1/tickers/queue", #"{"to":20,"duration":1,"interrupt":"queue","then":[{"notify":"n"}]}"#),
        ("/v1/progress/p", #"{"current":75,"maximum":200,"duration":2000,"appearance":{"shape":"pie"}}"#),
        ("/v1/schedules", #"{"id":"often","every":0.1,"do":[{"ticker":"count","by":1,"duration":0}]}"#),
        ("/v1/schedules", #"{"id":"nightly","every":"0 3 * * *","timeZone":"Europe/Berlin","do":[{"notify":"n"}]}"#),
        ("/v1/schedules", #"{"id":"later","in":3600,"do":[{"notify":"n"}]}"#), ("/v1/schedules/later/pause", ""),
    ]
    private static let names =
        ["rest", "run", "steps", "held", "queue"].map { "/v1/tickers/\($0)" } + ["/v1/progress/p", "/v1/schedules"]
        + ["often", "nightly", "later"].map { "/v1/schedules/\($0)" } + ["/v1/webhooks/failed"]

    private static let counts = "tickers 10, progress views 1, schedules 3, webhooks 2, answers kept for retries 1;"

    /// What passes while it runs; where it began and ends doesn't.
    private static let passing: Set<String> = [
        "value", "text", "fraction", "percent", "elapsed", "velocity", "rate", "eta", "remaining", "display",
    ]

    private static func lasting(_ value: Any, _ isRunning: Bool = false) -> Any {
        switch value {
        case let fields as [String: Any]:
            let state = (fields["motion"] as? [String: Any])?["state"] as? String
            let runs = isRunning || state == "running" || fields["due"] != nil
            return fields.filter { !runs || !passing.contains($0.key) }.mapValues { lasting($0, runs) }
        case let items as [Any]: return items.map { lasting($0, isRunning) }
        default: return value
        }
    }

    /// All that a server tells of a board, but for what passes.
    private func board(of server: ServerProcess) throws -> [String: String] {
        var board: [String: String] = [:]
        for name in Self.names {
            let answer = try server.client.get(name)
            #expect(answer.status == 200, "\(name)")
            let data = try JSONSerialization.data(withJSONObject: Self.lasting(answer.json), options: .sortedKeys)
            board[name] = String(decoding: data, as: UTF8.self)
        }
        return board
    }

    /// Fills a board and pauses all its schedules.
    private func fill(_ server: ServerProcess) throws {
        for (path, body) in Self.fillings {
            let answer = try server.client.post(path, body)
            #expect((200..<300).contains(answer.status), "\(path): \(answer.body)")
        }
        try eventually("a firing") { try server.client.get("/v1/tickers/count").status == 200 }
        #expect(try server.client.post("/v1/schedules/pause").status == 200)
    }

    /// Has one webhook given up and another wait for its next attempt.
    private func fillOutbox(_ server: ServerProcess) throws {
        let url = "http://127.0.0.1:\(receiver.port)/"
        for (id, status) in [("a", "410 Gone"), ("b", "503 Service Unavailable\r\nRetry-After: 3600")] {
            _ = try server.client.post(
                "/v1/tickers/\(id)", #"{"to":1,"duration":0,"then":[{"webhook":"\#(url)","data":"\#(id)"}]}"#)
            _ = try receiver.next(answering: "HTTP/1.1 \(status)")
            if id == "a" {
                try eventually("a failure") { try server.client.get("/v1/webhooks/failed").body.contains("410") }
            }
        }
    }

    private func notify(_ name: String, _ server: ServerProcess) throws {
        let body = #"{"id":"\#(name)","in":0,"do":[{"notify":"\#(name)"}]}"#
        #expect(try server.client.post("/v1/schedules", body).status == 201)
    }

    /// What a server tells somebody who knew of an event, up to a notification.
    private func told(_ server: ServerProcess, since id: String, until last: String) throws -> [String] {
        let stream = try EventSourceClient(
            port: server.port, path: "/v1/events?notification=*", headers: ["Last-Event-ID: \(id)"])
        let events = try stream.collect { $0.name == "notification" && $0.data.contains("\"\(last)\"") }
        return events.filter { $0.name == "notification" || $0.name == "reset" }.map { event in
            ["first", "second", "ended", "held"].first { event.data.contains("\"\($0)\"") } ?? event.data
        }
    }

    // MARK: - There and back

    @Test func `a board goes from a folder to replicas and back, and goes on`() throws {
        let (home, shared, away) = (place(.folder, "home"), place(.redis, "board"), place(.folder, "away"))
        let first = try server(on: home)
        let stream = try EventSourceClient(port: first.port, path: "/v1/events?notification=*")
        _ = try stream.next()
        try notify("first", first)
        let known = try #require(try stream.collect { $0.name == "notification" }.last?.id)
        stream.close()
        try notify("second", first)
        try eventually("both firings") { try first.client.get("/v1/schedules").body.contains(#""pending":0"#) }
        try fill(first)
        try fillOutbox(first)
        let key = ["Idempotency-Key: once"]
        let answer = try first.client.post("/v1/tickers/once", #"{"by":5,"duration":0}"#, headers: key)
        let board = try board(of: first)
        // It ends while nobody serves the board, or before: all the same to whoever comes back.
        let ending = #"{"to":1,"duration":0.3,"then":[{"notify":"ended"}]}"#
        #expect(try first.client.post("/v1/tickers/ending", ending).status == 202)
        #expect(first.terminate() == 0)

        let counts = try copy(home, shared)
        #expect(counts.contains(Self.counts), "\(counts)")
        let second = try server(on: shared)
        #expect(try self.board(of: second) == board)
        let heard = try told(second, since: known, until: "ended")
        #expect(heard == ["second", "ended"])
        let again = try second.client.post("/v1/tickers/once", #"{"by":5,"duration":0}"#, headers: key)
        #expect(again.status == answer.status && again.body == answer.body)
        #expect(try second.client.post("/v1/tickers/rest", #"{"to":1}"#, headers: [#"If-Match: "7""#]).status == 412)
        #expect(second.terminate() == 0)

        #expect(try copy(shared, away).contains(Self.counts))
        let third = try server(on: away)
        #expect(try self.board(of: third) == board)
        #expect(try third.client.post("/v1/tickers/once", #"{"by":5,"duration":0}"#, headers: key).body == answer.body)
        // What was paused goes on.
        let count = try #require(try third.client.get("/v1/schedules/often").json["fired"] as? Int)
        #expect(try third.client.post("/v1/schedules/resume").status == 200)
        try eventually("a firing") {
            try third.client.get("/v1/schedules/often").json["fired"] as? Int ?? 0 > count
        }
        #expect(try third.client.post("/v1/tickers/held/resume").status == 200)
        let all = try told(third, since: known, until: "held")
        #expect(all == ["second", "ended", "held"])
        #expect(try third.client.get("/v1/tickers/held").json["text"] as? String == "500 m")
    }

    @Test(arguments: [Keeper.folder, .redis])
    func `a board copied to another place of its kind has the same state, and both go on`(keeper: Keeper) throws {
        let (source, target) = (place(keeper, "one"), place(keeper, "two"))
        let first = try server(on: source)
        try fill(first)
        let board = try board(of: first)
        let stream = try EventSourceClient(port: first.port, path: "/v1/events?ticker=*")
        let seen = try #require(try stream.collect { $0.name == "hello" }.last?.id)
        stream.close()
        #expect(first.terminate() == 0)
        _ = try copy(source, target)
        let second = try server(on: target)
        #expect(try self.board(of: second) == board)
        // An id that the copied board didn't have isn't taken for one that came later.
        let later = "\(seen.prefix { $0 != "-" })-999999"
        let late = try EventSourceClient(
            port: second.port, path: "/v1/events?ticker=*", headers: ["Last-Event-ID: \(later)"])
        let resets = try late.collect { $0.name == "reset" }.filter { $0.name == "reset" }
        #expect(resets.map(\.data) == [#"{"reason":"unknown"}"#])
        late.close()
        // Both go on by themselves.
        #expect(try second.client.post("/v1/tickers/rest", #"{"to":1,"duration":0}"#).status == 202)
        let old = try server(on: source)
        #expect(try self.board(of: old) == board)
    }
}
