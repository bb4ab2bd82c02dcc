// The supervisor that started this process, such as systemd: the socket it passes, and the notifications it wants
// (sd_listen_fds(3), sd_notify(3)).

import CSystemd
import Glibc

/// The process' supervisor, if it has one.
package enum Supervisor {
    /// A socket that already listens.
    package struct Listener: Sendable {
        package let descriptor: DescriptorBox
        /// The address that it listens on.
        package let host: String
        package let port: UInt16
    }

    /// Why the passed socket can't be served.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Takes the socket that the supervisor passed. Child processes don't inherit the variables that announce it.
    /// - Returns: nil if there is none.
    package static func inheritListener() throws(Failure) -> Listener? {
        let count = tweencast_take_listeners()
        guard count != 0 else { return nil }
        guard count == 1 else {
            throw Failure(
                description: count < 0
                    ? failureText(-count) : "\(count) sockets were handed over, and one can be served")
        }
        let number = tweencast_first_listener()
        guard tweencast_is_listener(number) != 0,
            let (host, port) = address(of: number),
            let socket = Descriptor(owning: number)
        else { throw Failure(description: "what was handed over is no TCP socket that listens") }
        return Listener(descriptor: DescriptorBox(socket), host: host, port: port)
    }

    /// Sends a notification such as `READY=1`; does nothing without a supervisor.
    package static func notify(_ state: String) { _ = unsafe tweencast_notify(state) }

    /// The watchdog interval in seconds; nil if the supervisor has none.
    package static var watchdogInterval: Double? {
        let microseconds = tweencast_watchdog_interval()
        return microseconds == 0 ? nil : Double(microseconds) / 1e6
    }

    /// The address a socket listens on; nil if it is not an IP socket.
    private static func address(of descriptor: Int32) -> (String, UInt16)? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: 64)
        var service = [CChar](repeating: 0, count: 16)
        let code = unsafe withUnsafeMutablePointer(to: &storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe getsockname(descriptor, address, &size) == 0 else { return Int32(-1) }
                guard [AF_INET, AF_INET6].contains(Int32(unsafe address.pointee.sa_family)) else { return Int32(-1) }
                return unsafe getnameinfo(
                    address, size, &host, socklen_t(host.count), &service, socklen_t(service.count),
                    NI_NUMERICHOST | NI_NUMERICSERV)
            }
        }
        guard code == 0, let port = UInt16(text(service)) else { return nil }
        return (text(host), port)
    }

    private static func failureText(_ code: Int32) -> String {
        guard code != ELIBACC else { return "libsystemd.so.0 can't be loaded, and is needed for it" }
        return unsafe String(cString: strerror(code))
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
