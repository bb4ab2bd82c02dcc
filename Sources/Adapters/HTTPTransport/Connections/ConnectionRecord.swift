// The data that the library keeps for us with a connection.

/// The state of a connection from its start to its end.
final class ConnectionRecord: Sendable {
    /// Its place in the connection table.
    let place: Int
    /// The client's address without its port; empty if unknown.
    let address: String
    private let certificates: Certificates?
    /// The source its TLS session reads from; nil without TLS.
    private let intake: TLSIntake?
    // nonisolated(unsafe) because: only the connection's worker touches it.
    nonisolated(unsafe) private var pair: KeyPair?
    // nonisolated(unsafe) because: only the connection's worker touches it.
    /// The library has sent something on it, and may have set options of the socket.
    nonisolated(unsafe) var hasSent = false
    // nonisolated(unsafe) because: only the connection's worker touches it.
    /// An object of the application.
    nonisolated(unsafe) var attachment: (any AnyObject & Sendable)?

    init(place: Int, address: String, certificates: Certificates?, intake: TLSIntake?) {
        self.place = place
        self.address = address
        self.intake = intake
        self.certificates = certificates
    }

    /// Returns the certificate for the connection's handshake. It is kept until the connection ends, since the session holds
    /// pointers into it.
    func choosePair() -> KeyPair? {
        if unsafe pair == nil { unsafe pair = certificates?.current }
        return unsafe pair
    }
}
