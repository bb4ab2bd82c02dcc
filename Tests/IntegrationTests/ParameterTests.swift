// Parameters of queries: each route knows its own, and refuses all others.

import TestSupport
import Testing

@Suite struct ParameterTests {
    @Test(
        arguments: [
            ("GET", "/v1/tickers/a?locle=de", nil, "locale"), ("GET", "/v1/schedules/s?at=5", nil, nil),
            ("GET", "/v1/tickers/a?preview=2", nil, nil), ("GET", "/v1/schedules/s?preveiw=2", nil, "preview"),
            ("GET", "/v1/tickers/a/history?point=2", nil, "points"), ("GET", "/v1/tickers?limt=2", nil, "limit"),
            ("GET", "/v1/tickers/a/events?onec", nil, "once"), ("GET", "/v1/clients?after=a", nil, nil),
            ("GET", "/v1/webhooks/failed?afte=a", nil, "after"), ("GET", "/v1/limits?x=1", nil, nil),
            ("GET", "/metrics?format=json", nil, nil), ("GET", "/healthz?verbose", nil, nil),
            ("GET", "/readyz?verbose", nil, nil), ("GET", "/version?x", nil, nil),
            ("GET", "/v1/selftest?tickt=a", nil, "ticket"),
            ("POST", "/v1/tickers/a?dry=1", #"{"to":1}"#, nil),
            ("PUT", "/v1/tickers/a?preview=1", #"{"label":"0"}"#, nil),
            ("POST", "/v1/tickers?once", #"{"to":1}"#, nil), ("DELETE", "/v1/tickers/a?force", nil, nil),
            ("POST", "/v1/tickers/a/pause?for=5", nil, nil),
            ("PUT", "/v1/schedules/s?preveiw=1", #"{"in":1,"do":[]}"#, "preview"),
            ("POST", "/v1/schedules?previews=1", #"{"in":1,"do":[]}"#, "preview"),
            ("DELETE", "/v1/schedules?prefix=a", nil, nil),
            ("POST", "/v1/schedules/pause?prefix=a", nil, nil),
            ("POST", "/v1/schedules/preview?count=3", #"{"in":1,"do":[]}"#, nil),
            ("POST", "/v1/batch?staggr=1", #"{"ticker":"a","to":1}"#, "stagger"),
            ("POST", "/v1/notifications/n?x=1", "1", nil),
            ("POST", "/v1/events?tickets=a", #"{"ticker":["a"]}"#, "ticket"),
            ("POST", "/v1/tickets?x=1", #"{"ticker":["a"]}"#, nil),
            ("DELETE", "/v1/session?x=1", nil, nil), ("DELETE", "/v1/webhooks/failed/a?x=1", nil, nil),
            ("POST", "/v1/webhooks/failed/a/retry?x=1", nil, nil),
        ] as [(String, String, String?, String?)])
    func `an unknown query parameter is refused on every route, with the nearest known one`(
        method: String, path: String, body: String?, nearest: String?
    ) throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/a", #"{"to":0,"duration":0}"#)
        let answer = try server.client.send(method, path, body: body)
        let name = path.drop { $0 != "?" }.prefix { $0 != "=" }
        #expect(answer.status == 422 && answer.json["pointer"] as? String == String(name), "\(answer.body)")
        let detail = answer.json["detail"] as? String ?? ""
        #expect(detail.contains("did you mean") == (nearest != nil) && detail.contains(nearest ?? ""), "\(detail)")
        #expect(try server.client.get("/v1/tickers/a").json["value"] as? Int == 0)
    }

    @Test(arguments: [
        ("GET", "/v1/tickers/a/image.svg?label=a&label=b", "label"),
        ("GET", "/v1/tickers/a/badge.json?color=red&color=red", "color"),
        ("GET", "/v1/tickers/a?at=1&at=2", "at"), ("GET", "/v1/tickers/a/frames?fps=1&to=1&fps=2", "fps"),
        ("GET", "/v1/tickers?limit=1&limit=2", "limit"), ("POST", "/v1/batch?stagger=1&stagger=2", "stagger"),
        ("POST", "/v1/schedules?preview=1&preview=2", "preview"),
    ])
    func `a parameter that is given twice is refused`(method: String, path: String, name: String) throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/a", #"{"to":0,"duration":0}"#)
        let answer = try server.client.send(method, path, body: method == "GET" ? nil : #"{"ticker":"a","to":1}"#)
        #expect(answer.status == 422 && answer.json["pointer"] as? String == "?\(name)", "\(answer.body)")
        #expect(try server.client.get("/v1/tickers/a").json["value"] as? Int == 0)
    }

    @Test(arguments: [
        "/v1/tickers/a?locale=de", "/v1/tickers/a/history?points=1", "/v1/tickers?limit=1&prefix=a&locale=de",
        "/index.html?ticker=a&x=1", "/?board",
    ])
    func `known query parameters are accepted, and pages accept any`(path: String) throws {
        let server = try ServerProcess(servesPages: true)
        _ = try server.client.post("/v1/tickers/a", #"{"to":0,"duration":0}"#)
        #expect(try server.client.get(path).status == 200)
    }
}
