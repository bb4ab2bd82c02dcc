// Bad input: a clear answer that names the field, and nothing changed.

import Foundation
import TestSupport
import Testing

@Suite struct RefusalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var method = "POST"
        var path = "/v1/tickers/t"
        var body: String?
        var headers: [String] = []
        var status: Int
        var pointer: String?
        var testDescription: String { "\(method) \(path) \(body?.prefix(40) ?? "") \(headers) -> \(status)" }
    }

    static let cases = [
        Case(body: "{", status: 400), Case(body: #"{"to":1}x"#, status: 400), Case(body: "", status: 400),
        Case(body: #"{"to":1,"colour":1}"#, status: 422, pointer: "/colour"),
        Case(body: #"{"to":1,"easing":"bouncy"}"#, status: 422, pointer: "/easing"),
        Case(body: #"{"to":1e999}"#, status: 422, pointer: "/to"),
        Case(body: #"{"to":1,"label":"no. \#(String(repeating: "9", count: 39))"}"#, status: 422, pointer: "/label"),
        Case(body: #"{"to":1,"label":"3 of 5","index":2}"#, status: 422, pointer: "/index"),
        Case(body: #"{"to":1,"label":"none","index":1}"#, status: 422, pointer: "/index"),
        Case(body: #"{"to":1,"to":2}"#, status: 422, pointer: "/to"),
        Case(path: "/v1/tickers/a%20b", body: #"{"to":1}"#, status: 422),
        Case(path: "/v1/tickers/" + String(repeating: "x", count: 129), body: #"{"to":1}"#, status: 422),
        Case(body: #"{"to":1,"label":""# + String(repeating: "x", count: 1_000_000) + #""}"#, status: 413),
        Case(method: "GET", path: "/../../etc/passwd", status: 404),
        Case(method: "GET", path: "/%2e%2e/%2e%2e/etc/passwd", status: 404),
        Case(method: "GET", path: "/v1/tickers/none", status: 404),
        Case(method: "GET", path: "/v1/tickers/none/events", status: 404),
        Case(method: "GET", path: "/v1/tickers/none/history", status: 404),
        Case(method: "GET", path: "/v1/schedules/none/history", status: 404),
        Case(method: "GET", path: "/v1/tickers/t/history?points=0", status: 422, pointer: "?points"),
        Case(path: "/v1/tickers/t/history", status: 405),
        Case(method: "PATCH", body: #"{"to":1}"#, status: 405),
        Case(method: "GET", path: "/v1/events", status: 400),
        Case(method: "GET", path: "/v1/events?ticker=a&fps=0", status: 422, pointer: "?fps"),
        Case(method: "GET", path: "/v1/events?ticker=a&fps=1e-300", status: 422, pointer: "?fps"),
        Case(method: "GET", path: "/v1/events?ticker=a&fps=0.09", status: 422, pointer: "?fps"),
        Case(method: "GET", path: "/v1/events?ticker=a&fps=61", status: 422, pointer: "?fps"),
        Case(method: "GET", path: "/v1/events?ticker=a&fps=nan", status: 422, pointer: "?fps"),
        Case(method: "GET", path: "/v1/tickers/a/events?fps=inf", status: 422, pointer: "?fps"),
        Case(path: "/v1/events", body: "{}", status: 400),
        Case(path: "/v1/events", body: #"{"ticker":["a","b c"]}"#, status: 422, pointer: "/ticker/1"),
        Case(path: "/v1/events", body: #"{"ticker":"a"}"#, status: 422, pointer: "/ticker"),
        Case(path: "/v1/events", body: #"{"progress":[1]}"#, status: 422, pointer: "/progress/0"),
        Case(path: "/v1/events", body: #"{"ticker":["a"],"fps":1e-300}"#, status: 422, pointer: "/fps"),
        Case(path: "/v1/events", body: #"{"ticker":["a"],"wheels":"square"}"#, status: 422, pointer: "/wheels"),
        Case(path: "/v1/events", body: #"{"ticker":["a"],"tickers":["b"]}"#, status: 422, pointer: "/tickers"),
        Case(path: "/v1/events?as=ndjson", body: #"{"ticker":["a"]}"#, status: 422, pointer: "?as"),
        Case(method: "GET", path: "/v1/selftest?fps=3", status: 422, pointer: "?fps"),
        Case(body: #"{"to":1}"#, headers: [#"If-Match: "99""#], status: 412),
        Case(body: #"{"to":1}"#, headers: [#"If-Match: W/"99""#], status: 412),
        Case(body: #"{"to":1}"#, headers: [#"If-Match: "99-gzip""#], status: 412),
        Case(body: #"{"to":1}"#, headers: [#"If-Match: "99-""#], status: 412),
        Case(body: #"{"to":1}"#, headers: [#"If-Match: W/99"#], status: 400),
        Case(body: #"{"to":1}"#, headers: ["Origin: https://evil.example"], status: 403),
        Case(body: #"{"to":1}"#, headers: ["Host: evil.example"], status: 403),
        Case(path: "/v1/progress/p", body: #"{"current":1,"maximum":-1}"#, status: 422, pointer: "/maximum"),
        Case(
            body: #"{"to":1,"then":[{"ticker":"u","to":1,"format":{"locale":"xx-none"}}]}"#, status: 422,
            pointer: "/then/0/format/locale"),
        Case(
            path: "/v1/schedules",
            body: #"{"in":9,"do":[{"notify":"n"},{"ticker":"u","to":1,"format":{"style":"unit","unit":"x"}}]}"#,
            status: 422, pointer: "/do/1/format/unit"),
        Case(path: "/v1/schedules", body: #"{"every":"0 25 * * *","do":[]}"#, status: 422, pointer: "/every"),
        Case(path: "/v1/schedules", body: #"{"every":"0 0 30 2 *","do":[]}"#, status: 422, pointer: "/every"),
        Case(path: "/v1/schedules", body: #"{"every":"P0M","do":[]}"#, status: 422, pointer: "/every"),
        Case(
            path: "/v1/schedules", body: #"{"every":"@daily","timeZone":"Nope/X","do":[]}"#, status: 422,
            pointer: "/timeZone"),
        Case(method: "GET", path: "/v1/schedules/s?preview=0", status: 422, pointer: "?preview"),
        Case(path: "/v1/schedules", body: #"{"in":1,"do":{}}"#, status: 422, pointer: "/do"),
        Case(path: "/v1/schedules", body: #"{"at":"tomorrow","do":[]}"#, status: 422, pointer: "/at"),
    ]

    @Test func `bad requests are refused and change nothing`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/t", #"{"to":7,"duration":0}"#)
        let before = try server.client.get("/v1/tickers/t").body
        for refused in Self.cases {
            let answer = try server.client.send(
                refused.method, refused.path, body: refused.body, headers: refused.headers)
            #expect(answer.status == refused.status, "\(refused.testDescription): \(answer.body.prefix(200))")
            #expect(answer.headers["content-type"] == "application/problem+json", "\(refused.testDescription)")
            #expect(answer.json["status"] as? Int == refused.status)
            if let pointer = refused.pointer { #expect(answer.json["pointer"] as? String == pointer) }
            if refused.status == 405 { #expect(answer.headers["allow"]?.contains("GET") == true) }
        }
        #expect(try server.client.get("/v1/tickers/t").body == before)
        #expect(try server.client.get("/v1/tickers").json["items"].map { ($0 as? [Any])?.count } == 1)
    }

    @Test func `a page's write needs its own origin and JSON`() throws {
        let server = try ServerProcess()
        let own = "Origin: http://localhost"
        let plain = try server.client.post("/v1/tickers/t", #"{"to":1}"#, headers: [own, "Content-Type: text/plain"])
        #expect(plain.status == 415)
        let json = try server.client.post(
            "/v1/tickers/t", #"{"to":1}"#, headers: [own, "Content-Type: application/json"])
        #expect(json.status == 202)
    }

    @Test func `HEAD, OPTIONS, static files and contracts are answered with the right headers`() throws {
        let client = try ServerProcess(servesPages: true)
        let page = try client.client.get("/")
        #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.headers["content-security-policy"] != nil)
        let head = try client.client.send("HEAD", "/")
        #expect(
            head.status == 200 && head.body.isEmpty && head.headers["content-length"] == page.headers["content-length"])
        let cached = try client.client.get("/", headers: ["If-None-Match: \(page.headers["etag"] ?? "")"])
        #expect(cached.status == 304)
        let preflight = try client.client.send("OPTIONS", "/v1/tickers/a")
        #expect(preflight.status == 204)
        #expect(preflight.headers["access-control-allow-methods"] == "DELETE, GET, POST, PUT, HEAD, OPTIONS")
        #expect(try client.client.send("OPTIONS", "/v1/schedules/pause").headers["allow"]?.contains("POST") == true)
        #expect(try client.client.send("OPTIONS", "/v1/nothing").status == 404)
        #expect(try client.client.get("/openapi.yaml").body.hasPrefix("openapi: 3.1.0"))
        #expect(try client.client.get("/asyncapi.yaml").body.hasPrefix("asyncapi: 3.0.0"))
        #expect(try client.client.get("/metrics").body.contains("tweencast_streams 0"))
    }

    @Test func `refused streams, open streams and connections are counted in the metrics`() throws {
        let server = try ServerProcess(arguments: ["--max-streams", "1"])
        let first = try EventSourceClient(port: server.port, path: "/v1/events?ticker=t")
        #expect(try first.next()?.name == "hello")
        #expect(try server.client.get("/v1/events?ticker=t").body.contains(#"{"reason":"full"}"#))
        // Connections of answers before go when the server hears of their end: then there is the question's alone.
        let alone: Substring = #"tweencast_usage{name="connections"} 1"#
        let deadline = Date().addingTimeInterval(60)
        var lines: [Substring] = []
        repeat {
            lines = try server.client.get("/metrics").body.split(separator: "\n")
        } while !lines.contains(alone) && Date() < deadline
        #expect(lines.contains(alone))
        #expect(lines.contains(#"tweencast_streams_refused_total{reason="full"} 1"#))
        #expect(lines.contains(#"tweencast_usage{name="streams"} 1"#))
        #expect(lines.contains("tweencast_connections_late_total 0"))
        first.close()
    }

    @Test func `a batch answers each line and one bad line spoils no other`() throws {
        let server = try ServerProcess()
        let lines = [
            #"{"ticker":"a","to":5,"duration":0}"#, #"{"ticker":"a","colour":1}"#, #"{"op":"pause","progress":"none"}"#,
            #"{"progress":"b","current":7}"#,
        ]
        let answer = try server.client.post("/v1/batch", lines.joined(separator: "\n"))
        let statuses = answer.body.split(separator: "\n").map { line in
            ((try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any])?["status"] as? Int
        }
        #expect(statuses == [201, 422, 404, 201])
        #expect(try server.client.get("/v1/tickers/a").json["text"] as? String == "5")
    }
}
