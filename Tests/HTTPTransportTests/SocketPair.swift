// What a test sends to and reads from without a server.

import Glibc
import OperatingSystem
import Testing

@testable import HTTPTransport

/// Two sockets that are each other's ends.
final class SocketPair {
    private var held: Descriptor?
    private let end: Descriptor

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        guard let end = Descriptor(owning: ends[1]) else { throw TransportError.failed(code: EBADF) }
        held = Descriptor(owning: ends[0])
        self.end = end
    }

    /// -1 once it was given away.
    var sender: Int32 { held?.number ?? -1 }
    var reader: Int32 { end.number }

    /// The sender, which is the caller's from then on.
    func giveSender() throws -> SharedDescriptor {
        guard let sender = held.take() else { throw TransportError.failed(code: EBADF) }
        return SharedDescriptor(sender)
    }

    /// What has come, without waiting.
    func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe recv(reader, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Whether all has been read and nobody can send any more.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        return unsafe recv(reader, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    func fill() {
        let bytes = [UInt8](repeating: 0, count: 65_536)
        while StreamSocket.send(sender, bytes, 0..<bytes.count).isSomething {}
    }
}

extension StreamSocket.Sent {
    fileprivate var isSomething: Bool { if case .sent = self { true } else { false } }
}
