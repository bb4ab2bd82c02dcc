// The host and port of a request and of a page, parsed as browsers write them.

/// The contents of `Host`: a name or address, and an optional port.
struct Authority: Hashable, Sendable {
    /// In lower case; an IPv6 address with its brackets.
    let name: String
    let port: UInt16?
    /// Whether it is an address, and not a name that may be pointed anywhere.
    let isAddress: Bool
    /// Whether it is a name or address of this machine itself.
    let isLoopback: Bool

    /// - Returns: nil if the text is no host with an optional port.
    init?(_ text: String) {
        // Every connection's first request gets here: only the name is copied.
        let bytes = text.utf8.span
        guard let end = Self.endOfName(bytes), end > 0 else { return nil }
        var hasCapitals = false
        for place in 0..<end {
            let byte = bytes[place]
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "@"), byte != UInt8(ascii: "/") else { return nil }
            if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { hasCapitals = true }
        }
        guard let name = Self.text(bytes.extracting(0..<end)) else { return nil }
        self.name = hasCapitals ? name.lowercased() : name
        let isIPv4 = Self.isIPv4(self.name)
        isAddress = isIPv4 || Self.isIPv6(self.name)
        isLoopback = self.name == "localhost" || self.name == "[::1]" || isIPv4 && self.name.hasPrefix("127.")
        guard end < bytes.count else {
            port = nil
            return
        }
        let digits = bytes.extracting((end + 1)...)
        guard bytes[end] == UInt8(ascii: ":"), Self.areDigits(digits), let text = Self.text(digits) else { return nil }
        // An empty port means the scheme's default (RFC 3986, 3.2.3).
        guard !text.isEmpty else {
            port = nil
            return
        }
        guard let number = UInt16(text) else { return nil }
        port = number
    }

    /// Returns where the port begins or the text ends; nil for an unclosed bracket.
    private static func endOfName(_ bytes: Span<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "[") else {
            return bytes.indices.first { bytes[$0] == UInt8(ascii: ":") } ?? bytes.count
        }
        return bytes.indices.first { bytes[$0] == UInt8(ascii: "]") }.map { $0 + 1 }
    }

    private static func areDigits(_ bytes: Span<UInt8>) -> Bool {
        bytes.indices.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
    }

    private static func text(_ bytes: Span<UInt8>) -> String? {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        return String(copying: text)
    }

    /// Four decimal numbers below 256.
    private static func isIPv4(_ name: String) -> Bool {
        var (parts, digits, value) = (1, 0, 0)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                value = min(256, value * 10 + Int(byte - UInt8(ascii: "0")))
            case UInt8(ascii: "."):
                guard digits > 0, value < 256 else { return false }
                (parts, digits, value) = (parts + 1, 0, 0)
            default: return false
            }
        }
        return parts == 4 && digits > 0 && value < 256
    }

    private static func isIPv6(_ name: String) -> Bool {
        name.hasPrefix("[") && name.contains(":")
            && name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" }
    }
}

/// A page's origin: `https://board.example`.
struct PageOrigin: Sendable {
    let scheme: String
    let authority: Authority

    /// - Returns: nil for `null`, and anything else that is no web origin.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        scheme = text.prefix(upTo: separator.lowerBound).lowercased()
        guard scheme == "http" || scheme == "https",
            let authority = Authority(String(text.suffix(from: separator.upperBound)))
        else { return nil }
        self.authority = authority
    }

    /// Whether the page's origin is `host`. The scheme can't be compared, because TLS may end at a proxy.
    func isOwn(of host: Authority) -> Bool {
        authority.name == host.name && port == port(of: host)
    }

    var port: UInt16 { port(of: authority) }

    private func port(of authority: Authority) -> UInt16 { authority.port ?? (scheme == "https" ? 443 : 80) }

}
