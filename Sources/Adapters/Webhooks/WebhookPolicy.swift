// Which hosts and addresses webhooks may call. Only what is listed is allowed.

package import HTTPClient
package import OperatingSystem

/// Why a webhook may not be called.
package struct WebhookRefusal: Error, Hashable, Sendable {
    /// A message for the client that requested the call.
    package let reason: String
}

/// The operator's list of hosts and networks.
package struct WebhookPolicy: Hashable, Sendable {
    /// A pattern: `hooks.example.com`, `*.example.com` (every name below it), `*` (every public host) or an address, with
    /// `:port` if it is not the scheme's default.
    private struct Host: Hashable, Sendable {
        var name: String
        var includesBelow: Bool
        var port: UInt16?
        var address: IPAddress?

        init?(_ text: String) {
            var rest = text.lowercased()[...]
            // An IPv6 address needs brackets before a port; without a port it has several colons.
            if let colon = rest.lastIndex(of: ":"), rest[..<colon].hasSuffix("]") || !rest[..<colon].contains(":") {
                guard let port = UInt16(rest[rest.index(after: colon)...]), port > 0 else { return nil }
                self.port = port
                rest = rest[..<colon]
            }
            includesBelow = rest.hasPrefix("*")
            if includesBelow { rest.removeFirst() }
            name = String(rest)
            address = IPAddress(name)
            if includesBelow {
                guard name.isEmpty || (name.hasPrefix(".") && name.count > 1) else { return nil }
            } else {
                guard !name.isEmpty else { return nil }
            }
            guard address != nil || name.utf8.allSatisfy(Self.isPlain) else { return nil }
        }

        private static func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }

        func admits(_ url: TransferURL) -> Bool {
            guard url.port == port(over: url.scheme) else { return false }
            if let address { return IPAddress(url.host) == address }
            return includesBelow ? url.host.hasSuffix(name) : url.host == name
        }

        func port(over scheme: String) -> UInt16 { port ?? (scheme == "https" ? 443 : 80) }
    }

    private let hosts: [Host]
    private let networks: [IPNetwork]

    /// A policy that allows no host.
    package static let closed = WebhookPolicy()

    private init() {
        hosts = []
        networks = []
    }

    /// - Parameters:
    ///   - hosts: Patterns.
    ///   - networks: Networks allowed in addition to public addresses, in CIDR notation.
    /// - Throws: A refusal naming the entry that can't be read.
    package init(hosts: [String], networks: [String]) throws(WebhookRefusal) {
        var patterns: [Host] = []
        for text in hosts {
            guard let host = Host(text) else { throw WebhookRefusal(reason: "\(text) is no host name") }
            patterns.append(host)
        }
        self.hosts = patterns
        var allowed: [IPNetwork] = []
        for text in networks {
            guard let network = IPNetwork(text) else {
                throw WebhookRefusal(reason: "\(text) is no network such as 10.0.0.0/8")
            }
            allowed.append(network)
        }
        self.networks = allowed
    }

    /// Whether any host is allowed.
    package var isOpen: Bool { !hosts.isEmpty }

    /// Parses a URL and checks that it may be called.
    /// - Throws: A refusal that says what is wrong with it.
    package func check(_ text: String) throws(WebhookRefusal) -> TransferURL {
        guard isOpen else { throw WebhookRefusal(reason: "webhooks are off: no host is allowed") }
        guard let url = TransferURL(text), url.scheme == "http" || url.scheme == "https" else {
            throw WebhookRefusal(reason: "must be an http or https URL")
        }
        guard !url.hasCredentials else { throw WebhookRefusal(reason: "must not carry a user name or password") }
        guard hosts.contains(where: { $0.admits(url) }) else {
            throw WebhookRefusal(reason: "the host \(url.host), port \(url.port), is not allowed")
        }
        // Literal addresses are checked now; a name's address is checked on connecting.
        if let address = IPAddress(url.host), !admits(address, port: url.port, over: url.scheme) {
            throw WebhookRefusal(reason: "the address \(url.host) is not public, nor listed with port \(url.port)")
        }
        return url
    }

    /// Returns why a URL may not be called, for the client that requested it; nil if it may.
    package func refusal(of text: String) -> String? {
        do throws(WebhookRefusal) {
            _ = try check(text)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Returns whether this address and port may be connected to, whatever name led there. Private ones must be listed: an
    /// entry with a port doesn't open the others to every listed name.
    package func admits(_ address: IPAddress, port: UInt16, over scheme: String) -> Bool {
        address.isPublic || networks.contains { $0.contains(address) }
            || hosts.contains { $0.address == address && $0.port(over: scheme) == port }
    }
}
