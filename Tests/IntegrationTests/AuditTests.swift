// The audit trail, the addresses in it, and what is in neither: secrets.

import Foundation
import TestSupport
import Testing

@Suite struct AuditTests {
    private typealias Visitor = GuardedServer.Visitor

    /// The lines of a file, each without its time and the request's name.
    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            #expect(line.hasPrefix(#"{"time":"20"#) && line.hasSuffix("}"), "\(line)")
            let rest = String(line.split(separator: ",", maxSplits: 1)[1])
            let name = /,"request":"[a-z0-9]{6}-[a-z0-9]+"}$/
            #expect(rest.firstMatch(of: name) != nil, "\(rest)")
            return rest.replacing(name, with: "}")
        }
    }

    @Test func `the audit file has a line for each change with who, what, from where and outcome`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/audit.jsonl"
        let guarded = try GuardedServer(arguments: ["--audit", path])
        let client = guarded.server.client
        let publisher = Visitor.publisher.headers
        _ = try client.post("/v1/tickers/shop-1", #"{"label":"Secret: 5","to":2,"duration":0}"#, headers: publisher)
        _ = try client.post("/v1/tickers/other-1", #"{"to":2}"#, headers: publisher)
        _ = try client.post("/v1/tickers/shop-1", #"{"to":"x"}"#, headers: publisher)
        _ = try client.post("/v1/tickers/shop-1", #"{"to":1}"#)
        _ = try client.post(
            "/v1/tickers/shop-1", #"{"to":1}"#, headers: ["Authorization: Bearer nobody-knows-this-token"])
        _ = try client.get("/v1/tickers/shop-1", headers: Visitor.subscriber.headers)
        let batch = [
            #"{"ticker":"shop-2","to":1}"#, #"{"ticker":"other-2","to":1}"#, #"{"op":"delete","ticker":"shop-9"}"#,
        ]
        _ = try client.post("/v1/batch", batch.joined(separator: "\n"), headers: publisher)
        let made = try client.post("/v1/tickers", #"{"to":1}"#, headers: Visitor.admin.headers)
        let id = try #require(made.headers["location"]?.split(separator: "/").last)
        _ = try client.send("DELETE", "/v1/schedules", headers: Visitor.admin.headers)
        _ = try client.post("/v1/tickets", #"{"ticker":["shop-1"]}"#, headers: Visitor.subscriber.headers)
        _ = try client.post("/v1/session", headers: Visitor.subscriber.headers)
        // Its end writes what waits.
        #expect(guarded.server.terminate() == 0)
        let from = #""from":"127.0.0.1""#
        #expect(
            try Self.lines(path) == [
                #""who":"publisher",\#(from),"what":"update","target":"ticker/shop-1","status":202,"outcome":"done"}"#,
                #""who":"publisher",\#(from),"what":"update","target":"ticker/other-1","status":403,"outcome":"denied"}"#,
                #""who":"publisher",\#(from),"what":"update","target":"ticker/shop-1","status":422,"outcome":"refused"}"#,
                #""who":"anonymous",\#(from),"what":"update","target":"ticker/shop-1","status":401,"outcome":"denied"}"#,
                #""who":"unknown",\#(from),"what":"update","target":"ticker/shop-1","status":401,"outcome":"denied"}"#,
                #""who":"publisher",\#(from),"what":"update","target":"ticker/shop-2","line":1,"status":201,"outcome":"done"}"#,
                #""who":"publisher",\#(from),"what":"line","line":2,"status":403,"outcome":"denied"}"#,
                #""who":"publisher",\#(from),"what":"remove","target":"ticker/shop-9","line":3,"status":404,"outcome":"refused"}"#,
                #""who":"admin",\#(from),"what":"make ticker","target":"ticker/\#(id)","status":202,"outcome":"done"}"#,
                #""who":"admin",\#(from),"what":"remove all schedules","status":204,"outcome":"done"}"#,
                #""who":"subscriber",\#(from),"what":"make ticket","status":201,"outcome":"done"}"#,
                #""who":"subscriber",\#(from),"what":"begin session","status":204,"outcome":"done"}"#,
            ])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains("Secret") && !text.contains("token-of-the-tests") && !text.contains("nobody-knows"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// A request that is refused, and what is told of it.
    private struct Refusal {
        var status: Int
        var what: String
        var target: String?
        var who: String
        var request: String

        init(_ status: Int, _ what: String, _ target: String?, by who: String = "unknown", _ request: String) {
            (self.status, self.what, self.target, self.who, self.request) = (status, what, target, who, request)
        }
    }

    private static let token = "Authorization: Bearer \(Visitor.publisher.token)"

    private static func request(_ method: String, _ path: String, _ body: String = "", _ headers: String...) -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        return (["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers + length).joined(separator: "\r\n")
            + "\r\n\r\n" + body
    }

    private static let refusals: [Refusal] = {
        let ticker = "/v1/tickers/shop-1"
        let chunk = String(repeating: "x", count: 70_000)
        let chunked = "11170\r\n\(chunk)\r\n0\r\n\r\n"
        return [
            Refusal(413, "update", "ticker/shop-1", by: "publisher", request("POST", ticker, chunk, token)),
            Refusal(
                413, "batch", nil, by: "publisher",
                request("POST", "/v1/batch", "", token, "Content-Length: 5000000", "Expect: 100-continue")),
            Refusal(
                413, "update", "ticker/shop-1", by: "publisher",
                request("POST", ticker, "", token, "Transfer-Encoding: chunked") + chunked),
            Refusal(
                431, "update", "ticker/shop-1",
                request("POST", ticker, "{}", token, "X-Long: " + String(repeating: "x", count: 17_000))),
            Refusal(400, "remove", "ticker/shop-1", request("DELETE", ticker, "", token, "Host: elsewhere")),
            Refusal(405, "request", "POST /v1/limits", request("POST", "/v1/limits", "{}", token)),
            Refusal(405, "request", "PATCH /v1/tickers/shop-1", request("PATCH", ticker, "{}", token)),
            Refusal(404, "request", "POST /v1/tickerz", request("POST", "/v1/tickerz", "", token)),
            Refusal(422, "request", "PUT /v1/tickers/a b", request("PUT", "/v1/tickers/a%20b", "{}", token)),
            Refusal(
                422, "request", "DELETE /v1/tickers/\\u202e", request("DELETE", "/v1/tickers/%E2%80%AE", "", token)),
            Refusal(415, "update", "ticker/shop-1", request("POST", ticker, "{}", token, "Content-Encoding: gzip")),
            Refusal(
                403, "remove", "ticker/shop-1", request("DELETE", ticker, "", token, "Origin: https://evil.example")),
            Refusal(400, "update", "ticker/shop-1", by: "publisher", request("POST", ticker, "{", token)),
            Refusal(
                412, "update", "ticker/shop-1", by: "publisher",
                request("POST", ticker, "{\"to\":1}", token, "If-Match: \"9\"")),
            Refusal(
                400, "update", "ticker/shop-1", by: "publisher",
                request("POST", ticker, "{\"to\":1}", token, "Idempotency-Key: a", "Idempotency-Key: b")),
            Refusal(
                403, "update", "ticker/other-1", by: "publisher",
                request("POST", "/v1/tickers/other-1", "{\"to\":1}", token)),
            Refusal(
                403, "make ticket", nil, by: "publisher",
                request("POST", "/v1/tickets", "{\"ticker\":[\"shop-1\"]}", token)),
            Refusal(
                403, "retry webhook", "x", by: "publisher", request("POST", "/v1/webhooks/failed/x/retry", "", token)),
        ]
    }()

    @Test(arguments: refusals.indices) func `each refused change is in the audit file exactly once`(index: Int)
        throws
    {
        let refusal = Self.refusals[index]
        let folder = TemporaryFolder()
        let guarded = try GuardedServer(arguments: ["--audit", folder.path + "/audit"])
        let connection = try RawConnection(port: guarded.server.port)
        try connection.send(refusal.request)
        #expect(try HTTPClient.answer(from: connection).status == refusal.status)
        // What only looks is no change.
        _ = try guarded.server.client.get("/v1/tickers/a%20b", headers: Visitor.publisher.headers)
        #expect(guarded.server.terminate() == 0)
        let target = refusal.target.map { #","target":"\#($0)""# } ?? ""
        let outcome = refusal.status == 403 ? "denied" : "refused"
        #expect(
            try Self.lines(folder.path + "/audit") == [
                #""who":"\#(refusal.who)","from":"127.0.0.1","what":"\#(refusal.what)"\#(target),"status":\#(refusal.status),"outcome":"\#(outcome)"}"#
            ])
    }

    @Test func `control characters in a user's name are escaped in the audit file`() throws {
        let folder = TemporaryFolder()
        let guarded = try GuardedServer(arguments: ["--audit", folder.path + "/audit"])
        let end = Date().timeIntervalSince1970 + 60
        let doing = "\u{9B}31m\u{202E}\u{61C}\u{200B}\u{E0041}"
        let claims = #"{"aud":"tweencast","sub":"eve\#(doing)","exp":\#(end),"tweencast":{"publish":["*"]}}"#
        let token = try GuardedServer.jwt(claims)
        _ = try guarded.server.client.post("/v1/tickers/a", #"{"to":1}"#, headers: ["Authorization: Bearer \(token)"])
        #expect(guarded.server.terminate() == 0)
        let line = try #require(try Self.lines(folder.path + "/audit").first)
        #expect(line.contains(#""who":"jwt:eve\u009b31m\u202e\u061c\u200b\udb40\udc41""#), "\(line)")
    }

    @Test func `SIGHUP reopens an audit file that was moved away`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/audit.jsonl"
        let server = try ServerProcess(arguments: ["--audit", path])
        _ = try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#)
        while try Data(contentsOf: URL(filePath: path)).isEmpty {}
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        server.signal(SIGHUP)
        while !FileManager.default.fileExists(atPath: path) {}
        _ = try server.client.post("/v1/tickers/b", #"{"to":1,"duration":0}"#)
        #expect(server.terminate() == 0)
        #expect(try Self.lines(path + ".1").count == 1 && Self.lines(path).count == 1)
    }

    @Test func `X-Forwarded-For is used only if the peer is a trusted proxy`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/audit.jsonl"
        let cases: [([String], String, String)] = [
            ([], "127.0.0.1", "127.0.0.1"), (["X-Forwarded-For: 203.0.113.7"], "127.0.0.1", "203.0.113.7"),
            (["X-Forwarded-For: 198.51.100.1, 203.0.113.7, 10.0.0.2"], "127.0.0.1", "203.0.113.7"),
            (["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 203.0.113.7"], "127.0.0.1", "203.0.113.7"),
            // What a client has written into a header that its proxy doesn't know is nobody's word.
            (["X-Forwarded-For: 203.0.113.7", "Forwarded: for=10.9.9.9"], "127.0.0.1", "203.0.113.7"),
            (["X-Forwarded-For: unknown"], "127.0.0.1", "unknown"),
            (["X-Forwarded-For: "], "127.0.0.1", "unknown"), (["Forwarded: for=203.0.113.7"], "127.0.0.1", "127.0.0.1"),
        ]
        for (isTrusted, index) in [(false, 1), (true, 2)] {
            let file = "\(path)\(index)"
            let server = try ServerProcess(
                arguments: ["--audit", file, "--insecure"]
                    + (isTrusted ? ["--trusted-proxy", "127.0.0.0/8,10.0.0.0/8"] : []))
            for (headers, _, _) in cases {
                _ = try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#, headers: headers)
            }
            #expect(server.terminate() == 0)
            let told = try Self.lines(file)
            #expect(told.count == cases.count)
            for (line, (_, peer, client)) in zip(told, cases) {
                #expect(line.contains("\"from\":\"\(isTrusted ? client : peer)\""), "\(line)")
            }
        }
    }

    @Test func `with --proxy-header Forwarded only that header tells the client's address`() throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(
            arguments: [
                "--audit", folder.path + "/audit", "--insecure", "--trusted-proxy", "127.0.0.0/8,10.0.0.0/8",
                "--proxy-header", "Forwarded",
            ])
        for headers in [
            [#"Forwarded: for="[2001:db8::7]:4711";proto=https, for=10.1.1.1"#],
            ["Forwarded: for=_hidden", "X-Forwarded-For: 10.0.0.1"],
        ] { _ = try server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#, headers: headers) }
        #expect(server.terminate() == 0)
        let told = try Self.lines(folder.path + "/audit")
        #expect(told.count == 2 && told[0].contains("2001:db8::7") && told[1].contains(#""from":"unknown""#), "\(told)")
    }

    @Test func `the audit file marks repeated answers and refused pages`() throws {
        let folder = TemporaryFolder()
        let server = try ServerProcess(arguments: ["--audit", folder.path + "/audit"])
        let key = ["Idempotency-Key: k"]
        for _ in 0..<2 { _ = try server.client.post("/v1/tickers/a", #"{"by":1,"duration":0}"#, headers: key) }
        let batch = ["Idempotency-Key: b"]
        for _ in 0..<2 { _ = try server.client.post("/v1/batch", #"{"ticker":"a","by":1}"#, headers: batch) }
        let made = try EventSourceClient(
            port: server.port, path: "/v1/tickers", method: "POST", body: #"{"to":1,"duration":0}"#,
            headers: ["Accept: text/event-stream"])
        _ = try made.collect { $0.name == "complete" }
        _ = try server.client.post("/v1/tickers/a", #"{"to":1}"#, headers: ["Origin: https://evil.example"])
        #expect(server.terminate() == 0)
        let told = try Self.lines(folder.path + "/audit")
        let outcomes = told.map { $0.split(separator: "\"").last(where: { $0 != "}" }).map(String.init) ?? "" }
        #expect(outcomes == ["done", "repeated", "done", "repeated", "done", "denied"], "\(told)")
        #expect(told.count == 6 && told[4].contains(#""target":"ticker/t-"#), "\(told)")
    }

    @Test func `a client without a token can't flood the audit file`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/audit"
        let guarded = try GuardedServer(arguments: ["--audit", path])
        let long = String(repeating: "%00", count: 4_000)
        #expect(try guarded.status("DELETE", "/v1/webhooks/failed/\(long)", headers: []) == 401)
        // At once, so that a slow machine has no time to tell of all.
        let connection = try RawConnection(port: guarded.server.port)
        let request = HTTPClient.request("DELETE", "/v1/webhooks/failed/x")
        try connection.send(String(repeating: request, count: 499))
        for _ in 0..<499 { #expect(try HTTPClient.answer(from: connection).status == 401) }
        let headers = Visitor.admin.headers
        _ = try guarded.server.client.post("/v1/tickers/a", #"{"to":1,"duration":0}"#, headers: headers)
        let metrics = try guarded.server.client.get("/metrics", headers: headers).body
        #expect(guarded.server.terminate() == 0)
        let told = try Self.lines(path)
        #expect(told.last?.contains(#""who":"admin""#) == true && told.count < 400, "\(told.count)")
        #expect(told.allSatisfy { $0.utf8.count < 1_200 })
        #expect(metrics.contains("tweencast_audit_lines_dropped_total \(501 - told.count)\n"))
    }

    @Test func `an audit file that can't be written stops the start`() throws {
        let result = try ServerProcess.run(["--ephemeral", "--port", "0", "--audit", "/no/such/folder/audit"])
        #expect(result.code == 1 && result.errors.contains("--audit"))
    }
}
