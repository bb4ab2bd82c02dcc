// Who may do what: every route, and every kind of action, asked of the real server by everybody.

import Foundation
import TestSupport
import Testing

@Suite struct RightsTests {
    @Test func `a list of one's own schedules shows and pages only those`() throws {
        let guarded = try GuardedServer()
        let admin = GuardedServer.Visitor.admin.headers
        try Self.makeSchedules(of: "other", 1_200, on: guarded.server.client, as: admin)
        func list(_ query: String) throws -> HTTPAnswer {
            try guarded.server.client.get("/v1/schedules\(query)", headers: GuardedServer.Visitor.subscriber.headers)
        }
        let none = try list("?limit=1").body
        #expect(none.contains(#""items":[]"#) && !none.contains("next") && !none.contains("other-"), "\(none)")
        for id in ["shop-b", "shop-c", "shop-a"] {
            _ = try guarded.server.client.send(
                "PUT", "/v1/schedules/\(id)", body: #"{"in":500,"do":[{"notify":"n"}]}"#, headers: admin)
        }
        // One page after the other, by id; the last one has no next though others' schedules are due later.
        let first = try list("?limit=2").body
        #expect(first.contains("shop-a") && first.contains("shop-b") && first.contains(#""next":"shop-b""#), "\(first)")
        let second = try list("?limit=2&after=shop-b").body
        #expect(second.contains("shop-c") && !second.contains("next"), "\(second)")
        #expect(try list("?after=shop-b@1795657149304853310").status == 422)
    }

    /// Makes schedules by what follows updates: a line of a batch makes none by itself.
    private static func makeSchedules(
        of owner: String, _ count: Int, on client: HTTPClient, as headers: [String]
    ) throws {
        let perLine = 30
        let lines = stride(from: 0, to: count, by: perLine).map { start in
            let actions = (start..<min(start + perLine, count)).map {
                #"{"schedule":{"id":"\#(owner)-\#($0)","in":\#(1_000 + $0),"do":[{"notify":"\#(owner)-n"}]}}"#
            }
            return #"{"ticker":"\#(owner)-\#(start)","to":1,"duration":0,"then":[\#(actions.joined(separator: ","))]}"#
        }
        let answer = try client.post("/v1/batch", lines.joined(separator: "\n"), headers: headers)
        #expect(answer.status == 200 && !answer.body.contains(#""status":4"#), "\(answer.body)")
        try eventually("all are made") {
            try client.get("/v1/schedules?limit=1", headers: headers).json["pending"] as? Int == count
        }
    }

    @Test func `readiness hides warnings about the store from clients without a token`() throws {
        // One that keeps nothing is worth a warning.
        let redis = try RedisServer()
        let url = "redis://127.0.0.1:\(redis.port)?name="
        let open = try ServerProcess(arguments: ["--store", url + "open"])
        #expect(try open.client.get("/readyz").body.contains("warnings"))
        let guarded = try GuardedServer(arguments: ["--store", url + "guarded"])
        #expect(try guarded.server.client.get("/readyz").body == #"{"ready":true}"#)
    }

    /// A request, and what each visitor is answered, in the order of their names above.
    private struct Cell {
        var method: String
        var path: String
        var body: String?
        var statuses: [Int]

        init(_ method: String, _ path: String, _ body: String? = nil, _ statuses: Int...) {
            (self.method, self.path, self.body, self.statuses) = (method, path, body, statuses)
        }
    }

    private static let open = [
        Cell("GET", "/healthz", nil, 200, 200, 200, 200, 200, 200),
        Cell("GET", "/readyz", nil, 200, 200, 200, 200, 200, 200),
        Cell("GET", "/version", nil, 200, 200, 200, 200, 200, 200),
        Cell("GET", "/", nil, 200, 200, 200, 200, 200, 200),
        Cell("GET", "/openapi.yaml", nil, 200, 200, 200, 200, 200, 200),
        Cell("GET", "/asyncapi.yaml", nil, 200, 200, 200, 200, 200, 200),
        // Whatever the cookie holds: one that counts no more would stay for ever.
        Cell("DELETE", "/v1/session", nil, 204, 204, 204, 204, 204, 204),
    ]

    private static let looks = [
        Cell("GET", "/metrics", nil, 401, 403, 403, 403, 200, 403),
        Cell("GET", "/v1/clients", nil, 401, 403, 403, 403, 200, 403),
        Cell("GET", "/v1/webhooks/failed", nil, 401, 403, 403, 403, 200, 403),
        Cell("GET", "/v1/limits", nil, 401, 200, 200, 200, 200, 200),
        Cell("GET", "/v1/tickers", nil, 401, 403, 200, 200, 200, 403),
        Cell("GET", "/v1/progress", nil, 401, 403, 200, 200, 200, 403),
        Cell("GET", "/v1/schedules", nil, 401, 403, 200, 200, 200, 403),
        Cell("GET", "/v1/tickers/shop-1", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/progress/shop-1", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/schedules/shop-1", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/tickers/shop-none", nil, 401, 403, 404, 403, 404, 403),
        Cell("GET", "/v1/tickers/shop-1/history", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/progress/shop-1/history", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/tickers/shop-1/frames", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/progress/shop-1/frames", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/tickers/shop-1/image.svg", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/tickers/shop-1/badge.json", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/progress/shop-1/image.svg", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/progress/shop-1/badge.json", nil, 401, 403, 200, 403, 200, 403),
    ]

    private static let streams = [
        Cell("GET", "/v1/events?ticker=shop-1", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/events?ticker=*", nil, 401, 403, 200, 200, 200, 403),
        Cell("GET", "/v1/events?ticker=shop-*", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/events?notification=shop-n", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/events?ticker=shop-1&ticker=other-1", nil, 401, 403, 403, 403, 200, 403),
        Cell("GET", "/v1/tickers/shop-1/events", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/progress/shop-1/events", nil, 401, 403, 200, 403, 200, 403),
        Cell("GET", "/v1/schedules/shop-1/events", nil, 401, 403, 200, 403, 200, 403),
        Cell("POST", "/v1/events", #"{"ticker":["shop-1"]}"#, 401, 403, 200, 403, 200, 403),
        // Of a stream that is nobody's nobody is told more.
        Cell("PUT", "/v1/streams/AAAAAAAAAAAAAAAAAAAAAA", #"{"ticker":["shop-1"]}"#, 404, 404, 404, 404, 404, 404),
        Cell("GET", "/v1/selftest", nil, 401, 200, 200, 200, 200, 200),
        Cell("POST", "/v1/tickets", #"{"ticker":["shop-1"]}"#, 401, 403, 201, 403, 201, 403),
        Cell("POST", "/v1/session", nil, 401, 204, 204, 204, 204, 204),
    ]

    private static let changes = [
        Cell("POST", "/v1/tickers/shop-1", #"{"to":2}"#, 401, 202, 403, 403, 202, 403),
        Cell("POST", "/v1/tickers/shop-1", #"{"by":1}"#, 401, 202, 403, 403, 202, 202),
        Cell("POST", "/v1/progress/shop-1", #"{"by":"0.5"}"#, 401, 202, 403, 403, 202, 403),
        Cell("POST", "/v1/tickers/shop-1", #"{"by":2}"#, 401, 202, 403, 403, 202, 403),
        Cell("PUT", "/v1/tickers/shop-1", #"{"label":"5"}"#, 401, 200, 403, 403, 200, 403),
        Cell("DELETE", "/v1/tickers/shop-1", nil, 401, 204, 403, 403, 204, 403),
        Cell("POST", "/v1/tickers/shop-1/pause", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/tickers/shop-1/resume", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/tickers/shop-1/cancel", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/tickers/shop-1/finish", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/tickers/shop-1/seek", #"{"fraction":0.5}"#, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/tickers/shop-1/rate", #"{"rate":2}"#, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/progress/shop-1/seek", #"{"fraction":0.5}"#, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/progress/shop-1/rate", #"{"rate":2}"#, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/progress/shop-1", #"{"current":2}"#, 401, 202, 403, 403, 202, 403),
        Cell("PUT", "/v1/progress/shop-1", #"{"maximum":5}"#, 401, 200, 403, 403, 200, 403),
        Cell("DELETE", "/v1/progress/shop-1", nil, 401, 204, 403, 403, 204, 403),
        Cell("POST", "/v1/progress/shop-1/pause", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/progress/shop-1/resume", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/progress/shop-1/cancel", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/progress/shop-1/finish", nil, 401, 200, 403, 403, 200, 403),
        Cell("PUT", "/v1/schedules/shop-1", #"{"in":9,"do":[{"notify":"shop-n"}]}"#, 401, 200, 403, 403, 200, 403),
        Cell("DELETE", "/v1/schedules/shop-1", nil, 401, 204, 403, 403, 204, 403),
        Cell("POST", "/v1/schedules/shop-1/pause", nil, 401, 200, 403, 403, 200, 403),
        Cell("POST", "/v1/schedules/shop-1/resume", nil, 401, 200, 403, 403, 200, 403),
        // Ids that the server names are nobody's but by a right to them.
        Cell("POST", "/v1/tickers", #"{"to":2}"#, 401, 403, 403, 403, 202, 403),
        Cell("POST", "/v1/progress", #"{"current":2}"#, 401, 403, 403, 403, 202, 403),
        Cell("POST", "/v1/schedules", #"{"in":9,"do":[{"notify":"shop-n"}]}"#, 401, 403, 403, 403, 201, 403),
        Cell("POST", "/v1/schedules/pause", nil, 401, 403, 403, 403, 200, 403),
        Cell("POST", "/v1/schedules/preview", #"{"in":9,"do":[]}"#, 401, 200, 403, 200, 200, 403),
        Cell("POST", "/v1/schedules/resume", nil, 401, 403, 403, 403, 200, 403),
        Cell("DELETE", "/v1/schedules", nil, 401, 403, 403, 403, 204, 403),
        Cell("POST", "/v1/batch", #"{"ticker":"shop-1","to":3}"#, 401, 200, 403, 200, 200, 200),
        Cell("POST", "/v1/notifications/shop-n", #"{"data":1}"#, 401, 204, 403, 403, 204, 403),
        // Who has no right to it isn't told what is wrong with the body, which isn't read.
        Cell("POST", "/v1/notifications/shop-n", "{bad", 401, 400, 403, 403, 400, 403),
        Cell("POST", "/v1/webhooks/failed/x/retry", nil, 401, 403, 403, 403, 404, 403),
        Cell("DELETE", "/v1/webhooks/failed/x", nil, 401, 403, 403, 403, 404, 403),
    ]

    private static let cells = open + looks + streams + changes

    @Test func `every route gives each kind of client the status of the rights table`() throws {
        let guarded = try GuardedServer(servesPages: true)
        for cell in Self.cells {
            for (visitor, expected) in zip(GuardedServer.Visitor.allCases, cell.statuses) {
                try guarded.prepare()
                let status = try guarded.status(cell.method, cell.path, cell.body, headers: visitor.headers)
                #expect(status == expected, "\(visitor) \(cell.method) \(cell.path)")
            }
        }
    }

    @Test func `the rights table has every route of the contract`() throws {
        let contract = try String(contentsOfFile: "Sources/Service/TweencastService/openapi.yaml", encoding: .utf8)
        let paths = contract.split(separator: "\n").filter { $0.hasPrefix("  /") && $0.hasSuffix(":") }
        #expect(paths.count > 20)
        let told = Self.cells.map { $0.path.split(separator: "?")[0].split(separator: "/").map(String.init) }
        for line in paths {
            let path = line.dropFirst(2).dropLast().split(separator: "/").map(String.init)
            let isTold = told.contains { known in
                known.count == path.count && zip(known, path).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
            }
            #expect(isTold, "\(line)")
        }
    }

    /// Tokens that don't count, by what is wrong with them.
    private static func worthless() throws -> [(String, String)] {
        let good = try GuardedServer.jwt(GuardedServer.claims())
        let parts = good.split(separator: ".")
        let unsigned = "eyJhbGciOiJub25lIn0"
        return [
            ("unknown", "no-such-token-in-the-file"),
            ("expired", try GuardedServer.jwt(GuardedServer.claims(expires: -60))),
            ("for another audience", try GuardedServer.jwt(GuardedServer.claims(audience: "others"))),
            ("for no audience", try GuardedServer.jwt(GuardedServer.claims(audience: nil))),
            (
                "of another key",
                try GuardedServer.jwt(GuardedServer.claims(), secret: String(repeating: "k", count: 40))
            ),
            ("stripped of its signature", "\(parts[0]).\(parts[1])."),
            ("without the last part", "\(parts[0]).\(parts[1])"),
            ("alg none", "\(unsigned).\(parts[1])."), ("alg none, signed", "\(unsigned).\(parts[1]).\(parts[2])"),
            ("without exp", try GuardedServer.jwt(#"{"aud":"tweencast","tweencast":{"admin":true}}"#)),
            ("with a grant that is none", try GuardedServer.jwt(GuardedServer.claims(grant: #"{"publish":["shop"]}"#))),
        ]
    }

    @Test func `an invalid token is refused even where anonymous clients are allowed`() throws {
        let guarded = try GuardedServer(anonymous: #"{"subscribe":["*"],"publish":["*"]}"#, servesPages: true)
        try guarded.prepare()
        for (what, token) in try Self.worthless() {
            let headers = ["Authorization: Bearer \(token)"]
            for cell in Self.looks + Self.streams + Self.changes {
                #expect(
                    try guarded.status(cell.method, cell.path, cell.body, headers: headers) == 401,
                    "\(what) \(cell.path)")
            }
            for cell in Self.open {
                #expect(
                    try guarded.status(cell.method, cell.path, cell.body, headers: headers) == cell.statuses[0],
                    "\(what) \(cell.path)")
            }
        }
        let answer = try guarded.server.client.get(
            "/v1/tickers", headers: ["Authorization: Bearer no-such-token-in-the-file"])
        #expect(answer.headers["www-authenticate"] == #"Bearer realm="tweencast""#)
        #expect(!answer.body.contains("no-such-token"))
        // One that counts, to show that the others fail by what is wrong with them.
        let good = try GuardedServer.jwt(GuardedServer.claims())
        #expect(try guarded.status("GET", "/v1/tickers", headers: ["Authorization: Bearer \(good)"]) == 200)
    }

    @Test(arguments: ["Basic dTpw", "Bearer", "Bearer a b", "Bearer \u{e9}", "bearer", "Token x"])
    func `a malformed Authorization header is refused`(header: String) throws {
        let guarded = try GuardedServer(anonymous: #"{"subscribe":["*"]}"#)
        #expect(try guarded.status("GET", "/v1/tickers", headers: []) == 200)
        #expect(try guarded.status("GET", "/v1/tickers", headers: ["Authorization: \(header)"]) == 401)
    }

    /// Actions on something of the shop; `§` stands for whose it is.
    private static let actions = [
        #"{"ticker":"§-2","to":1}"#, #"{"progress":"§-2","current":1}"#, #"{"notify":"§-n"}"#,
        #"{"op":"pause","ticker":"§-1"}"#, #"{"op":"delete","ticker":"§-1"}"#, #"{"delay":1,"ticker":"§-2","to":1}"#,
        #"{"schedule":{"id":"§-s","in":9,"do":[{"notify":"shop-n"}]}}"#,
        #"{"schedule":{"id":"shop-s","in":9,"do":[{"notify":"§-n"}]}}"#,
        #"{"ticker":"shop-2","to":1,"then":[{"ticker":"§-2","to":1}]}"#,
        #"{"delay":1,"ticker":"shop-2","to":1,"then":[{"notify":"§-n"}]}"#,
    ]

    @Test(arguments: actions) func `an action needs its poster's right to what it changes`(action: String) throws {
        let guarded = try GuardedServer()
        let headers = GuardedServer.Visitor.publisher.headers
        for (whose, isAllowed) in [("shop", true), ("other", false)] {
            let text = action.replacingOccurrences(of: "§", with: whose)
            let requests = [
                ("POST", "/v1/tickers/shop-1", #"{"to":1,"duration":1000,"then":[\#(text)]}"#, 202),
                ("POST", "/v1/tickers/shop-1", #"{"to":2,"duration":1000,"else":[{"notify":"shop-n"},\#(text)]}"#, 202),
                ("PUT", "/v1/schedules/shop-1", #"{"in":1000,"do":[\#(text)]}"#, 201),
            ]
            for (method, path, body, status) in requests {
                _ = try guarded.server.client.send("DELETE", path, headers: GuardedServer.Visitor.admin.headers)
                let answer = try guarded.server.client.send(method, path, body: body, headers: headers)
                #expect(answer.status == (isAllowed ? status : 403), "\(body) \(answer.body)")
                if !isAllowed { #expect(answer.body.contains(#""pointer":"/"#), "\(answer.body)") }
            }
            let line = #"{"ticker":"shop-1","to":1,"duration":1000,"then":[\#(text)]}"#
            let batch = try guarded.server.client.post("/v1/batch", line, headers: headers)
            #expect(batch.body.contains(#""status":403"#) != isAllowed, "\(batch.body)")
        }
    }

    @Test func `a right to read everything shows metrics and limits, not clients or webhooks`() throws {
        let guarded = try GuardedServer()
        let token = try GuardedServer.jwt(GuardedServer.claims(grant: #"{"subscribe":["*"]}"#))
        for (path, status) in [
            ("/metrics", 200), ("/v1/limits", 200), ("/v1/clients", 403), ("/v1/webhooks/failed", 403),
        ] {
            #expect(try guarded.status("GET", path, headers: ["Authorization: Bearer \(token)"]) == status, "\(path)")
        }
    }

    @Test func `each line of a batch needs its own right`() throws {
        let guarded = try GuardedServer()
        let lines = [
            #"{"ticker":"shop-1","to":1}"#, #"{"ticker":"other-1","to":1}"#, #"{"op":"pause-all","schedule":"x"}"#,
            #"{"notify":"shop-n"}"#, #"{"notify":"other-n"}"#,
        ]
        let answer = try guarded.server.client.post(
            "/v1/batch", lines.joined(separator: "\n"), headers: GuardedServer.Visitor.publisher.headers)
        let statuses = answer.body.split(separator: "\n").map { $0.dropFirst(10).prefix(3) }
        #expect(statuses == ["201", "403", "422", "200", "403"], "\(answer.body)")
        #expect(try guarded.status("GET", "/v1/tickers/other-1", headers: GuardedServer.Visitor.admin.headers) == 404)
    }

    @Test func `a list has what its reader may read`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        for kind in ["tickers", "progress", "schedules"] {
            func list(_ visitor: GuardedServer.Visitor, _ query: String = "") throws -> String {
                try guarded.server.client.get("/v1/\(kind)\(query)", headers: visitor.headers).body
            }
            let own = try list(.subscriber)
            #expect(own.contains("shop-1") && !own.contains("other-1"), "\(own)")
            let others = try list(.other)
            #expect(others.contains("other-1") && !others.contains("shop-1"), "\(others)")
            let all = try list(.admin)
            #expect(all.contains("other-1") && all.contains("shop-1"))
            for (prefix, has) in [("shop", true), ("other", false), ("sho", true), ("shop-1x", false)] {
                let some = try list(.subscriber, "?prefix=\(prefix)")
                #expect(some.contains("shop-1") == has && !some.contains("other-1"), "\(prefix): \(some)")
            }
            if kind == "schedules" { #expect(all.contains(#""pending":2"#) && !own.contains("pending\":")) }
        }
    }

    @Test func `a stream hears what its reader may hear`() throws {
        let guarded = try GuardedServer()
        try guarded.prepare()
        let stream = try EventSourceClient(
            port: guarded.server.port, path: "/v1/events?ticker=*&notification=*",
            headers: GuardedServer.Visitor.subscriber.headers)
        let admin = GuardedServer.Visitor.admin.headers
        _ = try stream.collect { $0.name == "message" }
        let both = #"{"to":5,"duration":0,"then":[{"notify":"other-n"},{"notify":"shop-n"}]}"#
        let other = #"{"to":5,"duration":0,"then":[{"notify":"other-n"}]}"#
        _ = try guarded.server.client.post("/v1/tickers/other-1", other, headers: admin)
        _ = try guarded.server.client.post("/v1/tickers/shop-9", both, headers: admin)
        _ = try guarded.server.client.post(
            "/v1/tickers/shop-9", #"{"to":6,"duration":0,"then":[{"notify":"shop-end"}]}"#, headers: admin)
        let events = try stream.collect { $0.data.contains("shop-end") }
        #expect(events.contains { $0.data.contains("shop-9") } && events.contains { $0.data.contains("shop-n") })
        #expect(!events.contains { $0.data.contains("other") })
    }

    @Test func `idempotency keys are separate for each token`() throws {
        let guarded = try GuardedServer(anonymous: #"{"publish":["ticker=*"]}"#)
        let key = ["Idempotency-Key: k"]
        func post(_ headers: [String], _ key: String = "k") throws -> HTTPAnswer {
            try guarded.server.client.post(
                "/v1/tickers/shop-1", #"{"by":1,"duration":0}"#, headers: headers + ["Idempotency-Key: \(key)"])
        }
        let first = try post(GuardedServer.Visitor.publisher.headers)
        #expect(first.status == 202 && first.headers["idempotency-replayed"] == nil)
        #expect(try post(GuardedServer.Visitor.publisher.headers).headers["idempotency-replayed"] == "true")
        for headers in [GuardedServer.Visitor.admin.headers, []] {
            #expect(try post(headers).headers["idempotency-replayed"] == nil, "\(headers)")
        }
        // However it is written, one token's key is not another's.
        #expect(try post([], "9:publisher:k").headers["idempotency-replayed"] == nil)
        _ = key
    }

    @Test func `ids made by the server differ in every place`() throws {
        let server = try ServerProcess()
        let ids = try (0..<50).map { _ in
            try #require(try server.client.post("/v1/tickers", #"{"to":1}"#).headers["location"])
        }
        #expect(Set(ids).count == 50 && ids.allSatisfy { $0.utf8.count == "/v1/tickers/t-".utf8.count + 20 })
        // No place in the id is the same in all of them.
        for place in 14..<34 { #expect(Set(ids.map { Array($0.utf8)[place] }).count > 1, "\(place)") }
    }
}
