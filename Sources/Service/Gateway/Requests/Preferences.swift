// `Prefer`: a client's wishes for its response (RFC 7240).

/// Preferences in the order of the header.
struct Preferences {
    /// A preference. Parameters are ignored.
    struct Preference: Equatable {
        /// In lower case.
        var name: String
        /// Empty if there is none.
        var value: String
    }

    /// Invalid text ends the list, since the start of the next preference is unknown.
    let all: [Preference]

    /// - Parameter text: All lines of the header, joined with commas.
    init(_ text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        var found: [Preference] = []
        while let next = scanner.preference() { found.append(next) }
        all = found
    }

    /// Returns the value of the first preference with this name; later ones don't count.
    func value(of name: String) -> String? { all.first { $0.name == name }?.value }

    /// Whether to omit the resource from the response.
    var returnsMinimal: Bool { value(of: "return")?.lowercased() == "minimal" }
}

/// Parses the header from its start.
private struct Scanner {
    var rest: ArraySlice<UInt8>

    /// Parses the next preference, up to its comma.
    /// - Returns: nil at the end, and for invalid text.
    mutating func preference() -> Preferences.Preference? {
        repeat { skipBlanks() } while consume(",")
        guard let name = token(), let value = value() else { return nil }
        skipBlanks()
        while consume(";") {
            skipBlanks()
            // Two semicolons may have nothing between them.
            if token() != nil, self.value() == nil { return nil }
            skipBlanks()
        }
        guard rest.isEmpty || consume(",") else { return nil }
        return Preferences.Preference(name: name.lowercased(), value: value)
    }

    /// Parses the value after `=`; empty without that sign.
    /// - Returns: nil for invalid text.
    private mutating func value() -> String? {
        skipBlanks()
        guard consume("=") else { return "" }
        skipBlanks()
        return consume("\"") ? quoted() : token()
    }

    private mutating func token() -> String? {
        let token = rest.prefix(while: Self.isOfToken)
        rest = rest.dropFirst(token.count)
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// Parses the rest of a quoted string.
    private mutating func quoted() -> String? {
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): if let escaped = rest.popFirst() { text.append(escaped) }
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func consume(_ sign: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// RFC 9110, 5.6.2.
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
