// `If-Match` and `If-None-Match`, wherever they may stand.

import TestSupport
import Testing

@Suite struct ConditionTests {
    /// A resource of each kind, and a body that makes it.
    private static let kinds = [
        ("/v1/tickers/a", #"{"label":"0"}"#), ("/v1/progress/a", #"{"maximum":9}"#),
        ("/v1/schedules/a", #"{"in":600,"do":[]}"#),
    ]

    @Test(arguments: kinds) func `If-None-Match with a star rejects PUT and DELETE of an existing resource`(
        path: String, body: String
    ) throws {
        let server = try ServerProcess()
        let headers = ["If-None-Match: *"]
        #expect(try server.client.send("PUT", path, body: body, headers: headers).status == 201)
        let made = try server.client.get(path)
        for method in ["PUT", "DELETE"] {
            let answer = try server.client.send(method, path, body: method == "PUT" ? body : nil, headers: headers)
            #expect(answer.status == 412 && answer.body.contains("If-None-Match"), "\(method) \(answer.body)")
        }
        #expect(try server.client.get(path).headers["etag"] == made.headers["etag"])
    }

    @Test(arguments: kinds) func `If-Match rejects PUT of a missing resource and creates none`(
        path: String, body: String
    ) throws {
        let server = try ServerProcess()
        for tag in ["*", "\"1\"", "\"0\""] {
            let answer = try server.client.send("PUT", path, body: body, headers: ["If-Match: \(tag)"])
            #expect(answer.status == 412, "\(tag) \(answer.body)")
        }
        #expect(try server.client.get(path).status == 404)
        // Without the condition it would have been 404 as well (RFC 9110, 13.2.1).
        #expect(try server.client.send("DELETE", path, headers: ["If-Match: \"1\""]).status == 404)
    }

    @Test(
        arguments: [
            (#"If-Match: "1""#, 202), (#"If-Match: "9", "1""#, 202), (#"If-Match: W/"1""#, 202),
            (#"If-Match: "1-gzip""#, 202), ("If-Match: *", 202), (#"If-Match: "9""#, 412), (#"If-Match: "01x""#, 412),
            (#"If-Match: "9","8""#, 412), (#"If-None-Match: "9""#, 202), (#"If-None-Match: "1""#, 412),
            (#"If-None-Match: W/"1""#, 412), (#"If-None-Match: "9", "1""#, 412), ("If-None-Match: *", 412),
            ("If-Match: 1", 400), ("If-None-Match: 1", 400), (#"If-Match: *, "1""#, 400), ("If-Match:", 400),
            ("If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT", 202),
            ("If-Unmodified-Since: Thu, 01 Jan 1970 00:00:01 GMT", 202), ("If-Range: \"9\"", 202),
        ])
    func `If-Match and If-None-Match are checked against the revision of an update`(header: String, status: Int) throws
    {
        let server = try ServerProcess()
        _ = try server.client.send("PUT", "/v1/tickers/a", body: #"{"label":"0"}"#)
        let answer = try server.client.post("/v1/tickers/a", #"{"to":5,"duration":0}"#, headers: [header])
        #expect(answer.status == status, "\(answer.body)")
        #expect(try server.client.get("/v1/tickers/a").json["value"] as? Int == (status == 202 ? 5 : 0))
    }

    @Test func `If-Match and If-None-Match must both hold, and repeated lines form one list`() throws {
        let server = try ServerProcess()
        _ = try server.client.send("PUT", "/v1/tickers/a", body: #"{"label":"0"}"#)
        for (headers, status) in [
            (["If-Match: \"9\"", "If-Match: \"1\""], 202), (["If-Match: \"2\"", "If-None-Match: \"2\""], 412),
            (["If-Match: *", "If-None-Match: \"1\""], 202),
        ] {
            let answer = try server.client.post("/v1/tickers/a", #"{"by":1,"duration":0}"#, headers: headers)
            #expect(answer.status == status, "\(headers) \(answer.body)")
        }
    }

    @Test func `conditions apply to operations, and If-Match rejects requests without a resource`() throws {
        let server = try ServerProcess()
        _ = try server.client.post("/v1/tickers/a", #"{"to":5,"duration":600}"#)
        _ = try server.client.send("PUT", "/v1/schedules/s", body: #"{"in":600,"do":[]}"#)
        let line = #"{"ticker":"b","to":1}"#
        for (method, path, body, header, status) in [
            ("POST", "/v1/tickers/a/pause", "", "If-None-Match: *", 412),
            ("POST", "/v1/tickers/a/pause", "", "If-Match: \"77\"", 412),
            ("POST", "/v1/schedules/s/pause", "", "If-None-Match: *", 412),
            ("POST", "/v1/schedules/pause", "", "If-Match: \"1\"", 412),
            ("DELETE", "/v1/schedules", "", "If-None-Match: *", 412),
            ("DELETE", "/v1/schedules", "", "If-Match: \"1\"", 412),
            ("POST", "/v1/batch", line, "If-Match: *", 412), ("POST", "/v1/batch", line, "If-Match: \"1\"", 412),
            ("POST", "/v1/batch", line, "If-None-Match: *", 200),
            ("POST", "/v1/notifications/n", "1", "If-Match: *", 412),
            ("POST", "/v1/notifications/n", "1", "If-None-Match: *", 204),
            ("POST", "/v1/tickers", #"{"to":1}"#, "If-Match: *", 412),
            ("POST", "/v1/tickers", #"{"to":1}"#, "If-None-Match: *", 202),
            ("DELETE", "/v1/session", "", "If-Match: *", 412),
            ("POST", "/v1/schedules/preview", #"{"in":1,"do":[]}"#, "If-Match: *", 412),
            ("DELETE", "/v1/schedules", "", "If-Match: *", 204),
        ] {
            let answer = try server.client.send(method, path, body: body.isEmpty ? nil : body, headers: [header])
            #expect(answer.status == status, "\(method) \(path) \(header): \(answer.body)")
        }
        #expect(try server.client.get("/v1/tickers/a").headers["etag"] == "\"1\"")
    }

    @Test func `conditional reads give 304 for a known revision and 412 for a failed If-Match`() throws {
        let server = try ServerProcess(servesPages: true)
        _ = try server.client.send("PUT", "/v1/tickers/a", body: #"{"label":"0"}"#)
        for (path, header, status) in [
            ("/v1/tickers/a", #"If-None-Match: "1""#, 304), ("/v1/tickers/a", #"If-None-Match: W/"1""#, 304),
            ("/v1/tickers/a", "If-None-Match: *", 304), ("/v1/tickers/a", #"If-None-Match: "2""#, 200),
            ("/v1/tickers/a", #"If-Match: "1""#, 200), ("/v1/tickers/a", #"If-Match: "2""#, 412),
            ("/v1/tickers/b", "If-None-Match: *", 404), ("/v1/tickers", "If-None-Match: *", 304),
            ("/v1/tickers", #"If-None-Match: "1""#, 200), ("/v1/tickers", #"If-Match: "1""#, 412),
            ("/v1/tickers/a/history", "If-None-Match: *", 304), ("/metrics", "If-Match: *", 200),
            ("/healthz", #"If-Match: "1""#, 412), ("/v1/events?ticker=a", #"If-Match: "1""#, 412),
            ("/v1/limits", "If-None-Match: x", 400), ("/", #"If-Match: "1""#, 412), ("/", "If-None-Match: *", 304),
        ] {
            let answer = try server.client.get(path, headers: [header])
            #expect(answer.status == status, "\(path) \(header): \(answer.body)")
            if status == 304 { #expect(answer.body.isEmpty) }
        }
        let known = try server.client.send("HEAD", "/v1/tickers/a", headers: [#"If-None-Match: "1""#])
        #expect(known.status == 304 && known.headers["etag"] == #""1""#)
    }

    @Test func `conditions on changing an open stream treat it as existing`() throws {
        let server = try ServerProcess()
        let stream = try EventSourceClient(port: server.port, path: "/v1/events?ticker=a")
        let hello = try #require(try stream.collect { $0.name == "hello" }.last)
        let name = try #require(hello.json["stream"] as? String)
        for (header, status) in [("If-None-Match: *", 412), (#"If-Match: "1""#, 412), ("If-Match: *", 204)] {
            let answer = try server.client.send(
                "PUT", "/v1/streams/\(name)", body: #"{"ticker":["b"]}"#, headers: [header])
            #expect(answer.status == status, "\(header): \(answer.body)")
        }
    }
}
