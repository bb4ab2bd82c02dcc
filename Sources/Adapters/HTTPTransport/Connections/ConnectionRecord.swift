// What the library keeps for us with a connection.

/// What goes with a connection from its begin to its end.
final class ConnectionRecord: Sendable {
    /// Its place in the table of connections.
    let place: Int
    private let certificates: Certificates?
    /// What its session reads from; nil without TLS.
    private let intake: TLSIntake?
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    nonisolated(unsafe) private var pair: KeyPair?
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    nonisolated(unsafe) private var knownAddress: String?
    // nonisolated(unsafe) because: touched by the connection's worker alone.
    /// What the application keeps.
    nonisolated(unsafe) var keepsake: (any AnyObject & Sendable)?

    init(place: Int, certificates: Certificates?, intake: TLSIntake?) {
        self.place = place
        self.intake = intake
        self.certificates = certificates
    }

    /// The client's address, written once.
    func address(_ write: () -> String) -> String {
        if let known = unsafe knownAddress { return known }
        let address = write()
        unsafe knownAddress = address
        return address
    }

    /// The certificate that the connection's handshake is shown; held until the connection's end, since its session keeps
    /// pointers into it.
    func choosePair() -> KeyPair? {
        if unsafe pair == nil { unsafe pair = certificates?.current }
        return unsafe pair
    }
}
