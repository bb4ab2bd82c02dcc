// Streams as lines of JSON: the same that others are told as Server-Sent Events.

import Foundation
import TestSupport
import Testing

/// A reader of lines.
private struct LineReader {
    let status: Int
    let headers: [String: String]
    private let connection: RawConnection

    struct Line {
        let name: String?
        let id: String?
        let retry: Int?
        /// As it was sent.
        let data: String
    }

    init(_ port: UInt16, _ path: String, method: String = "GET", body: String? = nil, headers: [String] = []) throws {
        connection = try RawConnection(port: port)
        try connection.send(HTTPClient.request(method, path, body: body, headers: headers))
        let head = try #require(try connection.readStreamHead())
        let lines = head.split(separator: "\r\n")
        status = Int(lines[0].split(separator: " ")[1]) ?? 0
        self.headers = Dictionary(
            lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
            }, uniquingKeysWith: { $1 })
    }

    /// The next line; nil at the end.
    func next() throws -> Line? {
        guard let text = try connection.read(through: "\n") else { return nil }
        let json = text.json
        let data = try #require(text.firstRange(of: #""data":"#))
        return Line(
            name: json["event"] as? String, id: json["id"] as? String, retry: json["retry"] as? Int,
            data: String(text[data.upperBound...].dropLast(2)))
    }

    func collect(until isLast: (Line) -> Bool) throws -> [Line] {
        var lines: [Line] = []
        while let line = try next() {
            lines.append(line)
            if isLast(line) { break }
        }
        return lines
    }
}

@Suite struct StreamLinesTests {
    private let server: ServerProcess
    private static let type = "application/x-ndjson"

    init() throws { server = try ServerProcess() }

    @Test(arguments: ["", "&mode=motion", "&display&wheels"])
    func `an NDJSON stream has the same events as the SSE stream`(form: String) throws {
        let query = "ticker=*&progress=*&schedule=*&notification=*\(form)"
        let events = try EventSourceClient(port: server.port, path: "/v1/events?\(query)")
        let lines = try LineReader(server.port, "/v1/events?\(query)&as=ndjson")
        #expect(lines.status == 200 && lines.headers["content-type"] == Self.type)
        let greetings = (try #require(try events.next()), try #require(try lines.next()))
        #expect(greetings.0.name == "hello" && greetings.1.name == "hello" && greetings.1.retry != nil)
        for number in 1...5 {
            let label = #""label":"line\n\#(number) \"of\" 0""#
            _ = try server.client.post("/v1/tickers/t", #"{"to":\#(number),"duration":0,\#(label)}"#)
            _ = try server.client.post("/v1/progress/p", #"{"current":\#(number),"duration":0}"#)
            _ = try server.client.post("/v1/notifications/N", "\(number)")
            // Both have it all before there is more: nothing is left out of either.
            let told = try events.collect { $0.name == "notification" }
            let same = try lines.collect { $0.name == "notification" }
            #expect(same.map(\.name) == told.map { $0.name == "message" ? "frame" : $0.name })
            #expect(same.map(\.id) == told.map(\.id))
            #expect(same.map(\.data) == told.map(\.data))
        }
    }

    @Test func `an NDJSON stream ends after once or with bye`() throws {
        let once = try LineReader(server.port, "/v1/events?ticker=t&once&as=ndjson")
        let open = try LineReader(server.port, "/v1/events?ticker=t&as=ndjson")
        for lines in [once, open] { _ = try lines.next() }
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        #expect(try once.collect { _ in false }.map(\.name) == ["frame", "complete"])
        _ = try open.collect { $0.name == "complete" }
        server.signal(SIGTERM)
        let last = try #require(open.collect { _ in false }.last)
        #expect(last.name == "bye" && last.retry != nil && last.data == #"{"reason":"draining"}"#)
    }

    @Test func `multi-line notification data is one line of NDJSON`() throws {
        let lines = try LineReader(server.port, "/v1/events?notification=N&as=ndjson")
        _ = try lines.next()
        let body = "{\n  \"open\": true,\r\n  \"floors\": [1,\n 2]\n}\n"
        #expect(try server.client.post("/v1/notifications/N", body).status == 204)
        let data = try #require(try lines.next()).data.json["data"] as? [String: Any]
        #expect(data?["open"] as? Bool == true && data?["floors"] as? [Int] == [1, 2])
    }

    @Test func `an NDJSON stream replays missed events`() throws {
        let before = try LineReader(server.port, "/v1/events?notification=N&as=ndjson")
        _ = try before.next()
        for number in 1...3 { _ = try server.client.post("/v1/notifications/N", "\(number)") }
        let id = try #require(before.next()?.id)
        let after = try LineReader(
            server.port, "/v1/events?notification=N&as=ndjson", headers: ["Last-Event-ID: \(id)"])
        let missed = try after.collect { $0.data.hasSuffix(":3}") }
        #expect(missed.map(\.name) == ["hello", "notification", "notification"])
    }

    @Test(arguments: [
        ("application/x-ndjson", true), ("application/x-ndjson, application/json;q=0.5", true),
        ("text/event-stream", false), ("application/x-ndjson, text/event-stream", false), ("*/*", false),
    ])
    func `a stream is NDJSON if Accept names no event stream beside it`(accepted: String, isLines: Bool) throws {
        _ = try server.client.send("PUT", "/v1/tickers/t", body: #"{"label":"5"}"#)
        let accept = ["Accept: \(accepted)"]
        for (method, path, body) in [
            ("GET", "/v1/events?ticker=t", nil), ("GET", "/v1/tickers/t/events", nil), ("GET", "/v1/selftest", nil),
            ("POST", "/v1/events", #"{"ticker":["t"]}"#),
        ] {
            let stream = try LineReader(server.port, path, method: method, body: body, headers: accept)
            let type = stream.headers["content-type"]
            #expect(isLines ? type == Self.type : type?.hasPrefix("text/event-stream") == true, "\(path)")
        }
    }

    /// Everything that a stream sends until it ends.
    private func whole(_ path: String, _ headers: String...) throws -> (type: String?, text: String) {
        let answer = try server.client.send("GET", path, headers: headers)
        return (answer.headers["content-type"], answer.body)
    }

    private static let plain = "text/plain; charset=utf-8"

    @Test func `plain text and terminal streams show resources at rest and end with once`() throws {
        _ = try server.client.send("PUT", "/v1/tickers/a.b", body: #"{"label":"Gate 5\u001b[2J"}"#)
        _ = try server.client.post("/v1/progress/p", #"{"current":50,"duration":0,"label":"{percent} done"}"#)
        let text = try whole("/v1/tickers/a.b/events?once", "Accept: text/plain")
        #expect(text.type == Self.plain && text.text == "Gate 5[2J\n")
        let events = try whole("/v1/tickers/a.b/events?once&as=text")
        #expect(events.type == "text/event-stream" && events.text.hasSuffix("data: Gate 5[2J\n\n"))
        let path = "/v1/events?ticker=*&progress=*&once&as=terminal&width=30"
        let plain = try whole(path + "&color=false")
        #expect(plain.type == Self.plain)
        let (begin, end) = ("\u{1B}[?7l\u{1B}[K", "\u{1B}[?7h\r\n")
        #expect(plain.text == "\(begin)a.b  Gate 5[2J\(end)\(begin)p    ▕██████      ▏ 50 done\(end)")
        let colored = try whole(path)
        #expect(colored.text.contains("\u{1B}[2mp  \u{1B}[0m  ▕\u{1B}[36m██████      \u{1B}[0m▏ 50 done\(end)"))
    }

    @Test func `a plain text stream shows a motion to its end in the reader's locale`() throws {
        _ = try server.client.post("/v1/tickers/t", #"{"label":"1.0 l","from":0,"to":2.5,"duration":0.3}"#)
        let text = try whole("/v1/tickers/t/events?once&locale=de-DE", "Accept: text/plain, */*;q=0.1")
        #expect(text.text.hasSuffix("2,5 l\n") && text.text.split(separator: "\n").count > 2)
    }

    @Test(arguments: [
        ("?width=30", "width"), ("?as=ndjson&color=false", "color"), ("?as=terminal&width=19", "width"),
        ("?as=terminal&height=x", "height"),
    ])
    func `width, height and color are refused outside a terminal stream or out of range`(query: String, field: String)
        throws
    {
        let answer = try server.client.get("/v1/tickers/t/events\(query)")
        #expect(answer.status == 422 && answer.body.contains("?\(field)"), "\(answer.body)")
    }

    @Test func `plain text behind JSON in Accept does not choose a plain text stream`() throws {
        let stream = try LineReader(
            server.port, "/v1/events?ticker=t", headers: ["Accept: application/json, text/plain, */*"])
        #expect(stream.headers["content-type"] == "text/event-stream")
    }

    @Test func `an update answered as NDJSON ends with its completion`() throws {
        let lines = try LineReader(
            server.port, "/v1/tickers", method: "POST", body: #"{"label":"5","to":7,"duration":0}"#,
            headers: ["Accept: application/x-ndjson"])
        #expect(lines.headers["content-type"] == Self.type)
        let told = try lines.collect { _ in false }
        #expect(told.map(\.name) == ["hello", "frame", "complete"])
        #expect(told.last?.data.contains(#""text":"7""#) == true)
    }

    @Test(.tags(.slow)) func `an NDJSON stream beyond --max-streams gets a bye line`() throws {
        let full = try ServerProcess(arguments: ["--max-streams", "1", "--idle-timeout", "2"])
        let first = try EventSourceClient(port: full.port, path: "/v1/events?ticker=t")
        _ = try first.next()
        let lines = try LineReader(full.port, "/v1/events?ticker=t&as=ndjson")
        #expect(lines.status == 200 && lines.headers["content-type"] == Self.type)
        let last = try #require(lines.collect { _ in false }.last)
        #expect(last.name == "bye" && last.retry != nil && last.data.contains(#""reason":"full""#), "\(last)")
    }

    @Test func `as text or an unknown form is refused for an NDJSON stream`() throws {
        let accept = ["Accept: application/x-ndjson"]
        #expect(try server.client.get("/v1/events?ticker=t&as=text", headers: accept).status == 422)
        #expect(try server.client.get("/v1/events?ticker=t&as=yaml").status == 422)
    }
}
