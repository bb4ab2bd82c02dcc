// How much a TLS session may read of what its client sends, before the server has had any use of it, and whether sessions
// come further.

import CGnuTLS

/// Whether any of a worker's sessions has read or written since it was last asked: of what the library does with a session
/// there are no other signs.
@safe final class SessionTraffic: @unchecked Sendable {
    // @unchecked because: what it points to is written and read atomically.
    let pointer: UnsafeMutablePointer<UInt32>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: 0)
    }

    deinit { unsafe pointer.deallocate() }

    func hasMoved() -> Bool { unsafe tweencast_has_moved(pointer) != 0 }
}

/// A bound on what a session holds: messages of the session itself, a greeting of 16 MiB or half of one, are never seen here.
@safe final class TLSIntake: @unchecked Sendable {
    // @unchecked because: the session reads by it alone, which belongs to one thread at a time.
    /// Bytes that a handshake takes, with room to spare, and what TLS puts around small pieces.
    private static let spare = 16 * 1_024

    let pointer: UnsafeMutablePointer<tweencast_intake>
    private let traffic: SessionTraffic

    /// - Parameters:
    ///   - descriptor: The session's socket.
    ///   - headLimit: Bytes of a request's head, which are looked at when its first line is complete.
    ///   - traffic: Told of what is read and written.
    init(_ descriptor: Int32, headLimit: Int, _ traffic: SessionTraffic) {
        self.traffic = traffic
        let limit = 2 * headLimit + Self.spare
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(
            to: tweencast_intake(descriptor: descriptor, limit: limit, left: limit, moved: traffic.pointer))
    }

    deinit { unsafe pointer.deallocate() }
}
