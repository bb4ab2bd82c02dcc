// Parses a request's target (RFC 9112, 3.2): path, parameters, and the authority of the absolute form. The library would
// store each parameter in the connection's memory, and close without an answer when that is full.

import CMicroHTTPD

/// A parsed request target.
package struct RequestTarget: Sendable {
    /// Percent-decoded, without the query and the server's base path. An escaped NUL stays escaped, and so does an escaped
    /// slash, since it doesn't separate segments (RFC 3986, 2.2).
    package let path: String
    /// Whether the path began with the base path, so that addresses in the answer need it too.
    let isUnderBase: Bool
    /// The host of an absolute target, which overrides the Host header.
    package let authority: String?
    /// Bytes of the whole target.
    let count: Int
    /// Whether it has none of RFC 9112's forms, or contains a character that no form allows or that other parsers would stop
    /// at.
    let isMalformed: Bool
    /// The parameters in order, percent-decoded. One without `=` has an empty value. Decoded once, as checks and handlers
    /// all look at them.
    package let parameters: [(name: String, value: String)]
    /// Whether the query has more parameters than allowed; the others are left out.
    let hasTooManyParameters: Bool

    /// - Parameters:
    ///   - bytes: The target as sent.
    ///   - basePath: The path under which a proxy serves this server, if it doesn't strip it; empty for the root. Paths
    ///     without it are accepted too: some proxies strip it, and health checks bypass the proxy.
    package init(_ bytes: [UInt8], parameterLimit: Int, basePath: String = "") {
        count = bytes.count
        var rest = bytes[...]
        authority = Self.parseAuthority(&rest)
        isMalformed = bytes.contains(where: Self.isOdd) || !(authority.map(Self.isHost) ?? Self.isOwnForm(bytes))
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest.dropFirst(path.count + 1)
        parameters = Self.parameters(of: query, most: parameterLimit)
        hasTooManyParameters =
            query.count > parameterLimit && query.count { $0 == UInt8(ascii: "&") } >= parameterLimit
        // `http://host?query` names the root.
        let whole = path.isEmpty && authority != nil ? "/" : Self.decode(path)
        let inner = Self.path(whole, under: basePath)
        isUnderBase = inner != nil
        self.path = inner ?? whole
    }

    /// - Returns: The rest of a path under the base path, empty for the base path itself; nil if it is outside.
    private static func path(_ whole: String, under basePath: String) -> String? {
        guard !basePath.isEmpty, whole.hasPrefix(basePath) else { return nil }
        let inner = whole.dropFirst(basePath.count)
        return inner.isEmpty || inner.hasPrefix("/") ? String(inner) : nil
    }

    private static func parameters(of query: ArraySlice<UInt8>, most: Int) -> [(name: String, value: String)] {
        guard !query.isEmpty else { return [] }
        var parts = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        // An empty query has no parameter, and neither has a trailing `&`.
        if parts.last?.isEmpty ?? false { parts.removeLast() }
        return parts.prefix(most).map { part in
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            let value = part.dropFirst(name.count + 1)
            return (decode(name, isOfQuery: true), decode(value, isOfQuery: true))
        }
    }

    /// Spaces, control characters, and the start of a fragment, which is never sent.
    private static func isOdd(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "#") }

    private static func isHost(_ text: String) -> Bool { unsafe text.withCString { unsafe tweencast_is_host($0) != 0 } }

    /// Whether it is a path, or `*` for the server itself.
    private static func isOwnForm(_ bytes: [UInt8]) -> Bool { bytes.first == slash || bytes == [UInt8(ascii: "*")] }

    /// Removes `http://authority` or `https://authority` from the front.
    private static func parseAuthority(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let first = rest.first, first | 0x20 == UInt8(ascii: "h") else { return nil }
        for scheme in ["http://", "https://"] {
            // Schemes are case-insensitive; setting the bit leaves `:` and `/` unchanged.
            guard rest.prefix(scheme.utf8.count).lazy.map({ $0 | 0x20 }).elementsEqual(scheme.utf8) else { continue }
            rest = rest.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            rest = rest.dropFirst(authority.count)
            return String(decoding: authority, as: UTF8.self)
        }
        return nil
    }

    /// Decodes percent escapes. A NUL stays escaped, since it would end a C string: `/a%00b` would become `/a`. An invalid
    /// escape stays as it is.
    private static func decode(_ bytes: ArraySlice<UInt8>, isOfQuery: Bool = false) -> String {
        // Most texts need no decoding.
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let decoded = escaped(rest.prefix(2)), isOfQuery || decoded != slash {
                text.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                text.append(isOfQuery && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")

    private static func escaped(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        var value: UInt8 = 0
        for digit in digits {
            guard let digit = hexadecimalDigit(digit) else { return nil }
            value = value << 4 | digit
        }
        return value == 0 ? nil : value
    }

    private static func hexadecimalDigit(_ character: UInt8) -> UInt8? {
        switch character {
        case 48...57: character - 48
        case 65...70: character - 55
        case 97...102: character - 87
        default: nil
        }
    }
}
