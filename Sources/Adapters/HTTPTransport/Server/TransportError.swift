// Errors of the transport.

import Glibc

/// Why the transport can't have a socket, a thread or another resource of the system.
package enum TransportError: Error, Hashable, Sendable {
    case badAddress(String)
    case addressInUse
    /// A system call failed with this `errno`; EAGAIN if a thread can't start, EBADF if the passed socket is gone, 0 if unknown.
    case failed(code: Int32)

    /// Returns the system's words for an `errno`.
    package static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
