// Ports for servers that can't be asked which port they got.

import Glibc
import OperatingSystem
import Synchronization

/// Free ports of the loopback interface.
package enum FreePort {
    /// Below the kernel's ephemeral ports, so that a restarted server finds its port free.
    private static let range: Range<UInt16> = 16_000..<32_000
    private static let next = Mutex(UInt16.random(in: range))

    /// Returns a port that no process listens on; none is repeated until all were returned. Another process may take it
    /// before the server does, so callers must be able to try the next.
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
