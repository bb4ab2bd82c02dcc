// TLS beneath requests: what handshakes may take, what certificates are refused, and answers that the library doesn't write.

import Glibc
import HTTPTransport
import TestSupport
import Testing

@Suite struct TLSTests {
    private let certificate: TestCertificate

    init() throws { certificate = try TestCertificate() }

    private func server(
        headTimeout: Double = 10, connections: Int = 8_192,
        _ answer: @escaping @Sendable (HTTPRequest, HTTPResponder) -> Void
    ) throws -> TestServer {
        let certificates = try Certificates(chain: certificate.chain, key: certificate.key)
        return try TestServer {
            $0.certificates = certificates
            $0.headTimeout = headTimeout
            $0.connectionLimit = connections
        } _: {
            answer($0, $1)
        }
    }

    private func client(of server: TestServer) throws -> RawConnection {
        try RawConnection(port: server.port, trusting: certificate.chain)
    }

    @Test func `requests follow each other on one TLS connection`() throws {
        let server = try server { $1.send(.text(200, $0.path + String(decoding: $0.body, as: UTF8.self))) }
        let client = try client(of: server)
        for number in 0..<3 {
            try client.send(HTTPClient.request("POST", "/\(number)", body: "body"))
            #expect(try HTTPClient.answer(from: client).body == "/\(number)body")
        }
    }

    @Test(arguments: [0, 1, 100]) func `a client that doesn't finish its TLS handshake is cut off at the head timeout`(
        bytes: Int
    ) throws {
        let server = try server(headTimeout: 0.5) { $1.send(.text(200, "")) }
        let client = try RawConnection(port: server.port)
        // The beginning of a handshake's record, whose rest never comes.
        let greeting: [UInt8] = [22, 3, 1, 2, 0] + Array(repeating: 1, count: 95)
        try client.send(Array(greeting.prefix(bytes)))
        #expect(try client.readToEnd().isEmpty)
        #expect(eventually { server.server.connectionCount == 0 })
        #expect(eventually { server.server.counters.late == 1 })
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", String(repeating: "nonsense", count: 1_000)])
    func `a client that speaks no TLS gets no answer and is cut off`(text: String) throws {
        let server = try server { $1.send(.text(200, "secret")) }
        let client = try RawConnection(port: server.port)
        // The server may be gone before all is sent.
        try? client.send(text)
        #expect(try !client.readToEnd().contains("secret"))
        #expect(eventually { server.server.connectionCount == 0 })
    }

    @Test func `a TLS handshake message of announced 16 MiB is refused before it is collected`() throws {
        let server = try server { $1.send(.text(200, "")) }
        let client = try RawConnection(port: server.port)
        // The first records of a message of 16 MiB: a type, a length of three bytes, and what fills them.
        let record: [UInt8] = [22, 3, 1, 64, 0]
        let rest = Array(repeating: UInt8(1), count: 16_384)
        // The server may be gone before all is sent.
        try? client.send(record + [1, 255, 255, 255] + rest.dropFirst(4))
        for _ in 0..<16 { try? client.send(record + rest) }
        _ = try client.readToEnd()
        #expect(eventually { server.server.connectionCount == 0 })
        #expect(server.server.counters.late == 0)
    }

    @Test func `a head that holds too much is answered within the session`() throws {
        let server = try server { $1.send(.text(200, "")) }
        let client = try client(of: server)
        let header = "X: " + String(repeating: "x", count: 17_000)
        try client.send(HTTPClient.request("GET", "/", headers: [header]))
        #expect(try HTTPClient.answer(from: client).status == 431)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a body of unknown length ends with the session for a client of HTTP 1_0`() throws {
        let server = try server { _, responder in
            responder.send(HTTPResponse(status: 200, rest: PortionSource([Array("one ".utf8), Array("two".utf8)])))
        }
        let client = try client(of: server)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(try HTTPClient.answer(from: client).body == "one two")
    }

    @Test func `TLS streams don't count towards the connection limit`() throws {
        let broadcast = Broadcast()
        let loops = try StreamLoops(configuration: StreamConfiguration(), feeds: [BroadcastFeed(broadcast)])
        broadcast.wakes { loops.wake(0) }
        try loops.start()
        let server = try server(connections: 2) { request, responder in
            guard request.path == "/stream" else { return responder.send(.text(200, "answer")) }
            responder.stream(headers: [], to: loops, context: CountingContext())
        }
        var streams: [RawConnection] = []
        for _ in 0..<20 {
            let stream = try client(of: server)
            try stream.send(HTTPClient.request("GET", "/stream"))
            _ = try #require(try stream.readStreamHead())
            streams.append(stream)
        }
        #expect(server.server.connectionCount == 0)
        let other = try client(of: server)
        try other.send(HTTPClient.request("GET", "/"))
        #expect(try HTTPClient.answer(from: other).body == "answer")
        broadcast.tick()
        for stream in streams { #expect(try stream.nextFrame() == 1) }
        #expect(server.server.counters.displaced == 0)
        loops.stop()
        #expect(eventually { server.server.connectionCount == 1 })
    }

    // MARK: - Certificates

    @Test func `an unusable certificate or key is refused by name, and the previous pair stays`() throws {
        let certificates = try Certificates(chain: certificate.chain, key: certificate.key)
        let good = try FilePair(certificate)
        let other = try FilePair(try TestCertificate())
        for (pair, part) in [
            (FilePair(chain: [], key: good.key), CertificateError.Part.certificate),
            (FilePair(chain: Array("no PEM".utf8), key: good.key), .certificate),
            (FilePair(chain: good.chain, key: Array("no PEM".utf8)), .key),
            (FilePair(chain: good.chain, key: other.key), .key),
            (FilePair(chain: good.chain, key: good.chain), .key),
            (FilePair(chain: Array(repeating: 0, count: Certificates.maximumBytes + 1), key: good.key), .certificate),
        ] {
            try pair.write(to: certificate)
            do throws(CertificateError) {
                try certificates.reload()
                Issue.record("it was taken")
            } catch {
                #expect(error.part == part, "\(error.reason)")
            }
        }
        try other.write(to: certificate)
        #expect(throws: Never.self) { try certificates.reload() }
        #expect(certificates.warning == nil)
    }

    @Test func `a FIFO as a certificate's file is refused without waiting for a writer`() throws {
        let certificates = try Certificates(chain: certificate.chain, key: certificate.key)
        for (path, part) in [(certificate.key, CertificateError.Part.key), (certificate.chain, .certificate)] {
            try #require(unsafe unlink(path) == 0 && mkfifo(path, 0o600) == 0)
            do throws(CertificateError) {
                try certificates.reload()
                Issue.record("it was taken")
            } catch {
                #expect(error.part == part, "\(error.reason)")
            }
        }
        #expect(certificates.warning == nil)
    }

    @Test func `certificate files that don't exist are refused`() {
        let nowhere = certificate.chain + ".none"
        #expect(throws: CertificateError.self) { try Certificates(chain: nowhere, key: certificate.key) }
        #expect(throws: CertificateError.self) { try Certificates(chain: certificate.chain, key: nowhere) }
    }
}

/// Contents of a certificate's files.
private struct FilePair {
    struct Unwritable: Error {}

    var chain: [UInt8]
    var key: [UInt8]

    init(chain: [UInt8], key: [UInt8]) {
        self.chain = chain
        self.key = key
    }

    init(_ certificate: TestCertificate) throws {
        self.init(chain: try Files.read(certificate.chain), key: try Files.read(certificate.key))
    }

    func write(to certificate: TestCertificate) throws {
        for (path, bytes) in [(certificate.chain, chain), (certificate.key, key)] {
            let descriptor = unsafe open(path, O_WRONLY | O_TRUNC)
            defer { close(descriptor) }
            guard put(bytes, into: descriptor) else { throw Unwritable() }
        }
    }

    private func put(_ bytes: [UInt8], into descriptor: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }
}
