// Heads of requests: how much one may hold, which host it names, and what is no head at all.

import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct RequestHeadTests {
    private func server(configure: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> TestServer {
        try TestServer(configure: configure) { request, responder in
            let host = request.header("host") ?? "-"
            responder.send(.text(200, "\(request.path) \(host) \(request.queryItems.count)"))
        }
    }

    private func answer(to text: String, from server: TestServer) throws -> HTTPAnswer {
        let client = try RawConnection(port: server.port)
        // The server may close before everything is sent.
        try? client.send(text)
        return try HTTPClient.answer(from: client)
    }

    @Test(arguments: [0, 1, 200, 210, 211, 230, 250, 2_000, 7_000])
    func `up to 7000 query parameters are all read`(count: Int) throws {
        let server = try server()
        let query = repeatElement("a", count: count).joined(separator: "&")
        #expect(try server.client.get("/x?\(query)").body == "/x localhost \(count)")
    }

    @Test func `more than 10000 query parameters get a 414`() throws {
        let server = try server { $0.headLimit = 64 * 1_024 }
        let query = repeatElement("a", count: 10_001).joined(separator: "&")
        let answer = try server.client.get("/x?\(query)")
        #expect(answer.status == 414)
        #expect(answer.body == "over 10000 parameters")
    }

    @Test func `a target of any length is answered: served up to the limit, refused beyond it`() throws {
        let server = try server()
        // Every length about the limit, about what the library has beside it, and far beyond.
        let lengths =
            [1_000, 8_000, 15_000] + Array(stride(from: 16_000, to: 17_000, by: 37)) + [25_000]
            + Array(stride(from: 34_000, to: 40_000, by: 97)) + [200_000]
        var statuses: [Int] = []
        for length in lengths {
            let path = "/" + String(repeating: "a", count: length)
            let answer = try answer(to: HTTPClient.request("GET", path), from: server)
            statuses.append(answer.status)
        }
        // About the end of the connection's memory, the library says which of line and headers didn't fit.
        #expect(Set(statuses).isSubset(of: [200, 414, 431]))
        #expect(statuses.prefix { $0 == 200 }.count == statuses.count { $0 == 200 })
        #expect(statuses.last == 414)
    }

    @Test func `headers of any number are answered: served up to the limit, refused beyond it`() throws {
        let server = try server()
        var statuses: [Int] = []
        // The most are 192, Host and Connection among them.
        for count in [10, 50, 100, 150, 188, 189, 190, 191, 192, 400, 1_000, 5_000] {
            let headers = String(repeating: "X: y\r\n", count: count)
            let text = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(headers)\r\n"
            statuses.append(try answer(to: text, from: server).status)
        }
        #expect(statuses == Array(repeating: 200, count: 7) + Array(repeating: 431, count: 5))
    }

    /// Up to this size the library uses `malloc()`, and no mapping of the kernel for each connection.
    @Test func `a connection's memory is 32 KiB, also with a smaller head limit`() {
        var configuration = HTTPServerConfiguration()
        #expect(Daemon.memory(configuration) == 32 * 1_024)
        configuration.headLimit = 1_024
        #expect(Daemon.memory(configuration) == 32 * 1_024)
    }

    @Test(arguments: [100, 7_000, 12_000, 15_000, 17_000, 19_000, 20_000, 20_100, 20_300, 100_000])
    func `a header below 16000 bytes is served, a longer one gets a 431`(length: Int) throws {
        let server = try server()
        let headers = ["X-Long: \(String(repeating: "a", count: length))"]
        let status = try answer(to: HTTPClient.request("GET", "/", headers: headers), from: server).status
        #expect(status == (length < 16_000 ? 200 : 431))
    }

    @Test(arguments: [(1, 200), (206, 200), (3_200, 200), (3_300, 431), (20_000, 431)])
    func `a Cookie header is limited by its bytes, not by its number of cookies`(pairs: Int, status: Int) throws {
        let server = try TestServer { request, responder in
            responder.send(.text(200, request.wholeHeader("Cookie") ?? "none"))
        }
        let cookies = repeatElement("a=b; ", count: pairs).joined() + "z=1"
        let text = HTTPClient.request("GET", "/", headers: ["Cookie: \(cookies)", "Cookie: y=2"])
        let answer = try answer(to: text, from: server)
        #expect(answer.status == status)
        if status == 200 { #expect(answer.body == "\(cookies),y=2") }
    }

    @Test func `header returns the first Cookie line, or none without one`() throws {
        let server = try TestServer { request, responder in
            responder.send(.text(200, request.header("Cookie") ?? "none"))
        }
        #expect(try server.client.get("/").body == "none")
        #expect(try server.client.get("/", headers: ["cookie: a=b", "Cookie: c=d"]).body == "a=b")
    }

    @Test func `whitespace around a header's value is trimmed, wherever the head is split`() throws {
        let server = try TestServer { request, responder in
            responder.send(.text(200, "[\(request.header("X-A") ?? "")][\(request.wholeHeader("X-B") ?? "")]"))
        }
        let headers = ["X-A: \t a  b \t", "X-B:c ", "X-B:  ", "x-b:\td\t"]
        let text = HTTPClient.request("GET", "/", headers: headers)
        #expect(try answer(to: text, from: server).body == "[a  b][c,,d]")
        // In pieces likewise, wherever a line breaks.
        for cut in [16, 40, 47, 48, 52, 60] {
            let client = try RawConnection(port: server.port)
            try client.send(String(text.prefix(cut)))
            #expect(eventually { server.server.connectionCount > 0 })
            try client.send(String(text.dropFirst(cut)))
            #expect(try HTTPClient.answer(from: client).body == "[a  b][c,,d]", "\(cut)")
        }
    }

    @Test(arguments: [
        "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a@b\r\n", "Host:\r\n", "Host: a b\r\n",
        "Host: a/b\r\n", "Host: http://a\r\n", "Host: a:b\r\n", "Host: a:99999\r\n", "Host: a:+80\r\n",
        "Host: a:80:80\r\n", "Host: [::1\r\n", "Host: [::1]x\r\n", "Host: a, b\r\n", "Host: caf\u{E9}\r\n",
        "Host: a\\b\r\n", "Host: a?b\r\n", "Host: a#b\r\n", "Host: :80\r\n", "Host: []\r\n",
    ])
    func `an HTTP 1.1 request with no Host, two or a malformed one gets a 400`(headers: String) throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\(headers)\r\n")
        let answer = try HTTPClient.answer(from: client)
        #expect(answer.status == 400)
        #expect(answer.body == "not one host")
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: [("", 200), ("Host: a\r\n", 200), ("Host: a\r\nHost: b\r\n", 400)])
    func `an HTTP 1.0 request needs no Host, but two get a 400`(headers: String, status: Int) throws {
        let server = try server()
        #expect(try answer(to: "GET / HTTP/1.0\r\n\(headers)\r\n", from: server).status == status)
    }

    @Test(arguments: [
        "Host : x", "Host\t: x", "Host: x\r\nX-A : b", "Host: x\r\n : b", "Host: x\r\n: b", "Host: x\r\nX(A): b",
        "Host: x\r\n folded", "Host: x\r\n\tfolded", "X: y\r\n Host: x", " Host: x", "X: y\r\n folded\r\nHost: x",
        "Host: x\r\nContent-Length: 5\r\n 0", "Host: x\r\nX:\r\n folded",
    ])
    func `a malformed header name or a folded header line gets a 400`(headers: String) throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\(headers)\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).status == 400)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: [
        "a", "a:", "a:80", "A-1.b_c.d.", "127.0.0.1:65535", "[::1]", "[::1]:8080", "[fe80::1%25eth0]",
        "xn--caf-dma.example",
    ])
    func `a well-formed Host is accepted`(host: String) throws {
        let server = try server()
        #expect(try server.client.get("/", headers: ["Host: \(host)"]).body == "/ \(host) 0")
    }

    @Test(arguments: [
        "GET /ver sion HTTP/1.1", "GET /a b c HTTP/1.1", "GET /a\tb HTTP/1.1", "GET /a\u{7F} HTTP/1.1",
        "GET /a\rb HTTP/1.1",
        "GET /a\u{1}b HTTP/1.1", "GET /a#b HTTP/1.1", "GET a HTTP/1.1", "GET ftp://a/ HTTP/1.1", "G(T / HTTP/1.1",
        "GET: / HTTP/1.1", "G\u{1}T / HTTP/1.1", "GET http://a@b/ HTTP/1.1", "GET http:///a HTTP/1.1",
        "GET ** HTTP/1.1",
        "GET /a?b c HTTP/1.1",
    ])
    func `a malformed request line gets a 400`(line: String) throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send("\(line)\r\nHost: x\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).status == 400)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: ["a\rb", "\r", "a\u{1}", "a\u{7F}b", "\u{1B}[2J", "a\r\rb", "\u{B}chunked"])
    func `a control character in a value is refused`(value: String) throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\nX: \(value)\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).status == 400)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: localhost\0.evil.example", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 21\0 99",
        "GET / HTTP/1.1\r\nX: a\0b\r\nHost: x", "GET / HTTP/1.1\r\nX: a\0\r\nHost: x",
        "GET / HTTP/1.1\r\nHost: x\0", "GET / HTTP/1.1\r\nHost: \0x", "GET / HTTP/1.1\r\nHo\0st: x",
        "GET / HTTP/1.1\r\nHost: x\r\n\0X: y", "GET / HTTP/1.1\r\nHost: x\r\n\0",
        "GET /a\0b HTTP/1.1\r\nHost: x", "GET /a?b\0c HTTP/1.1\r\nHost: x", "GET /a\0 HTTP/1.1\r\nHost: x",
        "GET \0/a HTTP/1.1\r\nHost: x", "GET\0 / HTTP/1.1\r\nHost: x", "GET / HTTP/1.1\0x\r\nHost: x",
    ])
    func `a NUL, which would end a text for some readers and for others not, is refused`(head: String) throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        try client.send("\(head)\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).status == 400)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: [
        "GET /a?b HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nX-Blank: \r\nX-A:  b  c \r\n\r\n",
        "GET /a?b HTTP/1.1\nHost: x\nX-Empty:\n\n", "GET  /a?b HTTP/1.1\r\nHost: x\r\nX:\n\r\n",
        "GET /a?b HTTP/1.1\r\nHost: x\r\nCookie: a=b; c=d\r\nX: y\r\n\n",
        "\r\nGET /a?b HTTP/1.1\r\nHost: x\r\n\r\n",
    ])
    func `heads with bare newlines, empty values or blanks that RFC 9112 allows are served`(text: String) throws {
        let server = try server()
        #expect(try answer(to: text, from: server).body == "/a x 1")
    }

    @Test func `an absolute target is served, and its host is the one that counts`() throws {
        let server = try server()
        let client = try RawConnection(port: server.port)
        for (target, expected) in [("http://h.example:81/a?b", "/a h.example:81 1"), ("/c", "/c x 0")] {
            try client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try HTTPClient.answer(from: client).body == expected)
        }
    }
}
