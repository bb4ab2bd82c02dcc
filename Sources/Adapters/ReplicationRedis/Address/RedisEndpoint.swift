// The address of one node.

/// A node's address: a host and port, or a local socket.
package enum RedisEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address, IPv6 without brackets.
    case tcp(host: String, port: UInt16)
    /// The path of a socket; at most `longestPath` bytes.
    case unix(path: String)

    /// The longest socket path: hiredis 0.14 truncates longer ones, and connects to another socket or to none.
    static let longestPath = 106

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}

extension RedisEndpoint {
    /// Parses a cluster node's redirection: `host:port`, IPv6 without brackets.
    /// - Parameter teller: The node that sent it; an empty host means that node's own.
    /// - Returns: nil for an unknown node, and for malformed text.
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
