// How much a TLS session may read of what its client sends, before the server has had any use of it.

import CGnuTLS

/// A bound on what a session holds: messages of the session itself, a greeting of 16 MiB or half of one, are never seen here.
@safe final class TLSIntake: @unchecked Sendable {
    // @unchecked because: the session reads by it alone, which belongs to one thread at a time.
    /// Bytes that a handshake takes, with room to spare, and what TLS puts around small pieces.
    private static let spare = 16 * 1_024

    let pointer: UnsafeMutablePointer<tweencast_intake>

    /// - Parameters:
    ///   - descriptor: The session's socket.
    ///   - headLimit: Bytes of a request's head, which are looked at when its first line is complete.
    init(_ descriptor: Int32, headLimit: Int) {
        let limit = 2 * headLimit + Self.spare
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: tweencast_intake(descriptor: descriptor, limit: limit, left: limit))
    }

    deinit { unsafe pointer.deallocate() }
}
