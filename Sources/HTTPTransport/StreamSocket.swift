// What is done to a stream's descriptor.

import Glibc

enum StreamSocket {
    enum Sent {
        case sent(Int)
        case full
        case failed
    }

    /// Sets a taken-over socket up for frames: nothing is held back, and little waits in the kernel, where no newer
    /// frame can replace it.
    static func prepare(_ descriptor: Int32, _ configuration: StreamConfiguration) {
        set(descriptor, Int32(IPPROTO_TCP), TCP_CORK, 0)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, configuration.unsentLimit)
        set(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT,
            Int32(clamping: Int(configuration.stallTimeout * 1_000)))
        set(descriptor, SOL_SOCKET, SO_SNDBUF, configuration.sendBuffer)
    }

    static func send(_ descriptor: Int32, _ bytes: [UInt8], from start: Int) -> Sent {
        let count = unsafe bytes.withUnsafeBytes { raw in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[start...])
            return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if count >= 0 { return .sent(count) }
        return errno == EAGAIN || errno == EINTR ? .full : .failed
    }

    /// Reads and drops what a client sends.
    /// - Returns: false when the client has closed its side.
    static func discardInput(_ descriptor: Int32) -> Bool {
        unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            // A client that floods is cut after a bound, not served for ever.
            for _ in 0..<16 {
                let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count == 0 { return false }
                if count < 0 { return errno == EAGAIN || errno == EINTR }
            }
            return false
        }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
