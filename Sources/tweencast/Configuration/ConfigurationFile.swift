// The configuration file: a subset of TOML 1.0 in which every key is at the top level and is a flag's name. Values are
// strings, decimal integers, booleans, and arrays of strings or integers. Tables, dates, multi-line strings and invalid TOML
// are rejected with their line.

/// The contents of a configuration file.
struct ConfigurationFile: Hashable, Sendable {
    /// The most bytes of a file.
    static let maximumBytes = 1 << 20

    /// A key's value.
    enum Value: Hashable, Sendable {
        /// An array's items, or a single item.
        case texts([String])
        case truth(Bool)
    }

    /// A key with its value.
    struct Entry: Hashable, Sendable {
        var key: String
        var line: Int
        var value: Value
    }

    /// The path as given.
    let name: String
    private(set) var entries: [Entry] = []

    /// - Throws: What is wrong, with its line.
    init(_ text: String, name: String) throws(CommandLineOptions.Refusal) {
        self.name = name
        var reader = TOMLReader(text, of: name)
        var lines: [String: Int] = [:]
        while let entry = try reader.readEntry() {
            if let known = lines.updateValue(entry.line, forKey: entry.key) {
                throw CommandLineOptions.Refusal(
                    message: "\(name):\(entry.line): \(entry.key) is set in line \(known) already")
            }
            entries.append(entry)
        }
    }
}

/// Reads entries one after another.
private struct TOMLReader {
    private let scalars: [Unicode.Scalar]
    private let name: String
    private var place = 0
    private var line = 1

    init(_ text: String, of name: String) {
        // Editors may write a byte order mark at the start; elsewhere it is an ordinary character.
        scalars = Array(
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...])
        self.name = name
    }

    private func refusal(_ message: String) -> CommandLineOptions.Refusal {
        CommandLineOptions.Refusal(message: "\(name):\(line): \(message)")
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        place += 1
        if scalar == "\n" { line += 1 }
        return true
    }

    private mutating func skipBlanks() { while consume(" ") || consume("\t") {} }

    /// Whether a line ends here: LF or CR LF, but not CR alone.
    private var isAtLineEnd: Bool {
        next == "\n" || next == "\r" && place + 1 < scalars.count && scalars[place + 1] == "\n"
    }

    /// Skips blanks, line ends and comments, which may separate entries and array items.
    private mutating func skipLines() throws(CommandLineOptions.Refusal) {
        while true {
            skipBlanks()
            if consume("#") {
                while let scalar = next, !isAtLineEnd {
                    try check(scalar)
                    place += 1
                }
            }
            guard isAtLineEnd else { return }
            _ = consume("\r")
            _ = consume("\n")
        }
    }

    /// Rejects control characters other than tab in strings and comments.
    private func check(_ scalar: Unicode.Scalar) throws(CommandLineOptions.Refusal) {
        guard scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F else {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: 4 - digits.count) + digits
            throw refusal("U+\(code) may stand neither in a string nor in a comment; a string has it as \\u\(code)")
        }
    }

    mutating func readEntry() throws(CommandLineOptions.Refusal) -> ConfigurationFile.Entry? {
        try skipLines()
        guard let first = next else { return nil }
        guard first != "[" else { throw refusal("tables are not read: every key stands at the top, as `port = 8080`") }
        let key = try readKey()
        let entryLine = line
        skipBlanks()
        guard consume("=") else { throw refusal("a key must be followed by = and a value") }
        skipBlanks()
        let value = try readValue()
        skipBlanks()
        guard next == nil || next == "#" || isAtLineEnd else {
            throw refusal("nothing may stand behind a value but a comment")
        }
        return ConfigurationFile.Entry(key: key, line: entryLine, value: value)
    }

    private mutating func readKey() throws(CommandLineOptions.Refusal) -> String {
        if next == "\"" || next == "'" { return try readString() }
        let start = place
        while let scalar = next, Self.isBare(scalar) { place += 1 }
        guard place > start else { throw refusal("a key must be a flag's name without its dashes, as `port`") }
        return text(from: start)
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_".unicodeScalars.contains(scalar))
    }

    private func text(from start: Int) -> String {
        var text = String.UnicodeScalarView()
        // proven: `start` is at most `place`, which is within bounds.
        text.append(contentsOf: scalars[start..<place])
        return String(text)
    }

    private mutating func readValue() throws(CommandLineOptions.Refusal) -> ConfigurationFile.Value {
        guard consume("[") else {
            let start = place
            while let scalar = next, Self.isBare(scalar) { place += 1 }
            switch text(from: start) {
            case "true": return .truth(true)
            case "false": return .truth(false)
            default:
                place = start
                return .texts([try readItem()])
            }
        }
        var items: [String] = []
        while true {
            try skipLines()
            if consume("]") { return .texts(items) }
            items.append(try readItem())
            try skipLines()
            if consume(",") { continue }
            guard next == "]" else { throw refusal("the items of an array must be parted by commas, and end with ]") }
        }
    }

    private mutating func readItem() throws(CommandLineOptions.Refusal) -> String {
        if next == "\"" || next == "'" { return try readString() }
        let isNegative = next == "-"
        if next == "-" || next == "+" { place += 1 }
        let start = place
        while let scalar = next, ("0"..."9").contains(scalar) || scalar == "_" { place += 1 }
        let groups = text(from: start).split(separator: "_", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty }), let number = Int((isNegative ? "-" : "") + groups.joined()) else {
            throw refusal(
                "a value must be a \"string\", a whole number of up to 64 bits, true, false or an array; an underscore stands"
                    + " between two digits")
        }
        guard groups[0].first != "0" || place - start == 1 else {
            throw refusal("a number must not begin with a zero: \(number)")
        }
        return String(number)
    }

    private mutating func readString() throws(CommandLineOptions.Refusal) -> String {
        let quote = scalars[place]
        place += 1
        var text = String.UnicodeScalarView()
        while let scalar = next, scalar != "\n" {
            place += 1
            if scalar == quote {
                guard text.isEmpty, next == quote else { return String(text) }
                throw refusal("strings of several lines are not read")
            }
            try check(scalar)
            text.append(scalar == "\\" && quote == "\"" ? try readEscaped() : scalar)
        }
        throw refusal("a string must end in its line")
    }

    private mutating func readEscaped() throws(CommandLineOptions.Refusal) -> Unicode.Scalar {
        guard let scalar = next else { throw refusal("a string must end in its line") }
        place += 1
        switch scalar {
        case "\"", "\\": return scalar
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u", "U":
            let count = scalar == "u" ? 4 : 8
            let start = place
            while place - start < count, let digit = next, digit.properties.isASCIIHexDigit { place += 1 }
            guard place - start == count, let value = UInt32(text(from: start), radix: 16),
                let escaped = Unicode.Scalar(value)
            else { throw refusal("\\\(scalar) must be followed by \(count) hexadecimal digits of a character") }
            return escaped
        default: throw refusal("\\\(scalar) stands for nothing; a backslash is written as \\\\")
        }
    }
}
