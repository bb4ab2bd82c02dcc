// Ports for servers that can't be asked for the one they were given.

import Glibc
import OperatingSystem
import Synchronization

/// Ports of the loopback interface that nobody has.
package enum FreePort {
    /// Below those that the kernel gives to clients and to whoever asks for any, so that a server that is started again
    /// finds its port free.
    private static let range: Range<UInt16> = 16_000..<32_000
    private static let next = Mutex(UInt16.random(in: range))

    /// A port that nobody listens on, no two times the same one until all were given. Another process may take it before
    /// its server does, which must be ready to ask for the next.
    package static func take() -> UInt16 {
        while true {
            let port = next.withLock { next in
                next = next + 1 < range.upperBound ? next + 1 : range.lowerBound
                return next
            }
            if isFree(port) { return port }
        }
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let probe = Descriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        guard let probe else { return false }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(probe.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
