// Where one node listens.

/// A node's place: a host and port, or a socket of this machine.
package enum RedisEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address, IPv6 without brackets.
    case tcp(host: String, port: UInt16)
    /// The path of a socket; at most `longestPath` bytes.
    case unix(path: String)

    /// hiredis 0.14 ends longer paths where its buffer does, and connects to another socket or to none.
    static let longestPath = 106

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}

extension RedisEndpoint {
    /// What a cluster's node names: `host:port`, IPv6 without brackets.
    /// - Parameter teller: Who says so: a node that names no host means its own.
    /// - Returns: nil for a node that is not known, and for what is no place.
    init?(redirection text: some StringProtocol, from teller: RedisEndpoint) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        let host = String(text[..<colon])
        switch (host, teller) {
        case ("?", _): return nil
        case ("", .tcp(let own, _)): self = .tcp(host: own, port: port)
        case ("", .unix): return nil
        default: self = .tcp(host: host, port: port)
        }
    }
}
