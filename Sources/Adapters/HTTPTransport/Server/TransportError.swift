// Why the transport can't run.

/// Why a server or a loop can't start.
package enum TransportError: Error, Hashable, Sendable {
    case badAddress(String)
    case addressInUse
    /// The system refused something; `errno` as it was.
    case failed(code: Int32)
}
