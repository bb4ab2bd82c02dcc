// How a socket is when it becomes a stream's: frames must leave at once, whatever the library has done with it before.

import Base
import Glibc
import OperatingSystem
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct StreamSocketTests {
    @Test func `a stream's socket has no-delay on and cork off, also after earlier answers`() throws {
        let acceptor = FullAcceptor()
        let server = try TestServer { request, responder in
            guard request.path == "/stream" else { return responder.send(.text(200, "an answer")) }
            responder.stream(headers: [], to: acceptor, context: CountingContext())
        }
        let client = try RawConnection(port: server.port)
        for (path, answer) in [("/stream", "no room"), ("/", "an answer"), ("/stream", "no room")] {
            try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try #require(try client.read(through: answer))
        }
        #expect(acceptor.options.current == Array(repeating: .init(noDelay: true, cork: false), count: 2))
    }
}

/// Has no room for streams, and notes the options of their sockets.
private final class FullAcceptor: StreamAcceptor {
    struct Options: Equatable {
        var noDelay: Bool
        var cork: Bool
    }

    let options = Watched<[Options]>([])

    var hasRoom: Bool { false }
    func inspect(number: UInt64) -> Int { 0 }
    func reserve() -> StreamID? { nil }
    func abandon(_ stream: StreamID) {}

    func adopt(_ outlet: StreamOutlet, head: StreamHead, _ context: any StreamContext) -> Bool {
        let found = Options(
            noDelay: Self.isSet(TCP_NODELAY, of: outlet.descriptor), cork: Self.isSet(TCP_CORK, of: outlet.descriptor))
        options.update { $0.append(found) }
        return false
    }

    private static func isSet(_ option: Int32, of descriptor: Int32) -> Bool {
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, &size)
        return result == 0 && value != 0
    }
}
