// What is done to a stream's descriptor. It keeps no state.

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

    /// Bytes that may wait unsent in a socket: none. What the kernel can't put on the wire at once waits here, where
    /// something newer can replace it; and a socket counts as writable again when all it had is under way.
    private static let unsentLimit: Int32 = 1
    /// How much longer than the stall timeout the kernel waits, so that a client that takes nothing is found here.
    private static let kernelPatience = 5.0
    /// Bytes of input that are read and dropped at once; a client has nothing to say on a stream.
    private static let inputLimit = 64 * 1_024

    /// Sets a taken-over socket up for frames: nothing is held back, and nothing old waits before something new.
    static func prepare(_ descriptor: Int32, _ configuration: StreamConfiguration) {
        let milliseconds = (configuration.stallTimeout + kernelPatience) * 1_000
        // Clearing TCP_CORK, which the library may have set, also pushes what it held back.
        set(descriptor, Int32(IPPROTO_TCP), TCP_CORK, 0)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, unsentLimit)
        set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(saturating: max(0, milliseconds)))
        set(descriptor, SOL_SOCKET, SO_SNDBUF, configuration.sendBuffer)
    }

    /// Sends what the socket takes, without waiting.
    static func send(_ descriptor: Int32, _ bytes: [UInt8], _ range: Range<Int>) -> Sent {
        let count = unsafe bytes.withUnsafeBytes { raw in
            let piece = unsafe UnsafeRawBufferPointer(rebasing: raw[range])
            return unsafe Glibc.send(
                descriptor, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        return Sent(result: count >= 0 ? count : -Int(errno))
    }

    /// Bytes in the socket that have not been sent a first time.
    static func unsentBytes(_ descriptor: Int32) -> Int { Int(tweencast_unsent(descriptor)) }

    /// Bytes in the socket that its client has not acknowledged.
    static func outstandingBytes(_ descriptor: Int32) -> Int { Int(tweencast_outstanding(descriptor)) }

    /// Bytes that the other end has acknowledged in all; nil when that can't be told.
    static func acknowledgedBytes(_ descriptor: Int32) -> UInt64? {
        var bytes: UInt64 = 0
        return unsafe tweencast_acknowledged(descriptor, &bytes) != 0 ? bytes : nil
    }

    /// The address at the other end, such as `127.0.0.1`; empty when it is not known.
    static func peer(_ descriptor: Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(TWEENCAST_ADDRESS_LENGTH)) { text in
            guard unsafe tweencast_peer_address(descriptor, text.baseAddress) != 0, let start = text.baseAddress
            else { return "" }
            return unsafe String(cString: start)
        }
    }

    /// Reads and drops what a client sent.
    /// - Returns: false when it has closed its side, or sends without end.
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

    /// Whether the kernel gave the connection up because its client took nothing.
    static func hasTimedOut(_ descriptor: Int32) -> Bool {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == ETIMEDOUT
    }

    /// Ends a stream so that its last bytes arrive: input left unread would turn the close into a reset.
    static func finish(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
        _ = discardInput(descriptor)
    }

    /// Has a socket take a few bytes more than it would: the last that a TLS session says.
    static func makeRoomForGoodbye(_ descriptor: Int32) {
        // 0 stands for no limit.
        set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 0)
        var size: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // What the kernel tells is twice what is set.
        if unsafe getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, &length) == 0 {
            set(descriptor, SOL_SOCKET, SO_SNDBUF, size)
        }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
