// The grammar of JSONDocument, by recursive descent with a bounded depth.

struct JSONParser {
    /// The number of members up to which names are compared one by one. Beyond it they are looked up in a set, so that large
    /// objects take linear time.
    static let comparedMembers = 16

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let end: Int
    private var position = 0
    private var depth = 0

    init(_ bytes: [UInt8], maximumDepth: Int) {
        self.init(bytes, bytes.indices, maximumDepth: maximumDepth)
    }

    /// - Parameter range: The position of the text.
    init(_ bytes: [UInt8], _ range: Range<Int>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func document() throws(JSONError) -> JSONNode {
        skipSpace()
        guard position < end else {
            throw JSONError(reason: .syntax("empty, where JSON is expected"), offset: position)
        }
        let node = try value()
        skipSpace()
        guard position == end else { throw error("unexpected text after the value") }
        return node
    }

    private var current: UInt8? { position < end ? bytes[position] : nil }

    private func error(_ what: String) -> JSONError {
        JSONError(reason: .syntax(position < end ? what : "the text ends too early"), offset: position)
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func value() throws(JSONError) -> JSONNode {
        let start = position
        let content: JSONNode.Content
        switch current {
        case UInt8(ascii: "{"), UInt8(ascii: "["): content = try nested()
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "t"): content = try word("true", .bool(true))
        case UInt8(ascii: "f"): content = try word("false", .bool(false))
        case UInt8(ascii: "n"): content = try word("null", .null)
        default:
            try number()
            content = .number
        }
        return JSONNode(content: content, range: start..<position)
    }

    private mutating func nested() throws(JSONError) -> JSONNode.Content {
        guard depth < maximumDepth else { throw error("nested more than \(maximumDepth) levels deep") }
        depth += 1
        defer { depth -= 1 }
        let isObject = current == UInt8(ascii: "{")
        position += 1
        return isObject ? try object() : try array()
    }

    private mutating func object() throws(JSONError) -> JSONNode.Content {
        var members: [JSONMember] = []
        skipSpace()
        if current == UInt8(ascii: "}") {
            position += 1
            return .object(members)
        }
        // Enough for most objects: growing from one costs more.
        members.reserveCapacity(8)
        var known: Set<String> = []
        var keys = RecordKeySet()
        while true {
            skipSpace()
            let start = position
            guard current == UInt8(ascii: "\"") else { throw error("a field name must be a string") }
            let name = try string()
            let key = RecordKey.key(of: name)
            guard !(key.map { keys.contains($0) } ?? Self.isKnown(name, among: members, &known)) else {
                throw JSONError(reason: .duplicate(name: name), offset: start)
            }
            if let key { keys.insert(key) }
            skipSpace()
            guard current == UInt8(ascii: ":") else { throw error("a field name must be followed by a colon") }
            position += 1
            skipSpace()
            members.append(JSONMember(name: name, key: key, value: try value()))
            guard try another(closing: UInt8(ascii: "}")) else { return .object(members) }
        }
    }

    /// Whether one of the members has this name.
    /// - Parameter known: Empty while there are few members; then the names of all, including this one.
    private static func isKnown(_ name: String, among members: [JSONMember], _ known: inout Set<String>) -> Bool {
        guard members.count >= comparedMembers else {
            // By index: a loop over members would copy each of them.
            for place in members.indices where members[place].name == name { return true }
            return false
        }
        if known.isEmpty { known = Set(members.lazy.map(\.name)) }
        return !known.insert(name).inserted
    }

    private mutating func array() throws(JSONError) -> JSONNode.Content {
        var elements: [JSONNode] = []
        skipSpace()
        if current == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            skipSpace()
            elements.append(try value())
            guard try another(closing: UInt8(ascii: "]")) else { return .array(elements) }
        }
    }

    /// Returns true after a comma, false after the closing bracket.
    private mutating func another(closing: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        guard let byte = current, byte == UInt8(ascii: ",") || byte == closing else {
            throw error("a value must be followed by a comma or a closing bracket")
        }
        position += 1
        return byte != closing
    }

    private mutating func word(
        _ text: String, _ content: JSONNode.Content
    ) throws(JSONError) -> JSONNode.Content {
        for byte in text.utf8 {
            guard current == byte else { throw error("not a JSON value") }
            position += 1
        }
        return content
    }

    private mutating func number() throws(JSONError) {
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("not a JSON value") }
    }
}

// MARK: - Strings

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        // Most strings are ASCII without escapes: copy them unchanged.
        var union: UInt8 = 0
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            union |= byte
            position += 1
        }
        if union < 0x80, current == UInt8(ascii: "\""), let text = text(start..<position) {
            position += 1
            return text
        }
        // proven: the position only grows, as far as the end.
        var unescaped = bytes[start..<position]
        while true {
            switch current {
            case UInt8(ascii: "\""):
                position += 1
                guard let text = String(validating: unescaped, as: UTF8.self) else {
                    position = start
                    throw error("a string is not valid UTF-8")
                }
                return text
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &unescaped)
            case .some(let byte) where byte >= 0x20:
                unescaped.append(byte)
                position += 1
            default:
                throw error("a control character in a string must be escaped")
            }
        }
    }

    /// Copies a part of the text through a span, because a slice would retain all bytes.
    private func text(_ range: Range<Int>) -> String? {
        guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else { return nil }
        return String(copying: text)
    }

    private mutating func escape(into text: inout ArraySlice<UInt8>) throws(JSONError) {
        guard let byte = current else { throw error("incomplete escape sequence") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
        default: throw error("unknown escape sequence")
        }
    }

    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A high surrogate must be followed by a low one; a single one is no text.
        guard first < 0xDC00, current == UInt8(ascii: "\\") else { throw error("unpaired surrogate") }
        position += 1
        guard current == UInt8(ascii: "u") else { throw error("unpaired surrogate") }
        position += 1
        let second = try hexUnit()
        // Only surrogates are no scalars, and the first half is 0xD800...0xDBFF here: ten bits of each half.
        guard UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
        else { throw error("unpaired surrogate") }
        return scalar
    }

    private mutating func hexUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Self.hexDigit(byte) else {
                throw error("\\u needs four hexadecimal digits")
            }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
