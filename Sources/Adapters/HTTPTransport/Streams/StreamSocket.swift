// Operations on a stream's descriptor, without state.

import Base
import CLinux
import Glibc

enum StreamSocket {
    enum Sent: Hashable {
        case sent(Int)
        case full
        case failed

        /// - Parameter result: Bytes, or a negated errno.
        init(result: Int) {
            self = result >= 0 ? .sent(result) : -result == EAGAIN || -result == EINTR ? .full : .failed
        }
    }

    /// No bytes may wait unsent in a socket. What the kernel can't send at once stays here, where something newer can
    /// replace it. A socket becomes writable again when all its bytes are in flight.
    private static let unsentLimit: Int32 = 1
    /// Seconds that the kernel waits beyond the stall timeout, so that a stalled client is detected here first.
    private static let kernelPatience = 5.0
    /// Bytes of input read and dropped at a time; clients have nothing to send on a stream.
    private static let inputLimit = 64 * 1_024

    /// Sends what the library holds back on a socket that it has used, and ends that.
    static func holdNothingBack(_ descriptor: Int32) {
        set(descriptor, Int32(IPPROTO_TCP), TCP_CORK, 0)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    /// Configures a socket for frames: no old bytes wait before new ones.
    static func prepare(_ descriptor: Int32, _ configuration: StreamConfiguration) {
        let milliseconds = (configuration.stallTimeout + kernelPatience) * 1_000
        set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentLimit)
        set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(saturating: max(0, milliseconds)))
        set(descriptor, SOL_SOCKET, SO_SNDBUF, configuration.sendBuffer)
    }

    /// Sends what the socket accepts, without waiting.
    static func send(_ descriptor: Int32, _ bytes: [UInt8], _ range: Range<Int>) -> Sent {
        let count = unsafe bytes.withUnsafeBytes { raw in
            let piece = unsafe UnsafeRawBufferPointer(rebasing: raw[range])
            return unsafe Glibc.send(
                descriptor, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        return Sent(result: count >= 0 ? count : -Int(errno))
    }

    /// Returns the socket's bytes that were never sent.
    static func unsentBytes(_ descriptor: Int32) -> Int { Int(tweencast_unsent(descriptor)) }

    /// Returns the socket's bytes that the client has not acknowledged.
    static func outstandingBytes(_ descriptor: Int32) -> Int { Int(tweencast_outstanding(descriptor)) }

    /// Returns all bytes that the client has acknowledged; nil if unknown.
    static func acknowledgedBytes(_ descriptor: Int32) -> UInt64? {
        var bytes: UInt64 = 0
        return unsafe tweencast_acknowledged(descriptor, &bytes) != 0 ? bytes : nil
    }

    /// Returns the peer's address, such as `127.0.0.1`; empty if unknown.
    static func peer(_ descriptor: Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(TWEENCAST_ADDRESS_LENGTH)) { text in
            guard unsafe tweencast_peer_address(descriptor, text.baseAddress) != 0, let start = text.baseAddress
            else { return "" }
            return unsafe String(cString: start)
        }
    }

    /// Reads and drops the client's input.
    /// - Returns: false when the client has closed its side, or sends without end.
    static func discardInput(_ descriptor: Int32) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            for _ in 0..<(inputLimit / buffer.count) {
                let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count == 0 { return false }
                if count < 0 { return errno == EAGAIN || errno == EINTR }
            }
            return false
        }
    }

    /// Returns whether the kernel ended the connection because the client acknowledged nothing.
    static func hasTimedOut(_ descriptor: Int32) -> Bool {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == ETIMEDOUT
    }

    /// Ends a stream so that its last bytes arrive. Unread input would turn the close into a reset.
    static func finish(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
        _ = discardInput(descriptor)
    }

    /// Makes the socket accept a few more bytes, for a TLS session's closing alert.
    static func makeRoomForGoodbye(_ descriptor: Int32) {
        // 0 means no limit.
        set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 0)
        var size: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // The kernel returns twice the value set, so this doubles the buffer.
        if unsafe getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 {
            set(descriptor, SOL_SOCKET, SO_SNDBUF, size)
        }
    }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
