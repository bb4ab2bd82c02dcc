// Why the transport can't run.

/// Why a server or a loop can't start.
package enum TransportError: Error, Hashable, Sendable {
    case badAddress(String)
    case addressInUse
    /// A system call failed with this `errno`.
    case failed(code: Int32)
}
