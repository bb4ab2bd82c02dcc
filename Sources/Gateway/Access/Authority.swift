// The host and port of a request and of a page, read as a browser writes them.

/// What stands in `Host`: a name or address, and a port where one is said.
struct Authority: Hashable, Sendable {
    /// In lower case; an IPv6 address in its brackets.
    let name: String
    let port: UInt16?

    /// - Returns: nil for what is no host with a port.
    init?(_ text: String) {
        let lower = text.lowercased()
        let end: String.Index
        if lower.hasPrefix("[") {
            guard let bracket = lower.firstIndex(of: "]") else { return nil }
            end = lower.index(after: bracket)
        } else {
            end = lower.firstIndex(of: ":") ?? lower.endIndex
        }
        name = String(lower.prefix(upTo: end))
        let rest = lower.suffix(from: end)
        if rest.isEmpty {
            port = nil
        } else {
            guard rest.hasPrefix(":"), let number = UInt16(rest.dropFirst()) else { return nil }
            port = number
        }
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x40 && $0 != 0x2F }) else {
            return nil
        }
    }

    /// Whether it is an address rather than a name that somebody could point anywhere.
    var isAddress: Bool { isIPv4 || isIPv6 }

    /// Whether it names this machine to itself.
    var isLoopback: Bool { name == "localhost" || name == "[::1]" || isIPv4 && name.hasPrefix("127.") }

    private var isIPv4: Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8($0) != nil }
    }

    private var isIPv6: Bool {
        name.hasPrefix("[") && name.contains(":")
            && name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" }
    }
}

/// A page's origin: `https://board.example`.
struct PageOrigin: Hashable, Sendable {
    let scheme: String
    let authority: Authority

    /// - Returns: nil for `null` and whatever else is no page of the web.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        scheme = text.prefix(upTo: separator.lowerBound).lowercased()
        guard scheme == "http" || scheme == "https",
            let authority = Authority(String(text.suffix(from: separator.upperBound)))
        else { return nil }
        self.authority = authority
    }

    /// Whether a request of this page to `host` goes where the page came from. Its scheme can't be compared: TLS ends at
    /// a proxy.
    func isOwn(of host: Authority) -> Bool {
        authority.name == host.name && port(of: authority) == port(of: host)
    }

    private func port(of authority: Authority) -> UInt16 { authority.port ?? (scheme == "https" ? 443 : 80) }

    static func == (one: PageOrigin, other: PageOrigin) -> Bool {
        one.scheme == other.scheme && one.isOwn(of: other.authority)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(authority.name)
    }
}
