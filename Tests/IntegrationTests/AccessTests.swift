// Which pages and which host names a running server answers, the same for every path.

import Foundation
import TestSupport
import Testing

@Suite struct AccessTests {
    private static let foreign = "Origin: https://evil.example"
    /// A path of every kind.
    private static let paths = [
        "/", "/openapi.yaml", "/asyncapi.yaml", "/healthz", "/readyz", "/metrics", "/v1/tickers", "/v1/tickers/t",
        "/v1/schedules", "/v1/clients", "/v1/webhooks/failed", "/v1/events?ticker=t", "/v1/tickers/t/events",
        "/v1/selftest", "/v1/nothing",
    ]

    @Test func `a page of an unlisted origin is refused on every path`() throws {
        let server = try ServerProcess(servesPages: true)
        _ = try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#)
        for path in Self.paths {
            for headers in [
                [Self.foreign], ["Origin: null"], ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
                ["Host: evil.example"],
            ] {
                let answer = try server.client.get(path, headers: headers)
                #expect(answer.status == 403, "\(path) \(headers)")
                #expect(answer.headers["access-control-allow-origin"] == nil)
                #expect(!answer.body.contains("hello"))
            }
        }
        #expect(try server.client.send("OPTIONS", "/v1/tickers/t", headers: [Self.foreign]).status == 403)
        // Whoever follows a link comes to see for himself.
        let visit = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        let page = try server.client.get("/", headers: visit)
        #expect(page.status == 200)
        #expect(page.headers["cross-origin-resource-policy"] == "same-origin")
        #expect(page.headers["access-control-allow-origin"] == nil)
    }

    @Test func `only the overlay may be framed, and only by pages of listed origins`() throws {
        let frame = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]
        let image = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"]
        for flag in ["--cors-origin", "--cors-read-origin"] {
            let server = try ServerProcess(arguments: [flag, "https://blog.example"], servesPages: true)
            for path in ["/overlay?ticker=t", "/overlay.html"] {
                let answer = try server.client.get(path, headers: frame)
                #expect(answer.status == 200 && answer.body.contains("<html"))
                #expect(try server.client.get(path, headers: image).status == 403)
            }
            for path in ["/", "/embedding", "/overlay.css", "/v1/tickers", "/v1/tickers/t"] {
                #expect(try server.client.get(path, headers: frame).status == 403, "\(path)")
            }
        }
        let closed = try ServerProcess(servesPages: true)
        #expect(try closed.client.get("/overlay", headers: frame).status == 403)
        let open = try ServerProcess(arguments: ["--cors-read-origin", "*"], servesPages: true)
        #expect(try open.client.get("/overlay", headers: frame).status == 200)
    }

    @Test func `each request of a connection is checked by its own Host`() throws {
        let server = try ServerProcess()
        let connection = try RawConnection(port: server.port)
        for (host, status) in [
            ("localhost", 200), ("localhost", 200), ("evil.example", 403), ("localhost", 200), ("evil.example", 403),
            ("127.0.0.1:1", 200), ("127.1", 403), ("LOCALHOST", 200),
        ] {
            try connection.send("GET /v1/limits HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try HTTPClient.answer(from: connection).status == status, "\(host)")
        }
    }

    @Test func `a page of a listed origin may read, write and subscribe`() throws {
        let origin = "https://app.example"
        let server = try ServerProcess(
            arguments: ["--cors-origin", "https://other.example,\(origin)"], servesPages: true)
        let headers = ["Origin: \(origin)", "Content-Type: application/json"]
        #expect(try server.client.post("/v1/tickers/t", #"{"to":1,"duration":0}"#, headers: headers).status == 202)
        for path in Self.paths where !path.contains("events") && !path.contains("selftest") {
            let answer = try server.client.get(path, headers: headers)
            #expect(answer.status == (path == "/v1/nothing" ? 404 : 200), "\(path)")
            #expect(answer.headers["access-control-allow-origin"] == origin, "\(path)")
            #expect(answer.headers["vary"] == "Origin")
        }
        for path in ["/v1/events?ticker=t", "/v1/tickers/t/events"] {
            let stream = try EventSourceClient(port: server.port, path: path, headers: headers)
            #expect(stream.status == 200)
            #expect(stream.headers["access-control-allow-origin"] == origin)
            _ = try stream.collect { $0.name == "message" }
        }
        let preflight = try server.client.send(
            "OPTIONS", "/v1/tickers/t", headers: headers + ["Access-Control-Request-Method: PUT"])
        #expect(preflight.status == 204)
        #expect(preflight.headers["access-control-allow-origin"] == origin)
        #expect(try server.client.get("/v1/tickers", headers: [Self.foreign]).status == 403)
    }

    @Test func `--cors-origin with a star lets every origin read and none write`() throws {
        let server = try ServerProcess(arguments: ["--cors-origin", "*"])
        let read = try server.client.get("/v1/tickers", headers: [Self.foreign])
        #expect(read.status == 200 && read.headers["access-control-allow-origin"] == "*")
        let write = [Self.foreign, "Content-Type: application/json"]
        #expect(try server.client.post("/v1/tickers/t", #"{"to":1}"#, headers: write).status == 403)
        for (method, status) in [("GET", 204), ("POST", 403)] {
            let headers = [Self.foreign, "Access-Control-Request-Method: \(method)"]
            #expect(try server.client.send("OPTIONS", "/v1/tickers/t", headers: headers).status == status)
        }
    }

    @Test func `an origin that may read can't write`() throws {
        let origin = "https://news.example"
        let server = try ServerProcess(arguments: ["--cors-read-origin", origin])
        let headers = ["Origin: \(origin)", "Content-Type: application/json"]
        let read = try server.client.get("/v1/tickers", headers: headers)
        #expect(read.status == 200 && read.headers["access-control-allow-origin"] == origin)
        #expect(read.headers["access-control-allow-credentials"] == nil)
        #expect(try server.client.post("/v1/tickers/t", #"{"to":1}"#, headers: headers).status == 403)
        #expect(try server.client.get("/v1/tickers", headers: [Self.foreign]).status == 403)
    }

    @Test func `a body with a Content-Encoding other than identity gets 415`() throws {
        let server = try ServerProcess()
        let packed = try server.client.post("/v1/tickers/t", "\u{1F}", headers: ["Content-Encoding: gzip"])
        #expect(packed.status == 415 && packed.body.contains("without Content-Encoding"))
        let plain = try server.client.post("/v1/tickers/t", #"{"to":1}"#, headers: ["Content-Encoding: Identity"])
        #expect(plain.status == 202)
    }

    @Test func `with --read-only pages get 403 for changes, and hello says readOnly`() throws {
        let server = try ServerProcess(arguments: ["--read-only", "--cors-origin", "https://shop.example"])
        let body = #"{"to":1,"duration":0}"#
        #expect(try server.client.post("/v1/tickers/t", body).status == 202)
        for origin in ["http://localhost:\(server.port)", "https://shop.example"] {
            let page = ["Host: localhost:\(server.port)", "Origin: \(origin)", "Content-Type: application/json"]
            for (method, path) in [
                ("POST", "/v1/tickers/t"), ("DELETE", "/v1/tickers/t"), ("POST", "/v1/batch"),
                ("POST", "/v1/schedules/pause"),
            ] {
                let answer = try server.client.send(method, path, body: method == "POST" ? body : nil, headers: page)
                #expect(answer.status == 403 && answer.body.contains("read-only for pages"), "\(method) \(path)")
            }
            #expect(try server.client.get("/v1/tickers/t", headers: page).status == 200)
        }
        // Of this server's own page browsers say so, whatever else they leave out.
        #expect(
            try server.client.send("DELETE", "/v1/tickers/t", headers: ["Sec-Fetch-Site: same-origin"]).status == 403)
        let stream = try EventSourceClient(port: server.port, path: "/v1/tickers/t/events")
        #expect(try stream.collect { $0.name == "hello" }.last?.data.contains("\"readOnly\":true") == true)
    }

    @Test(arguments: ["tweens", "/tweens//", "/a b", "/a/../b", "//evil.example", "/é"])
    func `an invalid --base-path is refused at the start`(path: String) throws {
        let (code, errors) = try ServerProcess.run(["--base-path", path])
        #expect(code == 2 && errors.contains("--base-path"))
    }

    @Test func `under --base-path the Location of a new ticker has the base path`() throws {
        let server = try ServerProcess(arguments: ["--base-path", "/tweens/"])
        let answer = try server.client.post("/tweens/v1/tickers", #"{"to":1}"#)
        let location = try #require(answer.headers["location"])
        #expect(location.hasPrefix("/tweens/v1/tickers/"))
        #expect(try server.client.get(location).status == 200)
        #expect(try server.client.get(String(location.dropFirst(7))).status == 200)
        #expect(try server.client.get("/healthz").status == 200)
        #expect(try server.client.get("/tweensv1/tickers").status == 404)
    }

    @Test func `a public server answers listed host names only, and warns if there are none`() throws {
        let errors = Pipe()
        let closed = try ServerProcess(arguments: ["--host", "0.0.0.0", "--insecure"], errors: errors)
        let rebound = ["Host: evil:9530", "Origin: http://evil:9530"]
        #expect(try closed.client.send("DELETE", "/v1/schedules", headers: rebound).status == 403)
        let refusal = try closed.client.get("/v1/clients", headers: ["Host: board.example"])
        #expect(refusal.status == 403 && refusal.body.contains("--allowed-host"))
        #expect(try closed.client.get("/v1/clients", headers: ["Host: 192.168.1.5:8080"]).status == 200)
        #expect(closed.terminate() == 0)
        try errors.fileHandleForWriting.close()
        let log = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(log.contains("--allowed-host"))
        let open = try ServerProcess(
            arguments: ["--host", "0.0.0.0", "--insecure"], environment: ["TWEENCAST_ALLOWED_HOST": "board.example"])
        #expect(try open.client.get("/v1/clients", headers: ["Host: board.example"]).status == 200)
        #expect(try open.client.get("/v1/clients", headers: ["Host: evil.example"]).status == 403)
    }

    @Test(arguments: [
        ("cors-origin", "app.example"), ("cors-origin", "https://app.example/board"), ("cors-origin", "null"),
        ("cors-origin", "https://*"), ("cors-read-origin", "https://a.*.example"), ("cors-header", "*"),
        ("cors-header", "x trace"), ("allowed-host", "http://board.example"), ("allowed-host", "*board.example"),
    ])
    func `an invalid --cors-origin, --cors-header or --allowed-host is refused at the start`(
        flag: String, value: String
    ) throws {
        let (code, errors) = try ServerProcess.run(["--\(flag)", value])
        #expect(code == 2 && errors.contains("--\(flag)"))
    }

    @Test func `a preflight allows tracing headers and those of --cors-header`() throws {
        let server = try ServerProcess(
            arguments: ["--cors-origin", "https://*.example.com", "--cors-header", "x-b3-traceid,X-Tenant"])
        let preflight = try server.client.send(
            "OPTIONS", "/v1/tickers/t",
            headers: ["Origin: https://app.example.com", "Access-Control-Request-Method: PUT"])
        #expect(preflight.status == 204)
        let allowed =
            preflight.headers["access-control-allow-headers"]?.lowercased().components(separatedBy: ", ") ?? []
        for name in [
            "cache-control", "traceparent", "tracestate", "baggage", "sentry-trace", "x-requested-with",
            "if-none-match",
            "if-match", "authorization", "last-event-id", "x-b3-traceid", "x-tenant",
        ] {
            #expect(allowed.contains(name), "\(name)")
        }
    }
}
