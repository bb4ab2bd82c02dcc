// The server's address, and names within addresses.

/// Texts of addresses.
enum ServerAddress {
    /// Says why a text is no address.
    static func refusal(_ given: String) -> String {
        "\(given.isEmpty ? "an empty text" : given) is no address of a server, such as http://localhost:8080"
    }

    /// Returns an address with a scheme and without a slash at its end: `localhost:8080` is `http://localhost:8080`.
    static func normalized(_ text: String) -> String {
        var text = text.contains("://") ? text : "http://\(text)"
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// Returns whether a normalised address can be one: http or https, a host, perhaps a port, and neither query nor spaces.
    static func isValid(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix) else { return false }
        let rest = text.dropFirst(scheme.count)
        return hasHost(rest.prefix { $0 != "/" })
            && rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    }

    /// Returns whether an authority (RFC 3986, 3.2) has a host, and behind its colon a port.
    private static func hasHost(_ authority: Substring) -> Bool {
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        // Colons within brackets are those of an address (IPv6).
        let end = place.firstIndex(of: "]").map { place.index(after: $0) } ?? place.startIndex
        let colon = place.suffix(from: end).firstIndex(of: ":") ?? place.endIndex
        guard colon > place.startIndex else { return false }
        let port = place.suffix(from: colon).dropFirst()
        return colon == place.endIndex || port.utf8.allSatisfy { isDigit($0) } && (1...65_535).contains(Int(port) ?? 0)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Returns a text for a path segment or a query: all but unreserved characters are escaped (RFC 3986, 2.3).
    static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            if isUnreserved(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += (digits.utf8.count == 1 ? "%0" : "%") + digits
            }
        }
    }

    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(byte)
        }
    }
}
