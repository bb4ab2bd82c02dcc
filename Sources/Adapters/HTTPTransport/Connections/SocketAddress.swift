// Parses the address to listen on.

// All are needed: which module owns the structures of netinet/in.h depends on which one the compiler loads first.
import CLinux
import CMicroHTTPD
import Glibc

/// An IPv4 or IPv6 address with a port.
struct SocketAddress {
    /// Whether this is the unspecified IPv6 address, which accepts IPv4 too.
    let takesBothFamilies: Bool
    private var storage = sockaddr_storage()

    init(host: String, port: UInt16) throws(TransportError) {
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &four) == 1 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = four
            takesBothFamilies = false
            copy(address)
        } else if unsafe inet_pton(AF_INET6, host, &six) == 1 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = six
            takesBothFamilies = unsafe withUnsafeBytes(of: &six) { unsafe $0.allSatisfy { $0 == 0 } }
            copy(address)
        } else {
            throw .badAddress(host)
        }
    }

    private mutating func copy<Address>(_ address: Address) {
        unsafe withUnsafeMutableBytes(of: &storage) { target in
            unsafe withUnsafeBytes(of: address) { unsafe target.copyMemory(from: $0) }
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        unsafe withUnsafePointer(to: storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}
