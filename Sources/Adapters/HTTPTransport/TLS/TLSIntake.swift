// Limits how much a TLS session may read before the server uses any of it, and detects sessions' progress.

import CGnuTLS

/// Records whether any session of a worker has read or written since the last check. The library gives no other sign of what
/// it does with sessions.
@safe final class SessionTraffic: @unchecked Sendable {
    // @unchecked because: its memory is only accessed atomically.
    let pointer: UnsafeMutablePointer<UInt32>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: 0)
    }

    deinit { unsafe pointer.deallocate() }

    func hasMoved() -> Bool { unsafe tweencast_has_moved(pointer) != 0 }
}

/// A limit on what a session buffers: messages of TLS itself, such as a ClientHello of 16 MiB or a part of one, never appear
/// here.
@safe final class TLSIntake: @unchecked Sendable {
    // @unchecked because: only the session reads through it, and belongs to one thread at a time.
    /// Bytes for a handshake, with a margin, and for TLS' overhead on small pieces.
    private static let spare = 16 * 1_024

    let pointer: UnsafeMutablePointer<tweencast_intake>
    private let traffic: SessionTraffic

    /// - Parameters:
    ///   - descriptor: The session's socket.
    ///   - headLimit: Bytes of a request's head, which is only checked when its first line is complete.
    ///   - traffic: Records reads and writes.
    init(_ descriptor: Int32, headLimit: Int, _ traffic: SessionTraffic) {
        self.traffic = traffic
        let limit = 2 * headLimit + Self.spare
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(
            to: tweencast_intake(descriptor: descriptor, limit: limit, left: limit, moved: traffic.pointer))
    }

    deinit { unsafe pointer.deallocate() }
}
