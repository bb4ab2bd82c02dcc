// Bodies in portions: what the client gets, and when the next portion is asked for.

import HTTPTransport
import TestSupport
import Testing

@Suite struct StreamedBodyTests {
    private func server(_ source: PortionSource) throws -> TestServer {
        try TestServer { request, responder in
            guard request.path == "/list" else { return responder.send(.text(200, request.path)) }
            responder.send(HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], rest: source))
        }
    }

    private func text(_ count: Int, of letter: Character = "x") -> [UInt8] {
        Array(String(repeating: letter, count: count).utf8)
    }

    @Test(arguments: [false, true])
    func `portions arrive in their order, in chunks, and the connection goes on`(isLater: Bool) throws {
        let source = PortionSource([text(3, of: "a"), text(50_000, of: "b"), text(1, of: "c")], isLater: isLater)
        let server = try server(source)
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("GET", "/list") + HTTPClient.request("GET", "/next"))
        if isLater { source.giveAll() }
        let head = try #require(try client.readHead())
        #expect(head.contains("transfer-encoding: chunked"))
        #expect(!head.contains("content-length"))
        #expect(try client.readChunks() == "aaa" + String(repeating: "b", count: 50_000) + "c")
        #expect(try HTTPClient.answer(from: client).body == "/next")
        #expect(source.state.wait { $0.ended == 1 })
        #expect(source.state.current.asked == 3)
    }

    @Test func `two thousand portions arrive`() throws {
        let portions = (0..<2_000).map { Array("\($0),".utf8) }
        let source = PortionSource(portions, isLater: true)
        let server = try server(source)
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("GET", "/list"))
        source.giveAll()
        _ = try client.readHead()
        #expect(try client.readChunks() == (0..<2_000).map { "\($0)," }.joined())
    }

    @Test(arguments: [[[]], [[], []], [[], [120]], [[120], []]] as [[[UInt8]]], [false, true])
    func `a portion may be empty`(portions: [[UInt8]], isLater: Bool) throws {
        let source = PortionSource(portions, isLater: isLater)
        let server = try server(source)
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("GET", "/list"))
        if isLater { source.giveAll() }
        _ = try client.readHead()
        #expect(try client.readChunks() == (portions.joined().isEmpty ? "" : "x"))
    }

    @Test func `a client that reads nothing has fewer than ten portions made for it`() throws {
        let source = PortionSource((0..<1_000).map { _ in text(16_384) })
        let server = try server(source)
        let client = try RawConnection(port: server.port, receiveBuffer: 8_192)
        try client.send(HTTPClient.request("GET", "/list"))
        _ = try #require(try client.readHead())
        // In each turn of the worker the connection may ask for a portion; here are turns for six megabytes.
        for _ in 0..<400 { #expect(try server.client.get("/other").body == "/other") }
        #expect(source.state.current.asked < 10)
        #expect(source.state.current.ended == 0)
        #expect(try client.readChunks()?.utf8.count == 16_384_000)
        #expect(source.state.wait { $0.ended == 1 })
    }

    @Test(arguments: [false, true])
    func `a client that leaves ends its source, awaited or not`(isAwaited: Bool) throws {
        let source = PortionSource((0..<1_000).map { _ in text(100_000) }, isLater: isAwaited)
        let server = try server(source)
        do {
            let client = try RawConnection(port: server.port)
            try client.send(HTTPClient.request("GET", "/list"))
            _ = source.state.wait { $0.asked > 0 }
        }
        // A suspended connection is looked at when its portion comes.
        if isAwaited {
            while !source.state.wait(0, until: { $0.ended == 1 }) { source.give() }
        }
        #expect(source.state.wait { $0.ended == 1 })
        #expect(eventually { server.server.connectionCount == 0 })
    }

    @Test func `HEAD gets no length and no body, and no portion is asked for`() throws {
        let source = PortionSource([text(10)])
        let server = try server(source)
        let client = try RawConnection(port: server.port)
        try client.send(HTTPClient.request("HEAD", "/list"))
        let answer = try client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        #expect(answer.contains("text/plain"))
        #expect(!answer.lowercased().contains("content-length"))
        #expect(source.state.wait { $0.ended == 1 })
        #expect(source.state.current.asked == 0)
    }

    @Test(arguments: [false, true])
    func `a client of HTTP 1.0 gets the body without chunks, until its connection closes`(isLater: Bool) throws {
        let source = PortionSource([text(3, of: "a"), text(50_000, of: "b")], isLater: isLater)
        let server = try server(source)
        let client = try RawConnection(port: server.port)
        try client.send("GET /list HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        if isLater { source.giveAll() }
        let head = try #require(try client.readHead())
        #expect(!head.contains("chunked"))
        #expect(try client.readToEnd() == "aaa" + String(repeating: "b", count: 50_000))
        #expect(eventually { server.server.connectionCount == 0 })
        #expect(source.state.current.ended == 1)
    }

    @Test(arguments: [false, true])
    func `a stop cuts the bodies that wait for a portion, and tells their sources`(isTaken: Bool) throws {
        let sources = (0..<10).map { _ in PortionSource([text(10), text(10)], isLater: true) }
        let next = Watched(0)
        var server: TestServer? = try TestServer { _, responder in
            let index = next.update { count in
                count += 1
                return count - 1
            }
            responder.send(HTTPResponse(status: 200, rest: sources[index]))
        }
        let port = try #require(server?.port)
        let clients = try sources.map { _ in try RawConnection(port: port) }
        for client in clients { try client.send(HTTPClient.request("GET", "/list")) }
        for source in sources { #expect(source.state.wait { $0.asked == 1 }) }
        if isTaken { for source in sources { source.give() } }
        server = nil
        for client in clients {
            _ = try client.readHead()
            #expect(try client.readChunks() == nil)
        }
        for source in sources {
            #expect(source.state.wait { $0.ended == 1 })
            // Too late, but harmless.
            source.give()
        }
    }

    @Test func `a body sent after another answer has its source ended`() throws {
        let source = PortionSource([text(10)])
        let server = try TestServer { _, responder in
            responder.send(.text(200, "first"))
            responder.send(HTTPResponse(status: 200, rest: source))
        }
        #expect(try server.client.get("/").body == "first")
        #expect(source.state.wait { $0.ended == 1 })
    }
}
