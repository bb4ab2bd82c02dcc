// A connection's TLS session: the one place where its pointer is used. It is the library's, and belongs to one thread at a
// time: to the connection's worker, or, while the connection is suspended for a stream, to that stream's loop.

import CGnuTLS
import Glibc

/// A session of the library's. Its socket is non-blocking; what is sent and received comes after the handshake.
@safe struct TLSSession: @unchecked Sendable {
    // @unchecked because: see above; whoever hands it on has given it up.
    /// Bytes of input that are read and dropped at once, and records that they may come in: each costs as much as a send.
    private static let inputLimit = 64 * 1_024
    private static let recordLimit = 256

    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// Has it read from an intake, and no more than that allows. Before anything is read.
    func read(from intake: TLSIntake) { unsafe tweencast_bound_intake(pointer, intake.pointer) }

    /// What was read so far has been used: as much again may be. Of a session that reads from an intake.
    func renewIntake() { unsafe tweencast_renew_intake(pointer) }

    /// Sends what the socket takes, without waiting. Of what is left, up to a record (16 KiB) is encrypted already and must
    /// come again as it was.
    func send(_ bytes: [UInt8], _ range: Range<Int>) -> StreamSocket.Sent {
        unsafe bytes.withUnsafeBytes { raw in
            let start = range.lowerBound
            var sent = start
            while sent < range.upperBound {
                // proven: no more is ever sent than there is.
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

    /// Reads and drops what a client sent; its wishes of the session itself, such as new keys, are granted on the way.
    /// - Returns: false when it has closed its side, or sends without end.
    func discardInput() -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            var read = 0
            for _ in 0..<Self.recordLimit where read < Self.inputLimit {
                let count = unsafe gnutls_record_recv(pointer, buffer.baseAddress, buffer.count)
                if count == 0 { return false }
                if count < 0 {
                    if tweencast_must_wait(count) != 0 { return true }
                    // A warning, or the wish to begin anew, which is not heard.
                    if gnutls_error_is_fatal(Int32(clamping: count)) != 0 { return false }
                }
                if count > 0 { renewIntake() }
                read += max(0, count)
            }
            return false
        }
    }

    /// Tells the client that nothing was cut off (close_notify), if the socket takes that.
    func sayGoodbye() { _ = unsafe gnutls_bye(pointer, GNUTLS_SHUT_WR) }
}
