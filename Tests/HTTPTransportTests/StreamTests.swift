// Streams from the request to the end: the socket's take-over, frames, endings, limits.

import Base
import Glibc
import HTTPTransport
import TestSupport
import Testing

@Suite struct StreamTests {
    @Test(arguments: Carrier.allCases)
    func `a stream comes in chunks, one for each event, and the last one ends it`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let client = try server.connect()
        try client.send(HTTPClient.request("GET", "/"))
        let head = try #require(try client.read(through: "\r\n\r\n")).lowercased()
        #expect(head.hasPrefix("http/1.1 200 "))
        #expect(head.contains("content-type: text/event-stream\r\n"))
        #expect(head.contains("connection: close\r\n"))
        #expect(head.contains("transfer-encoding: chunked\r\n"))
        #expect(!head.contains("content-length"))
        server.waitForOpen(1)
        server.broadcast.event(Array("raw".utf8))
        #expect(try client.readChunk() == "raw")
        server.broadcast.event(Array("eighteen bytes in\n".utf8))
        #expect(try client.readChunk() == "eighteen bytes in\n")
        server.broadcast.end()
        #expect(try client.readToEnd() == "0\r\n\r\n")
    }

    @Test(arguments: Carrier.allCases)
    func `a client of HTTP 1_0 gets the events alone, until the connection closes`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, greeting: "hello\n\n")
        let client = try server.connect()
        try client.send("GET / HTTP/1.0\r\n\r\n")
        let head = try #require(try client.read(through: "\r\n\r\n")).lowercased()
        #expect(!head.contains("transfer-encoding") && !head.contains("content-length"))
        #expect(try client.read(through: "\n\n") == "hello\n\n")
        server.broadcast.event(Array("raw".utf8))
        server.broadcast.tick()
        #expect(try client.read(count: 3) == "raw")
        #expect(try client.nextFrame() == 1)
        server.broadcast.end()
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: Carrier.allCases)
    func `a stream that breaks off has no last chunk`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let client = try server.subscribe()
        server.waitForOpen(1)
        server.stop()
        #expect(try client.readToEnd().isEmpty && !client.hasLastChunk)
    }

    @Test(arguments: Carrier.allCases)
    func `a loop has a ring where it was asked for`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        _ = try server.subscribe(1)
        #expect(server.loops.counters.rings == (carrier == .ring ? 1 : 0))
    }

    @Test(arguments: Carrier.allCases)
    func `a thousand streams leave the library, get frames, and their hang-ups are seen`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        var clients = try server.subscribe(1_000)
        #expect(eventually { server.connectionCount == 0 })
        #expect(server.context.counts.current == .init(opened: 1_000, failed: 0))
        for version in 1...3 {
            server.broadcast.tick()
            for client in clients { #expect(try client.nextFrame() == version) }
        }
        #expect(server.loops.counters.open == 1_000)
        clients.removeAll()
        #expect(eventually { server.loops.counters.open == 0 })
        #expect(eventually { server.openSockets == 0 })
        #expect(server.broadcast.closings.current.allSatisfy { $0 == .hangup })
    }

    @Test(arguments: Carrier.allCases)
    func `two thousand streams opened and left leave no socket`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        for round in 0..<40 {
            let clients = try (0..<50).map { _ in try server.connect() }
            for client in clients { try client.send(HTTPClient.request("GET", "/")) }
            if round % 2 == 0 { for client in clients { client.resetOnClose() } }
        }
        #expect(eventually { server.openSockets == 0 })
        #expect(eventually { server.loops.counters.open == 0 && server.connectionCount == 0 })
        let counts = server.context.counts.current
        #expect(counts.opened == server.broadcast.closings.current.count)
    }

    @Test(arguments: Carrier.allCases)
    func `a slot that is reused gets another generation`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        for _ in 0..<5 {
            let client = try server.subscribe()
            client.shut()
            #expect(eventually { server.loops.counters.open == 0 })
        }
        let opened = server.broadcast.opened.current
        #expect(Set(opened).count == 5)
        #expect(Set(opened.map(\.slot)).count == 1)
    }

    @Test(arguments: Carrier.allCases)
    func `an ended stream's last bytes arrive, whatever its client sent meanwhile`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let client = try server.subscribe()
        server.waitForOpen(1)
        try client.send(String(repeating: "noise", count: 1_000))
        server.broadcast.event(Array(repeating: UInt8(ascii: "x"), count: 1_000_000))
        server.broadcast.end()
        #expect(try client.readToEnd().utf8.count == 1_000_000 && client.hasLastChunk)
        #expect(eventually { server.broadcast.closings.current == [.ended] })
    }

    @Test(arguments: Carrier.allCases)
    func `a client that talks is not heard, and one that floods is cut off`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let client = try server.subscribe()
        server.waitForOpen(1)
        try client.send("GET /again HTTP/1.1\r\n\r\n")
        server.broadcast.tick()
        #expect(try client.nextFrame() == 1)
        #expect(throws: RawConnection.Failure.self) {
            for _ in 0..<10_000 { try client.send(String(repeating: "x", count: 65_536)) }
        }
        #expect(eventually { server.broadcast.closings.current == [.hangup] })
    }

    @Test(arguments: Carrier.allCases)
    func `a client that closes only its own side has left`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let client = try server.subscribe()
        server.waitForOpen(1)
        shutdown(client.descriptor, Int32(SHUT_WR))
        #expect(eventually { server.broadcast.closings.current == [.hangup] })
    }

    @Test(arguments: Carrier.allCases)
    func `a feed's deadline wakes its loop, and without one an idle loop sleeps`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let client = try server.subscribe()
        server.waitForOpen(1)
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        server.broadcast.tick(at: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) + 30_000_000)
        #expect(try client.nextFrame() == 1)
        // That nothing happens takes a while to see; a loop that is woken again and again is never still.
        #expect(
            eventually {
                let turns = server.broadcast.turnCount
                usleep(300_000)
                return server.broadcast.turnCount == turns
            })
    }

    @Test(arguments: Carrier.allCases)
    func `streams over the limit are refused and counted until one ends`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier) { $0.maximumStreams = 3 }
        var clients = try server.subscribe(3)
        #expect(!server.loops.hasRoom)
        let late = try server.connect()
        try late.send(HTTPClient.request("GET", "/"))
        #expect(try HTTPClient.answer(from: late).body == "no room")
        #expect(server.context.counts.current == .init(opened: 3, failed: 1))
        #expect(server.loops.counters.refused == 1)
        clients.removeLast()
        #expect(eventually { server.loops.hasRoom })
        clients.append(try server.subscribe())
        server.waitForOpen(4)
    }

    @Test(arguments: Carrier.allCases)
    func `a head goes out in one piece with what its feed has ready`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier, greeting: "hello\n\n")
        let client = try server.subscribe()
        #expect(try client.read(through: "\n\n") == "hello\n\n")
        server.broadcast.tick()
        #expect(try client.nextFrame() == 1)
        // A send is counted when it is known what came of it, which may be after its bytes were read.
        #expect(eventually { server.loops.counters.sends >= 2 })
        #expect(server.loops.counters.sends == 2)
    }

    @Test(arguments: Carrier.allCases)
    func `a stream takes the place that was reserved for it`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier) { $0.maximumStreams = 2 }
        let place = try #require(server.loops.reserve())
        let context = CountingContext(reservation: place)
        let front = try TestServer { [certificates = server.certificates] in
            $0.certificates = certificates
        } _: { [loops = server.loops] _, responder in
            responder.stream(headers: [], to: loops, context: context)
        }
        let other = try #require(server.loops.reserve())
        #expect(!server.loops.hasRoom && server.loops.reserve() == nil)
        let client = try RawConnection(port: front.port, trusting: server.certificate)
        try client.send(HTTPClient.request("GET", "/"))
        _ = try #require(try client.readStreamHead())
        #expect(context.counts.wait { $0.opened == 1 })
        #expect(server.broadcast.opened.current == [place])
        server.loops.abandon(other)
        #expect(server.broadcast.closings.wait { $0 == [.abandoned] })
        #expect(server.loops.counters.open == 1)
        // Twice is once.
        server.loops.abandon(other)
        #expect(server.broadcast.closings.wait { $0.count == 2 })
        #expect(server.loops.counters.open == 1)
        client.shut()
        #expect(server.broadcast.closings.wait { $0.last == .hangup })
        #expect(server.loops.counters.open == 0)
    }

    @Test(arguments: Carrier.allCases)
    func `a stop ends every stream`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let clients = try server.subscribe(50)
        server.broadcast.tick()
        server.stop()
        for client in clients { #expect(try client.readToEnd().utf8.count <= 64) }
        #expect(server.loops.counters.open == 0)
        #expect(server.broadcast.closings.current == Array(repeating: .stopped, count: 50))
    }

    @Test(arguments: Carrier.allCases)
    func `when the server stops before the loops, plain streams go on and TLS streams end`(
        _ carrier: Carrier
    ) throws {
        let server = try StreamServer(carrier)
        let clients = try server.subscribe(50)
        server.stopServer()
        server.broadcast.tick()
        for client in clients {
            if carrier == .tls { _ = try client.readToEnd() } else { #expect(try client.nextFrame() == 1) }
        }
        #expect(eventually { server.loops.counters.open == (carrier == .tls ? 0 : 50) })
    }

    @Test func `a client whose TLS session ends has left, though its socket goes on`() throws {
        let server = try StreamServer(.tls)
        let client = try server.subscribe()
        server.waitForOpen(1)
        client.sayGoodbye()
        #expect(eventually { server.broadcast.closings.current == [.hangup] })
        client.shut()
        #expect(eventually { server.openSockets == 0 })
    }

    // MARK: - What becomes of a request for a stream

    @Test(arguments: Carrier.allCases)
    func `HEAD of a stream opens none, and its context hears of it`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        let client = try server.connect()
        try client.send(HTTPClient.request("HEAD", "/"))
        #expect(try HTTPClient.answer(from: client, hasBody: false).status == 200)
        #expect(try client.readToEnd().isEmpty)
        #expect(server.context.counts.wait { $0.failed == 1 })
        #expect(server.context.counts.current == .init(opened: 0, failed: 1))
    }

    @Test(arguments: Carrier.allCases)
    func `a client that left before its stream began is told of exactly once`(_ carrier: Carrier) throws {
        let kept = KeptExchanges()
        let server = try StreamServer(carrier)
        let front = try TestServer { [certificates = server.certificates] in
            $0.certificates = certificates
        } _: { _, responder in
            kept.keep(responder)
        }
        for isReset in [false, true] {
            let client = try RawConnection(port: front.port, trusting: server.certificate)
            try client.send(HTTPClient.request("GET", "/"))
            let responder = try #require(kept.take(1).first)
            if isReset { client.resetOnClose() }
            client.shut()
            let context = CountingContext()
            responder.stream(headers: [], to: server.loops, context: context)
            #expect(context.counts.wait { $0.opened + $0.failed == 1 })
            #expect(eventually { server.loops.counters.open == 0 && front.server.connectionCount == 0 })
            #expect(context.counts.current.opened + context.counts.current.failed == 1)
        }
    }

    @Test func `a stream requested after an answer was sent is reported as failed`() throws {
        let server = try StreamServer()
        let context = CountingContext()
        let front = try TestServer { [loops = server.loops] _, responder in
            responder.send(.text(200, "first"))
            responder.stream(headers: [], to: loops, context: context)
        }
        #expect(try front.client.get("/").body == "first")
        #expect(context.counts.current == .init(opened: 0, failed: 1))
    }

    @Test(arguments: Carrier.allCases)
    func `after a stop of the loops a stream fails`(_ carrier: Carrier) throws {
        let server = try StreamServer(carrier)
        server.loops.stop()
        let client = try server.connect()
        try client.send(HTTPClient.request("GET", "/"))
        _ = try client.readToEnd()
        #expect(server.context.counts.current == .init(opened: 0, failed: 1))
        #expect(server.loops.counters.open == 0)
    }
}
