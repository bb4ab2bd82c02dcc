// `Prefer`: what a client would like of its answer (RFC 7240).

/// Preferences in the order in which they are named.
struct Preferences {
    /// One of them; its parameters mean nothing here.
    struct Preference: Equatable {
        /// In lower case.
        var name: String
        /// Empty where there is none.
        var value: String
    }

    /// What can't be read ends the list: where the next preference begins is not known.
    let all: [Preference]

    /// - Parameter text: All of the header's lines, with commas between them.
    init(_ text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        var found: [Preference] = []
        while let next = scanner.preference() { found.append(next) }
        all = found
    }

    /// The first one of a name: of several it alone counts.
    func value(of name: String) -> String? { all.first { $0.name == name }?.value }

    /// Whether the resource is to be left out of the answer.
    var returnsMinimal: Bool { value(of: "return")?.lowercased() == "minimal" }
}

/// Reads the header from its front.
private struct Scanner {
    var rest: ArraySlice<UInt8>

    /// The next preference, up to its comma.
    /// - Returns: nil at the end, and before what is none.
    mutating func preference() -> Preferences.Preference? {
        repeat { skipBlanks() } while take(",")
        guard let name = token(), let value = value() else { return nil }
        skipBlanks()
        while take(";") {
            skipBlanks()
            // Nothing may stand between two semicolons.
            if token() != nil, self.value() == nil { return nil }
            skipBlanks()
        }
        guard rest.isEmpty || take(",") else { return nil }
        return Preferences.Preference(name: name.lowercased(), value: value)
    }

    /// What stands behind `=`; empty where there is no such sign.
    /// - Returns: nil for what can't be read.
    private mutating func value() -> String? {
        skipBlanks()
        guard take("=") else { return "" }
        skipBlanks()
        return take("\"") ? quoted() : token()
    }

    private mutating func token() -> String? {
        let token = rest.prefix(while: Self.isOfToken)
        rest = rest.dropFirst(token.count)
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// What is left of a text in quotes.
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

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
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
