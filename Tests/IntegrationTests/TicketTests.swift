// What a token is turned into where it can't be sent: one-time tickets, and a cookie; and what ends a stream that was let in.

import Foundation
import TestSupport
import Testing

@Suite struct TicketTests {
    private typealias Visitor = GuardedServer.Visitor

    private static func ticket(
        _ guarded: GuardedServer, _ body: String = #"{"ticker":["shop-*"]}"#, by visitor: Visitor = .subscriber
    ) throws -> String {
        let answer = try guarded.server.client.post("/v1/tickets", body, headers: visitor.headers)
        #expect(answer.status == 201, "\(answer.body)")
        let parts = answer.body.split(separator: "\"")
        return String(try #require(parts.dropFirst(3).first))
    }

    private static func open(_ guarded: GuardedServer, _ query: String, headers: [String] = []) throws
        -> EventSourceClient
    {
        try EventSourceClient(port: guarded.server.port, path: "/v1/events?\(query)", headers: headers)
    }

    @Test func `a ticket opens one stream and is then used up`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        let ticket = try Self.ticket(guarded)
        let stream = try Self.open(guarded, "ticker=*&ticket=\(ticket)")
        #expect(stream.status == 200)
        let told = try stream.collect { $0.name == "message" }
        #expect(told.last?.data.contains("shop-1") == true)
        #expect(try Self.open(guarded, "ticker=*&ticket=\(ticket)").status == 401)
        // Spent is spent, whoever comes with it.
        #expect(try Self.open(guarded, "ticker=*&ticket=\(ticket)", headers: Visitor.admin.headers).status == 401)
    }

    @Test func `a ticket is valid for its topics only, whatever its owner may do`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        for (query, status) in [
            ("ticker=shop-1", 200), ("ticker=*", 200), ("ticker=other-1", 401), ("progress=shop-1", 401),
            ("notification=*", 401),
        ] {
            let ticket = try Self.ticket(guarded, by: .admin)
            let stream = try Self.open(guarded, "\(query)&ticket=\(ticket)")
            #expect(stream.status == (status == 401 ? 403 : status), "\(query)")
        }
        let own = try Self.ticket(guarded)
        let path = "/v1/tickers/shop-1/events?ticket=\(own)"
        #expect(try EventSourceClient(port: guarded.server.port, path: path).status == 200)
        // It reads nothing but streams, and changes nothing.
        for (method, path) in [("GET", "/v1/tickers"), ("POST", "/v1/tickers/shop-1"), ("GET", "/metrics")] {
            let ticket = try Self.ticket(guarded)
            #expect(try guarded.status(method, "\(path)?ticket=\(ticket)", #"{"to":1}"#, headers: []) == 401, "\(path)")
        }
    }

    @Test(arguments: [
        (#"{"ticker":["other-1"]}"#, 403), (#"{"ticker":["*"]}"#, 201), (#"{}"#, 400),
        (#"{"fps":3,"ticker":["a"]}"#, 422),
        (#"{"ticker":["shop-1"],"progress":["other-*"]}"#, 201), (#"{"progress":["other-*"]}"#, 403), ("[]", 422),
    ])
    func `a ticket is made only for topics its owner may read`(body: String, status: Int) throws {
        let guarded = try GuardedServer()
        let answer = try guarded.server.client.post("/v1/tickets", body, headers: Visitor.subscriber.headers)
        #expect(answer.status == status, "\(answer.body)")
    }

    @Test(arguments: ["", "x", String(repeating: "t", count: 500)])
    func `an invalid ticket is refused even where anonymous clients may read`(text: String) throws {
        let guarded = try GuardedServer(anonymous: #"{"subscribe":["*"]}"#)
        #expect(try Self.open(guarded, "ticker=a").status == 200)
        #expect(try Self.open(guarded, "ticker=a&ticket=\(text)").status == 401)
    }

    // MARK: - The cookie

    @Test func `a session cookie counts for pages of this and of listed origins only`() throws {
        let guarded = try GuardedServer(arguments: ["--cors-origin", "https://app.example"])
        try guarded.prepare()
        let client = guarded.server.client
        let own = "Origin: http://localhost:\(guarded.server.port)"
        let host = "Host: localhost:\(guarded.server.port)"
        let answer = try client.post("/v1/session", headers: Visitor.admin.headers + [own, host])
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie == "tweencast_token=\(Visitor.admin.token); Path=/; HttpOnly; SameSite=Strict")
        let sent = "Cookie: theme=dark; tweencast_token=\(Visitor.admin.token)"
        let json = "Content-Type: application/json"
        let cases: [(String, [String], Int)] = [
            ("GET", [], 200), ("GET", [own, host], 200), ("GET", ["Sec-Fetch-Site: same-origin"], 200),
            ("GET", ["Origin: https://app.example"], 200), ("GET", ["Origin: https://evil.example"], 403),
            ("GET", ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], 403),
            ("POST", [own, host, json], 202), ("POST", ["Origin: https://app.example", json], 202),
            ("POST", ["Sec-Fetch-Site: same-origin", json], 202), ("POST", [json], 401),
            ("POST", ["Origin: https://evil.example", json], 403), ("POST", ["Origin: null", json], 403),
        ]
        for (method, headers, status) in cases {
            let body = method == "POST" ? #"{"to":1}"# : nil
            let answer = try client.send(method, "/v1/tickers/shop-1", body: body, headers: headers + [sent])
            #expect(answer.status == status, "\(method) \(headers)")
        }
        let ended = try client.send("DELETE", "/v1/session", headers: [own, host])
        #expect(ended.headers["set-cookie"]?.contains("Max-Age=0") == true)
        #expect(try client.post("/v1/session", headers: [own, host, sent]).status == 401)
    }

    @Test func `a session begun on HTTPS gets a Secure cookie with the Host prefix`() throws {
        let guarded = try GuardedServer(arguments: ["--allowed-host", "board.example"])
        let answer = try guarded.server.client.post(
            "/v1/session", headers: Visitor.admin.headers + ["Origin: https://board.example", "Host: board.example"])
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie.hasPrefix("__Host-tweencast_token=") && cookie.hasSuffix("; Secure"))
        #expect(try guarded.status("GET", "/v1/clients", headers: ["Cookie: \(cookie)"]) == 200)
        // One that another host of the domain has set doesn't count beside it.
        let both = "Cookie: tweencast_token=\(Visitor.other.token); \(cookie)"
        #expect(try guarded.status("GET", "/v1/clients", headers: [both]) == 200)
        // Signing out leaves neither.
        let connection = try RawConnection(port: guarded.server.port)
        try connection.send(
            HTTPClient.request(
                "DELETE", "/v1/session", headers: ["Origin: https://board.example", "Host: board.example"]))
        let head = try #require(try connection.read(through: "\r\n\r\n"))
        for name in ["tweencast_token", "__Host-tweencast_token"] {
            #expect(head.contains("Set-Cookie: \(name)=; Path=/"), "\(head)")
        }
    }

    @Test func `a server with TLS sets only Secure cookies`() throws {
        let certificate = try TestCertificate()
        let guarded = try GuardedServer(certificate: certificate)
        let answer = try guarded.server.client.post("/v1/session", headers: Visitor.admin.headers)
        #expect(answer.headers["set-cookie"]?.hasSuffix("; Secure") == true)
    }

    @Test func `two tokens in one request are refused`() throws {
        let guarded = try GuardedServer()
        let (admin, other) = (Visitor.admin, Visitor.other)
        #expect(try guarded.status("GET", "/v1/clients", headers: admin.headers + other.headers) == 401)
        let cookies = "Cookie: tweencast_token=\(admin.token); tweencast_token=\(other.token)"
        #expect(try guarded.status("GET", "/v1/clients", headers: [cookies]) == 401)
        // In lines of their own as well, in either order; of one token the lines may be as many as they like.
        for (one, two) in [(admin, other), (other, admin)] {
            let lines = [one, two].map { "Cookie: theme=dark; tweencast_token=\($0.token)" }
            #expect(try guarded.status("GET", "/v1/clients", headers: lines) == 401)
        }
        for lines in [
            ["Cookie: a=b", "Cookie: tweencast_token=\(admin.token)"],
            ["Cookie: tweencast_token=\(admin.token)", "Cookie: a=b"],
        ] {
            #expect(try guarded.status("GET", "/v1/clients", headers: lines) == 200)
        }
    }

    @Test func `a header that means one thing is refused in two lines`() throws {
        let guarded = try GuardedServer()
        let client = guarded.server.client
        let admin = Visitor.admin.headers
        for lines in [["Idempotency-Key: a", "Idempotency-Key: b"], ["Idempotency-Key: a", "idempotency-key: a"]] {
            for (path, body) in [("/v1/tickers/a", #"{"by":1}"#), ("/v1/batch", #"{"ticker":"a","by":1}"#)] {
                let answer = try client.post(path, body, headers: admin + lines)
                #expect(answer.status == 400 && answer.body.contains("Idempotency-Key"), "\(answer.body)")
            }
        }
        #expect(try client.get("/v1/tickers/a", headers: admin).status == 404)
        let ids = ["Last-Event-ID: a-1", "Last-Event-ID: a-2"]
        #expect(try guarded.status("GET", "/v1/events?ticker=a", headers: admin + ids) == 400)
        let host = "http://127.0.0.1:\(guarded.server.port)"
        let json = "Content-Type: application/json"
        let own = admin + ["Host: \(host.dropFirst("http://".count))"]
        #expect(try client.post("/v1/tickers/a", #"{"to":1}"#, headers: own + ["Origin: \(host)", json]).status == 202)
        for lines in [
            ["Origin: \(host)", "Origin: https://evil.example", json],
            ["Origin: https://evil.example", "Origin: \(host)", json],
            ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site", json],
        ] {
            #expect(try client.post("/v1/tickers/a", #"{"to":1}"#, headers: own + lines).status == 403, "\(lines)")
        }
        for lines in [
            ["Origin: \(host)", json, "Content-Type: text/plain"],
            ["Origin: \(host)", json + "; charset=utf-8", "Content-Type: text/plain"],
            ["Content-Encoding: identity", "Content-Encoding: gzip"],
        ] {
            #expect(try client.post("/v1/tickers/a", #"{"to":1}"#, headers: own + lines).status == 415, "\(lines)")
        }
        let blank = own + ["Origin: \(host)", json + " ; charset=utf-8"]
        #expect(try client.post("/v1/tickers/a", #"{"to":1}"#, headers: blank).status == 202)
    }

    @Test func `a ticket works beside an invalid cookie and is not used up by HEAD`() throws {
        let guarded = try GuardedServer()
        let query = "ticker=shop-1&ticket=\(try Self.ticket(guarded))"
        // Asked for the head alone, it is not spent.
        #expect(try guarded.server.client.send("HEAD", "/v1/events?\(query)").status == 400)
        #expect(
            try Self.open(guarded, query, headers: ["Cookie: tweencast_token=long-gone-and-forgotten"]).status == 200)
    }

    @Test func `a ticket names at most 1000 topics`() throws {
        let guarded = try GuardedServer()
        func status(_ count: Int) throws -> Int {
            let topics = (0..<count).map { "\"t\($0)\"" }.joined(separator: ",")
            return try guarded.status("POST", "/v1/tickets", "{\"ticker\":[\(topics)]}", headers: Visitor.admin.headers)
        }
        #expect(try status(1_000) == 201 && status(1_001) == 400)
    }

    @Test func `invalid tickets and tokens are limited by --refused-token-rate, signing out is not`() throws {
        let guarded = try GuardedServer(arguments: ["--unlimited-from", "none", "--refused-token-rate", "1"])
        func wrong(_ round: Int) -> [String] { ["Authorization: Bearer eyJ.made.up\(round)"] }
        /// The first answer that is none of 401; on a slow machine some more are looked at before.
        func refusal(_ ask: (Int) throws -> Int) throws -> Int? {
            for round in 0..<100 {
                let status = try ask(round)
                if status != 401 { return status }
            }
            return nil
        }
        for round in 0..<20 { #expect(try guarded.status("DELETE", "/v1/session", headers: wrong(round)) == 204) }
        #expect(try Self.open(guarded, "ticker=a&ticket=made-up").status == 401, "signing out took none of them")
        #expect(try refusal { try Self.open(guarded, "ticker=a&ticket=made-up-\($0)").status } == 429)
        #expect(try refusal { try guarded.status("GET", "/v1/tickers", headers: wrong($0)) } == 429)
        // Those that are known don't.
        #expect(try guarded.status("GET", "/v1/tickers", headers: Visitor.admin.headers) == 200)
    }

    @Test func `an unlisted origin may read what is anonymous, and its cookies don't count`() throws {
        let guarded = try GuardedServer(
            arguments: ["--cors-origin", "*,https://app.example"], anonymous: #"{"subscribe":["ticker=shop-1"]}"#)
        try guarded.prepare()
        let cookie = "Cookie: tweencast_token=\(Visitor.admin.token)"
        for (origin, status, credentials) in [
            ("https://any.example", 401, nil), ("https://app.example", 200, "true"),
        ] {
            let headers = ["Origin: \(origin)", cookie]
            let answer = try guarded.server.client.get("/v1/tickers/other-1", headers: headers)
            #expect(answer.status == status && answer.headers["access-control-allow-credentials"] == credentials)
            #expect(try guarded.server.client.get("/v1/tickers/shop-1", headers: headers).status == 200)
        }
        let preflight = try guarded.server.client.send(
            "OPTIONS", "/v1/tickers/shop-1",
            headers: ["Origin: https://app.example", "Access-Control-Request-Method: POST"])
        #expect(preflight.status == 204 && preflight.headers["access-control-max-age"] == "7200")
        #expect(preflight.headers["access-control-allow-headers"]?.contains("Authorization") == true)
    }

    // MARK: - Ends

    @Test(.tags(.slow)) func `a stream ends when its token expires, and its ticket's with it`() throws {
        let guarded = try GuardedServer(arguments: ["--auth-leeway", "0"])
        // Long enough to come in by, on a busy machine too.
        let claims = GuardedServer.claims(expires: 10)
        let headers = ["Authorization: Bearer \(try GuardedServer.jwt(claims))"]
        let answer = try guarded.server.client.post("/v1/tickets", #"{"ticker":["a"]}"#, headers: headers)
        let ticket = try #require(answer.body.split(separator: "\"").dropFirst(3).first)
        let streams = [
            try Self.open(guarded, "ticker=a", headers: headers), try Self.open(guarded, "ticker=a&ticket=\(ticket)"),
        ]
        for stream in streams {
            let events = try stream.collect { _ in false }
            #expect(events.last?.name == "bye" && events.last?.data == #"{"reason":"expired"}"#)
        }
        #expect(try Self.open(guarded, "ticker=a", headers: headers).status == 401)
    }

    @Test func `a stream ends when its token is revoked, and no other`() throws {
        let guarded = try GuardedServer()
        func stream(_ headers: [String]) throws -> EventSourceClient {
            let stream = try Self.open(guarded, "ticker=shop-1", headers: headers)
            _ = try stream.collect { $0.name == "hello" }
            return stream
        }
        let jwt = ["Authorization: Bearer \(try GuardedServer.jwt(GuardedServer.claims(id: "gone")))"]
        let kept = ["Authorization: Bearer \(try GuardedServer.jwt(GuardedServer.claims(id: "kept")))"]
        let ending = [try stream(Visitor.subscriber.headers), try stream(jwt)]
        let going = [try stream(Visitor.admin.headers), try stream(kept)]
        let file = GuardedServer.tokens(shop: "mall-*", revoked: ["gone"])
        try GuardedServer.write(file, to: guarded.folder.path + "/tokens.json")
        guarded.server.signal(SIGHUP)
        for stream in ending {
            #expect(try stream.collect { _ in false }.last?.data == #"{"reason":"revoked"}"#)
        }
        _ = try guarded.server.client.post(
            "/v1/tickers/shop-1", #"{"to":1,"duration":0}"#, headers: Visitor.admin.headers)
        for stream in going { #expect(try stream.collect { $0.name == "complete" }.last?.name == "complete") }
        #expect(try guarded.status("GET", "/v1/tickers/shop-1", headers: jwt) == 401)
        #expect(try guarded.status("GET", "/v1/tickers/shop-1", headers: Visitor.subscriber.headers) == 403)
    }

    @Test func `an invalid token file at reload is logged and changes nothing`() throws {
        let errors = Pipe()
        let guarded = try GuardedServer(errors: errors)
        let stream = try Self.open(guarded, "ticker=shop-1", headers: Visitor.subscriber.headers)
        _ = try stream.collect { $0.name == "hello" }
        try GuardedServer.write(#"{"tokens":[{"name":"a"}]}"#, to: guarded.folder.path + "/tokens.json")
        guarded.server.signal(SIGHUP)
        var log = ""
        while !log.contains("tokens not reloaded") || !log.hasSuffix("\n") {
            guard let more = try errors.fileHandleForReading.read(upToCount: 1), !more.isEmpty else { break }
            log += String(decoding: more, as: UTF8.self)
        }
        #expect(log.contains("/tokens/0 must have either sha256 or token"), "\(log)")
        _ = try guarded.server.client.post(
            "/v1/tickers/shop-1", #"{"to":1,"duration":0}"#, headers: Visitor.admin.headers)
        _ = try stream.collect { $0.name == "complete" }
    }
}
