// Whose address counts where a proxy stands in front: that of a proxy which is trusted is replaced by what it says.

import HTTPTransport
package import Webhooks

/// The header in which proxies tell whose request they pass on. One alone counts: a proxy writes the one it knows, and
/// passes on what a client has written into the other.
package enum ProxyHeader: String, CaseIterable, Sendable {
    case forwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
}

/// Proxies whose word is taken.
package struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]
    private let header: ProxyHeader

    package init(_ networks: [IPNetwork] = [], header: ProxyHeader = .forwardedFor) {
        self.networks = networks
        self.header = header
    }

    /// Whoever a trusted proxy doesn't name by an address (`unknown`, `_hidden`). It counts like one more address: were it
    /// the proxy's, it would have whatever rights that has.
    package static let unknownClient = "unknown"

    /// The most hops that are looked at; a longer chain is nobody's.
    private static let maximumHops = 32

    /// The client's address: the last one of the chain that is no trusted proxy's. From anybody else the headers are
    /// ignored, since a client can write there what it likes.
    /// - Parameters:
    ///   - peer: At the other end of the connection.
    ///   - told: All of the header that counts; nil where a proxy asks for itself.
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

    /// Whether an address is one of theirs.
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
                guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
                return address(parts[1])
            }
            return ""
        }
    }

    /// An address without quotes, brackets and port.
    private static func address(_ text: Substring) -> String {
        var text = trimmed(text)
        if text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count > 1 { text = text.dropFirst().dropLast() }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return "" }
            return String(text[..<end].dropFirst())
        }
        // One colon is a port's; an IPv6 address has more.
        if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") { return String(text[..<colon]) }
        return String(text)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

extension TrustedProxies {
    func client(of request: HTTPRequest) -> String {
        client(peer: request.peer, told: request.wholeHeader(header.rawValue))
    }
}

/// Where requests come from, and whose limits count there: found out once a connection.
final class KnownClient: Sendable {
    /// The client's address without its port; empty where it is not known.
    let address: String
    /// What the address counts as; nil for one without limits of its own.
    let owner: String?

    init(_ address: String, under limits: OwnerLimits) {
        self.address = address
        owner = limits.owner(ofAddress: address)
    }
}
