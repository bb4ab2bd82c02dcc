// What a test sends to and reads from without a server.

import Glibc
import Testing

@testable import HTTPTransport

/// Two sockets that are each other's ends.
final class SocketPair {
    private(set) var sender: Int32
    let reader: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        (sender, reader) = (ends[0], ends[1])
    }

    deinit {
        close(sender)
        close(reader)
    }

    /// The sender, which is the caller's to close from then on.
    func giveSender() -> Int32 {
        defer { sender = -1 }
        return sender
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
