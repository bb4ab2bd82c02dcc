// A connection's TLS session. Its pointer is only used here. The session is the library's and belongs to one thread at a
// time: the connection's worker, or a stream's loop while the connection is suspended for that stream.

import CGnuTLS
import Glibc

/// A session of the library. Its socket is non-blocking; sending and receiving happen after the handshake.
@safe struct TLSSession: @unchecked Sendable {
    // @unchecked because: see above; a thread that passes it on stops using it.
    /// Bytes of input read and dropped at a time, and the most records for them: each costs as much as a send.
    private static let inputLimit = 64 * 1_024
    private static let recordLimit = 256

    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// Makes the session read and write through an intake, which limits what it reads. Call it before anything is read.
    func read(from intake: TLSIntake) { unsafe tweencast_bound_intake(pointer, intake.pointer) }

    /// Resets the limit, because what was read so far has been used. Only for a session with an intake.
    func renewIntake() { unsafe tweencast_renew_intake(pointer) }

    /// Sends what the socket accepts, without waiting. Up to one record (16 KiB) of the rest is encrypted already and must
    /// be passed again unchanged.
    func send(_ bytes: [UInt8], _ range: Range<Int>) -> StreamSocket.Sent {
        unsafe bytes.withUnsafeBytes { raw in
            let start = range.lowerBound
            var sent = start
            while sent < range.upperBound {
                // proven: at most all bytes are sent.
                let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[sent..<range.upperBound])
                let count = unsafe gnutls_record_send(pointer, rest.baseAddress, rest.count)
                guard count <= 0 else {
                    sent += count
                    continue
                }
                guard tweencast_must_wait(count) != 0 else { return .failed }
                return sent > start ? .sent(sent - start) : .full
            }
            return .sent(sent - start)
        }
    }

    /// Reads and drops the client's input, and handles messages of TLS itself, such as key updates.
    /// - Returns: false when the client has closed its side, or sends without end.
    func discardInput() -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            var read = 0
            for _ in 0..<Self.recordLimit where read < Self.inputLimit {
                let count = unsafe gnutls_record_recv(pointer, buffer.baseAddress, buffer.count)
                if count == 0 { return false }
                if count < 0 {
                    if tweencast_must_wait(count) != 0 { return true }
                    // Otherwise a warning, or a request to renegotiate, which is ignored.
                    if gnutls_error_is_fatal(Int32(clamping: count)) != 0 { return false }
                }
                if count > 0 { renewIntake() }
                read += max(0, count)
            }
            return false
        }
    }

    /// Sends close_notify, so that the client knows nothing was cut off, if the socket accepts it.
    func sayGoodbye() { _ = unsafe gnutls_bye(pointer, GNUTLS_SHUT_WR) }
}
