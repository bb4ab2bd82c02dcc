// The effective address of a client: a trusted proxy's address is replaced by the one that it reports.

import Base
import HTTPTransport
package import OperatingSystem

/// The header in which proxies report the client. Only one is used, because a proxy writes the one it knows and passes on
/// the other as the client wrote it.
package enum ProxyHeader: String, CaseIterable, Sendable {
    case forwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
}

/// The proxies whose reports are trusted.
package struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]
    private let header: ProxyHeader

    package init(_ networks: [IPNetwork] = [], header: ProxyHeader = .forwardedFor) {
        self.networks = networks
        self.header = header
    }

    /// Replaces a client that a trusted proxy does not name by an address (`unknown`, `_hidden`). Counts as one more
    /// address: the proxy's own might have special rights.
    package static let unknownClient = "unknown"

    /// The maximum number of hops; the client of a longer chain is unknown.
    private static let maximumHops = 32

    /// Returns the client's address: the last one of the chain that is no trusted proxy. Headers from anyone else are
    /// ignored, because clients can write anything there.
    /// - Parameters:
    ///   - peer: The address at the other end of the connection.
    ///   - told: All values of the header in use; nil if the proxy makes a request of its own.
    package func client(peer: String, told: String?) -> String {
        guard isTrusted(peer), let told else { return peer }
        let hops = header == .forwarded ? Self.hops(ofForwarded: told) : Self.hops(ofForwardedFor: told)
        var client = peer
        for (place, hop) in hops.reversed().enumerated() {
            guard place < Self.maximumHops, IPAddress(hop) != nil else { return Self.unknownClient }
            client = hop
            guard isTrusted(hop) else { break }
        }
        return client
    }

    var isEmpty: Bool { networks.isEmpty }

    /// Whether an address is a trusted proxy's.
    package func isTrusted(_ text: String) -> Bool {
        guard !networks.isEmpty, let address = IPAddress(text) else { return false }
        return networks.contains { $0.contains(address) }
    }

    private static func hops(ofForwardedFor text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { address($0) }
    }

    private static func hops(ofForwarded text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { element in
            for pair in element.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].trimmedBlanks.lowercased() == "for" else { continue }
                return address(parts[1])
            }
            return ""
        }
    }

    /// Returns an address without quotes, brackets and port.
    private static func address(_ text: Substring) -> String {
        var text = text.trimmedBlanks
        if text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 { text = text.dropFirst().dropLast() }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return "" }
            return String(text[..<end].dropFirst())
        }
        // A single colon precedes a port; an IPv6 address has several.
        if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") { return String(text[..<colon]) }
        return String(text)
    }
}

extension TrustedProxies {
    func client(of request: HTTPRequest) -> String {
        client(peer: request.peer, told: request.wholeHeader(header.rawValue))
    }
}

/// What a connection's requests have in common, determined once. Kept by the transport.
final class KnownConnection: Sendable {
    /// nil behind proxies, whose connections have requests of many clients.
    let client: KnownClient?
    /// The last valid `Host`, as sent and parsed.
    let host: (text: String, authority: Authority)?

    /// The longest text that is kept: that of a DNS name with a port.
    static let longestHost = 260

    init(client: KnownClient?, host: (text: String, authority: Authority)?) {
        self.client = client
        self.host = host
    }
}

/// A client's address and the owner of its limits.
final class KnownClient: Sendable {
    /// The client's address without its port; empty if it is unknown.
    let address: String
    /// The owner that the address counts as; nil if it has no limits of its own.
    let owner: String?

    init(_ address: String, under limits: OwnerLimits) {
        self.address = address
        owner = limits.owner(ofAddress: address)
    }
}
