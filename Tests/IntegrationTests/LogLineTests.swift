// The log of a running server: what it says of its life, of requests and of streams, in both forms and at all levels; and the
// names by which requests are found again.

import Foundation
import TestSupport
import Testing

@Suite struct LogLineTests {
    private struct NoSuchLine: Error {}

    /// A server whose log is read as objects.
    private final class LoggingServer {
        let server: ServerProcess
        private let errors = Pipe()

        init(_ arguments: String..., folder: String? = nil, environment: [String: String] = [:]) throws {
            server = try ServerProcess(
                folder: folder, arguments: ["--log-format", "json"] + arguments, environment: environment,
                errors: errors)
        }

        var client: HTTPClient { server.client }

        /// The next line; nil at the log's end, and where none comes for a minute.
        func next() throws -> [String: Any]? {
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                var wait = pollfd(fd: errors.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&wait, 1, 60_000) > 0 else { return nil }
                guard let byte = try errors.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { return nil }
                line.append(byte)
            }
            return try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
        }

        /// Reads until a line that fits, and returns it.
        func line(where fits: ([String: Any]) -> Bool) throws -> [String: Any] {
            while let line = try next() {
                if fits(line) { return line }
            }
            throw NoSuchLine()
        }

        func line(_ message: String) throws -> [String: Any] { try line { $0["message"] as? String == message } }

        /// Ends the server, and reads the rest.
        func finish() throws -> [[String: Any]] {
            #expect(server.terminate() == 0)
            try errors.fileHandleForWriting.close()
            var lines: [[String: Any]] = []
            while let line = try next() { lines.append(line) }
            return lines
        }
    }

    @Test func `the log tells start, restored resources, ready, reload and stop`() throws {
        let folder = TemporaryFolder()
        let first = try ServerProcess(folder: folder.path)
        _ = try first.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#)
        _ = try first.client.post("/v1/schedules", #"{"in":1000,"do":[{"notify":"N"}]}"#)
        #expect(first.terminate() == 0)
        let server = try LoggingServer(folder: folder.path)
        let starting = try server.line("starting")
        #expect(starting["store"] as? String == "sqlite" && starting["version"] is String)
        let restored = try server.line("restored")
        #expect(restored["tickers"] as? Int == 1 && restored["schedules"] as? Int == 1)
        let ready = try server.line("ready")
        #expect(ready["address"] as? String == "http://127.0.0.1:\(server.server.port)")
        for _ in 0..<3 { _ = try server.client.get("/v1/tickers/a") }
        server.server.signal(SIGHUP)
        _ = try server.line("configuration reload requested")
        let rest = try server.finish()
        #expect(rest.contains { $0["message"] as? String == "draining" })
        let stopped = try #require(rest.last)
        #expect(stopped["message"] as? String == "stopped" && stopped["requests"] as? Int == 3)
        for line in [starting, restored, ready, stopped] {
            #expect(line["level"] as? String == "info" && (line["time"] as? String)?.hasSuffix("Z") == true)
        }
    }

    @Test func `an untested libmicrohttpd version is logged as a warning at the start`() throws {
        let environment = ["LD_PRELOAD": try FaultLibrary.location.path]
        let tested = try LoggingServer(environment: environment)
        #expect(try !tested.finish().contains { $0["tested"] != nil })
        let other = try LoggingServer(environment: environment.merging(["TWEENCAST_HTTP_LIBRARY": "1.0.1"]) { $1 })
        let line = try other.line { $0["tested"] != nil }
        #expect(line["version"] as? String == "1.0.1" && line["tested"] as? String == "0.9.75")
        #expect(line["level"] as? String == "warning" && line["subject"] as? String == "service")
    }

    @Test func `each request is logged with its route, and without tickets or stream names`() throws {
        let server = try LoggingServer("--log-level", "debug")
        let token = "ticket-of-the-tests"
        _ = try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#, headers: ["X-Request-ID: mine/1"])
        _ = try server.client.get("/v1/tickers/no?locale=de-DE&flag")
        _ = try server.client.get("/v1/events?ticker=a&ticket=\(token)")
        _ = try server.client.send("PUT", "/v1/streams/\(String(repeating: "A", count: 22))", body: "{}")
        _ = try server.client.get("/nowhere/%22%0a")
        let lines = try server.finish()
        let told = lines.filter { $0["subject"] as? String == "request" }
        #expect(
            told.map { $0["route"] as? String } == [
                "/v1/tickers/{id}", "/v1/tickers/{id}", "/v1/events", "/v1/streams/{name}", "file",
            ])
        #expect(told.map { $0["status"] as? Int }.prefix(2) == [202, 422])
        #expect(told[0]["method"] as? String == "POST" && told[0]["path"] as? String == "/v1/tickers/a")
        #expect(told[0]["request"] as? String == "mine/1" && told[0]["client"] as? String == "127.0.0.1")
        #expect(told[1]["path"] as? String == "/v1/tickers/no?locale=de-DE&flag")
        #expect(told[2]["path"] as? String == "/v1/events?ticker=a&ticket=…")
        #expect(told[3]["path"] as? String == "/v1/streams/{name}")
        #expect(told[4]["path"] as? String == "/nowhere/\"\n")
        for line in told {
            #expect(line["milliseconds"] is Double && line["level"] as? String == "debug")
        }
        #expect(!"\(lines)".contains(token))
    }

    @Test(arguments: [
        (["--log-level", "debug", "--access-log", "off"], 0), (["--log-level", "info"], 0),
        (["--access-log", "info"], 2), (["--log-level", "error", "--access-log", "warning"], 0),
    ])
    func `--access-log and --log-level decide whether requests are logged`(flags: [String], count: Int) throws {
        let errors = Pipe()
        let server = try ServerProcess(arguments: flags, errors: errors)
        for _ in 0..<2 { _ = try server.client.get("/healthz") }
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.contains(" request: answered ") } == count, "\(text)")
        #expect(text.contains(" info service: ready address=") == !flags.contains("error"))
    }

    @Test(arguments: [true, false])
    func `standard error connected to the journal gets priorities instead of times`(isJournal: Bool) throws {
        let errors = Pipe()
        var status = stat()
        try #require(unsafe fstat(errors.fileHandleForWriting.fileDescriptor, &status) == 0)
        // A program that the service has started inherits the variable, and another standard error perhaps.
        let inode = isJournal ? status.st_ino : status.st_ino + 1
        let server = try ServerProcess(environment: ["JOURNAL_STREAM": "\(status.st_dev):\(inode)"], errors: errors)
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains("<6>service: ready address=") == isJournal, "\(text)")
        #expect(text.contains("Z info service: ready address=") != isJournal, "\(text)")
    }

    @Test(arguments: ["PUT", "OPTIONS", "GET"]) func `the name of an open stream is not logged`(method: String) throws {
        let errors = Pipe()
        let server = try ServerProcess(arguments: ["--access-log", "info"], errors: errors)
        _ = try server.client.send(method, "/v1/streams/AAAAAAAAAAAAAAAAAAAAAA")
        #expect(server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text.contains(" path=/v1/streams/{name} ") && !text.contains("AAAA"), "\(text)")
    }

    @Test func `the log line of a stream's end has its true totals`() throws {
        let server = try LoggingServer()
        let stream = try EventSourceClient(
            port: server.server.port, path: "/v1/events?ticker=a&ticker=b&once", headers: ["X-Request-ID: s-1"])
        #expect(stream.headers["x-request-id"] == "s-1")
        _ = try stream.collect { $0.name == "hello" }
        _ = try server.client.post("/v1/tickers/a", #"{"to":50,"duration":0.5}"#)
        let events = try stream.collect { $0.name == "complete" }
        #expect(try stream.next() == nil)
        let end = try server.line("ended")
        #expect(end["reason"] as? String == "completed" && end["subject"] as? String == "stream")
        #expect(end["frames"] as? Int == events.count { $0.name == "message" })
        // A busy machine may leave frames out.
        #expect(end["events"] as? Int == 1 && (end["left_out"] as? Int ?? -1) >= 0)
        #expect(end["client"] as? String == "127.0.0.1" && end["request"] as? String == "s-1")
        #expect((end["seconds"] as? Double ?? 0) >= 0.5 && (end["bytes"] as? Int ?? 0) > 500)
        let left = try EventSourceClient.greeted(port: server.server.port, path: "/v1/tickers/a/events")
        left.close()
        #expect(try server.line("ended")["reason"] as? String == "client")
        _ = try server.finish()
    }

    @Test func `streams that come and go are limited in the log, and the rest is counted`() throws {
        let server = try LoggingServer("--connection-rate", "0", "--request-rate", "0")
        let count = 200
        for _ in 0..<count {
            let stream = try EventSourceClient(port: server.server.port, path: "/v1/events?ticker=a")
            stream.close()
        }
        let lines = try server.finish()
        let ended = lines.count { $0["message"] as? String == "ended" }
        let counted = lines.filter { $0["text"] as? String == "ended" }.compactMap { $0["lines"] as? Int }.reduce(0, +)
        // As many a minute as any message has; a slow machine may begin a second one.
        #expect(ended <= 120 && ended + counted == count, "\(ended) \(counted)")
    }

    @Test func `a refused token is logged with its reason and without the token`() throws {
        let errors = Pipe()
        let guarded = try GuardedServer(arguments: ["--max-streams-per-token", "1"], errors: errors)
        let bad = "Authorization: Bearer nobody-knows-this-token"
        #expect(try guarded.server.client.get("/v1/tickers/shop-1", headers: [bad]).status == 401)
        let headers = GuardedServer.Visitor.subscriber.headers
        let first = try EventSourceClient(
            port: guarded.server.port, path: "/v1/events?ticker=shop-1", headers: headers)
        _ = try first.collect { $0.name == "hello" }
        #expect(guarded.server.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(
            text.contains(#" warning access: a token was refused reason="the token is not known" client=127.0.0.1"#))
        #expect(text.contains(" info stream: ended reason=draining who=subscriber client=127.0.0.1 "), "\(text)")
        #expect(!text.contains("nobody-knows") && !text.contains("token-of-the-tests"))
    }

    // MARK: - Names of requests

    @Test func `every answer has X-Request-ID, the request's own if it is valid`() throws {
        let server = try ServerProcess()
        func name(_ path: String, _ sent: String?, method: String = "GET", body: String? = nil) throws -> String? {
            let headers = sent.map { ["X-Request-ID: \($0)"] } ?? []
            return try server.client.send(method, path, body: body, headers: headers).headers["x-request-id"]
        }
        let sane = "aZ09._~:/+=@-" + String(repeating: "x", count: 115)
        #expect(try name("/healthz", sane) == sane)
        let own = /[0-9a-z]{6}-[0-9a-z]+/
        var seen: Set<String> = []
        for sent in [nil, sane + "x", "a b", "ä", "a\"b", "a,b", ""] {
            let made = try #require(try name("/v1/tickers", sent))
            #expect(made.wholeMatch(of: own) != nil && seen.insert(made).inserted, "\(made)")
        }
        #expect(try name("/v1/nothing", "n-1") == "n-1")
        #expect(try name("/v1/tickers/a", "n-2", method: "POST", body: #"{"to":"x"}"#) == "n-2")
        let long = String(repeating: "x", count: 70_000)
        #expect(try name("/v1/tickers/a", "n-3", method: "POST", body: long) == "n-3")
        #expect(try name("/v1/tickers", "n-4", method: "HEAD") == "n-4")
        #expect(try name("/v1/events?ticker=a", "n-5", method: "HEAD") == "n-5")
        #expect(try name("/v1/clients", "n-6") == "n-6")
        #expect(try name("/", "n-7") == "n-7")
        let raw = try RawConnection(port: server.port)
        try raw.send("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Request-ID: n-8\r\n\r\n")
        #expect(try HTTPClient.answer(from: raw).headers["x-request-id"] == "n-8")
    }

    @Test func `pages of listed origins may send and read X-Request-ID`() throws {
        let server = try ServerProcess(arguments: ["--cors-origin", "https://app.example"])
        let origin = ["Origin: https://app.example", "Access-Control-Request-Method: POST"]
        let preflight = try server.client.send("OPTIONS", "/v1/tickers/a", headers: origin)
        #expect(preflight.headers["access-control-allow-headers"]?.contains("X-Request-ID") == true)
        let answer = try server.client.get("/v1/tickers", headers: ["Origin: https://app.example"])
        #expect(answer.headers["access-control-expose-headers"]?.contains("X-Request-ID") == true)
    }

    @Test func `an unread log delays no request`() throws {
        let errors = Pipe()
        let server = try ServerProcess(arguments: ["--log-level", "debug"], errors: errors)
        let connection = try RawConnection(port: server.port)
        // Far more lines than a pipe and the queue behind it hold.
        for _ in 0..<40 {
            try connection.send(String(repeating: HTTPClient.request("GET", "/healthz"), count: 100))
            for _ in 0..<100 { #expect(try HTTPClient.answer(from: connection).status == 200) }
        }
        let metrics = try server.client.get("/metrics").body
        let line = metrics.split(separator: "\n").first { $0.hasPrefix("tweencast_log_lines_dropped_total ") }
        let dropped = line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        #expect(dropped > 500, "\(dropped)")
        #expect(server.terminate() == 0)
    }
}
