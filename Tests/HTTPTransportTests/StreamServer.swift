// A server whose every request becomes a stream, for tests.

import Glibc
import HTTPTransport
import TestSupport
import Testing

/// What carries a test's streams.
enum Carrier: CaseIterable {
    case plain
    /// Sent by io_uring.
    case ring
    case tls

    /// Those that there can be here: a container may forbid rings.
    static let allCases: [Carrier] =
        SendPath.obstacleToRings(streams: 1) == nil ? [.plain, .ring, .tls] : [.plain, .tls]
}

/// One loop, one broadcast.
final class StreamServer {
    /// One for all tests: only those that replace it need their own.
    private static let certificate = Result { try TestCertificate() }

    let broadcast: Broadcast
    let loops: StreamLoops
    let context = CountingContext()
    private var server: TestServer?
    /// The certificate's file; nil without TLS.
    let certificate: String?
    let certificates: Certificates?

    var port: UInt16 { server?.port ?? 0 }
    /// Connections that the library holds.
    var connectionCount: Int { server?.server.connectionCount ?? 0 }

    init(
        _ carrier: Carrier = .plain, frameSize: Int = 64, greeting: String = "",
        configure: (inout StreamConfiguration) -> Void = { _ in }
    ) throws {
        let files = carrier == .tls ? try Self.certificate.get() : nil
        certificates = try files.map { try Certificates(chain: $0.chain, key: $0.key) }
        certificate = files?.chain
        var configuration = StreamConfiguration()
        configuration.sendPath = carrier == .ring ? .uring : .epoll
        configure(&configuration)
        let broadcast = Broadcast(size: frameSize, greeting: greeting)
        let loops = try StreamLoops(configuration: configuration, feeds: [BroadcastFeed(broadcast)])
        broadcast.wakes { loops.wake(0) }
        try loops.start()
        self.broadcast = broadcast
        self.loops = loops
        server = try TestServer { [certificates] in
            $0.certificates = certificates
            // A crowd's handshakes take their time on a busy machine.
            $0.headTimeout = 60
        } _: { [context] _, responder in
            responder.stream(headers: [("Content-Type", "text/event-stream")], to: loops, context: context)
        }
    }

    deinit { stop() }

    func stop() {
        loops.stop()
        server = nil
    }

    /// Stops the server alone, under the streams that it has.
    func stopServer() { server = nil }

    func connect(receiveBuffer: Int32? = nil) throws -> RawConnection {
        try RawConnection(port: port, receiveBuffer: receiveBuffer, trusting: certificate)
    }

    /// A client that has read the head of its stream.
    func subscribe(receiveBuffer: Int32? = nil) throws -> RawConnection {
        let client = try connect(receiveBuffer: receiveBuffer)
        try client.send(HTTPClient.request("GET", "/"))
        _ = try #require(try client.readStreamHead())
        return client
    }

    func subscribe(_ count: Int) throws -> [RawConnection] {
        let clients = try (0..<count).map { _ in
            let client = try connect()
            try client.send(HTTPClient.request("GET", "/"))
            return client
        }
        for client in clients { _ = try #require(try client.readStreamHead()) }
        waitForOpen(count)
        return clients
    }

    func waitForOpen(_ count: Int) { broadcast.opened.wait { $0.count >= count } }

    /// Sockets of this port that are connected or wait for somebody to close them, on the server's side.
    var openSockets: Int {
        guard let table = try? String(decoding: Files.read("/proc/net/tcp"), as: UTF8.self) else { return -1 }
        let local = ":" + String(repeating: "0", count: 4 - String(port, radix: 16).count) + String(port, radix: 16)
        let ended: Set = ["06", "0A"]
        return table.split(separator: "\n").dropFirst().count { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1].hasSuffix(local.uppercased()) && !ended.contains(String(fields[3]))
        }
    }
}

extension RawConnection {
    /// The number of the next frame; nil at the end.
    func nextFrame() throws -> Int? {
        guard let text = try read(through: "\n\n") else { return nil }
        return Int(text.dropFirst("data: ".count).prefix { $0.isNumber })
    }
}

enum Files {
    struct Unreadable: Error {}

    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable() }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
