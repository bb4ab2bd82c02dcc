// Parses ICU MessageFormat for one number: literal text, {n}, {n, number}, {n, plural, offset:1 …} and {n, selectordinal, …}
// with nested arguments, # and apostrophe quoting. ICU's other features (select, dates, number styles) are rejected by name.

/// A parsed message as a tree.
struct PluralMessageTree {
    /// What picks the form of each argument.
    struct Choice {
        var exact: UInt64?
        /// The count's category.
        var count: PluralCategory
        /// The rank's category.
        var rank = PluralCategory.other
    }

    indirect enum Node {
        case text([UInt8])
        /// The number; for #, less the offset.
        case number(isShifted: Bool)
        case plural([PluralCategory: [Node]], exact: [UInt64: [Node]], isOrdinal: Bool)
    }

    let nodes: [Node]
    /// The argument's name.
    let name: String
    let hasCardinals: Bool
    let hasOrdinals: Bool
    /// All `=N` of the message, distinct and in order.
    let exactValues: [UInt64]
    /// Subtracted from the number for # and for its category.
    let offset: UInt64

    /// Returns the flat form for a choice.
    func form(_ choice: Choice) -> PluralMessage.Form {
        var form = PluralMessage.Form()
        Self.flatten(nodes, choice, into: &form)
        return form
    }

    private static func flatten(_ nodes: [Node], _ choice: Choice, into form: inout PluralMessage.Form) {
        for node in nodes {
            switch node {
            case .text(let text): form.texts[form.texts.count - 1] += text
            case .number(let isShifted):
                form.texts.append([])
                form.shifts.append(isShifted)
            case .plural(let forms, let exact, let isOrdinal):
                let own = choice.exact.flatMap { exact[$0] }
                let branch = own ?? forms[isOrdinal ? choice.rank : choice.count] ?? forms[.other] ?? []
                flatten(branch, choice, into: &form)
            }
        }
    }
}

/// A recursive descent parser over a message's bytes.
struct PluralMessageParser {
    private let bytes: [UInt8]
    private var position = 0
    private var name: [UInt8]?
    private var exactValues: Set<UInt64> = []
    /// The offset of the plural arguments so far; nil before the first.
    private var offset: UInt64?
    private var hasCardinals = false
    private var hasOrdinals = false

    /// Nesting and exact forms are limited, since messages come from clients.
    private static let maximumDepth = 4
    private static let maximumExactForms = 32
    private static let maximumOffset: UInt64 = 1_000_000

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(LabelError) -> PluralMessageTree {
        let nodes = try parseNodes(depth: 0)
        guard position == bytes.count else { throw LabelError(.unbalancedBrace, at: position) }
        return PluralMessageTree(
            nodes: nodes, name: String(decoding: name ?? [], as: UTF8.self), hasCardinals: hasCardinals,
            hasOrdinals: hasOrdinals, exactValues: exactValues.sorted(), offset: offset ?? 0)
    }

    /// How much of an argument a text contains.
    enum Sight {
        /// A brace with a name, followed by the closing brace or a kind.
        case found
        /// A brace with a name, or an empty one.
        case begun
        case none
    }

    /// Looks for the first argument, well-formed or not.
    mutating func firstArgument() -> Sight {
        var sight = Sight.none
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "'") {
                _ = quoted(depth: 0)
            } else if bytes[position] == ASCII.openBrace {
                position += 1
                guard !word().isEmpty else {
                    if position < bytes.count, bytes[position] == ASCII.closeBrace { sight = .begun }
                    continue
                }
                sight = .begun
                if consume(ASCII.closeBrace) { return .found }
                if consume(ASCII.comma), let first = word().first, !ASCII.isDigit(first) { return .found }
            } else {
                position += 1
            }
        }
        return sight
    }

    private mutating func parseNodes(depth: Int) throws(LabelError) -> [PluralMessageTree.Node] {
        guard depth <= Self.maximumDepth else { throw LabelError(.tooLarge, at: position) }
        var nodes: [PluralMessageTree.Node] = []
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != ASCII.closeBrace {
            let byte = bytes[position]
            if byte == ASCII.openBrace || (byte == UInt8(ascii: "#") && depth > 0) {
                if !text.isEmpty { nodes.append(.text(text)) }
                text = []
                if byte == ASCII.openBrace {
                    nodes.append(try parseArgument(depth: depth))
                } else {
                    nodes.append(.number(isShifted: true))
                    position += 1
                }
            } else if byte == UInt8(ascii: "'") {
                text += quoted(depth: depth)
            } else {
                text.append(byte)
                position += 1
            }
        }
        if !text.isEmpty { nodes.append(.text(text)) }
        return nodes
    }

    /// Applies ICU's apostrophe rules: two are one; one before a brace, or before # if that means the number, quotes up to
    /// the next; any other is literal.
    private mutating func quoted(depth: Int) -> [UInt8] {
        let quote = UInt8(ascii: "'")
        position += 1
        guard position < bytes.count else { return [quote] }
        if bytes[position] == quote {
            position += 1
            return [quote]
        }
        let isQuotable =
            bytes[position] == ASCII.openBrace || bytes[position] == ASCII.closeBrace
            || bytes[position] == UInt8(ascii: "#") && depth > 0
        guard isQuotable else { return [quote] }
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote {
                guard position < bytes.count, bytes[position] == quote else { break }
                position += 1
            }
            text.append(byte)
        }
        return text
    }

    private mutating func parseArgument(depth: Int) throws(LabelError) -> PluralMessageTree.Node {
        let start = position
        position += 1
        let name = word()
        guard !name.isEmpty else { throw LabelError(.namelessArgument, at: start) }
        if let known = self.name, known != name { throw LabelError(.severalArguments, at: start) }
        self.name = name
        if consume(ASCII.closeBrace) { return .number(isShifted: false) }
        guard consume(ASCII.comma) else { throw LabelError(.malformedPlural, at: position) }
        let kind = String(decoding: word(), as: UTF8.self)
        switch kind.lowercased() {
        case "number":
            guard consume(ASCII.closeBrace) else { throw LabelError(.numberStyle, at: position) }
            return .number(isShifted: false)
        case "plural": hasCardinals = true
        case "selectordinal": hasOrdinals = true
        default: throw LabelError(.unknownArgument(String(kind.prefix(40))), at: start)
        }
        guard consume(ASCII.comma) else { throw LabelError(.malformedPlural, at: position) }
        return try parseForms(isOrdinal: kind.lowercased() != "plural", start: start, depth: depth)
    }

    private mutating func parseForms(
        isOrdinal: Bool, start: Int, depth: Int
    ) throws(LabelError) -> PluralMessageTree.Node {
        var forms: [PluralCategory: [PluralMessageTree.Node]] = [:]
        var exact: [UInt64: [PluralMessageTree.Node]] = [:]
        try parseOffset()
        while !consume(ASCII.closeBrace) {
            let place = position
            let value = consume(UInt8(ascii: "=")) ? ExactDecimal(parsing: word()) : nil
            let key = value == nil ? String(decoding: word(), as: UTF8.self) : ""
            guard consume(ASCII.openBrace) else { throw LabelError(.malformedPlural, at: position) }
            let nodes = try parseNodes(depth: depth + 1)
            guard consume(ASCII.closeBrace) else { throw LabelError(.unbalancedBrace, at: start) }
            if let value {
                guard let number = UInt64(exactly: value.coefficient), value.scale == 0, exact[number] == nil else {
                    throw LabelError(.malformedPlural, at: place)
                }
                exact[number] = nodes
                exactValues.insert(number)
                guard exactValues.count <= Self.maximumExactForms else { throw LabelError(.tooLarge, at: place) }
            } else {
                guard let category = PluralCategory(rawValue: key), forms[category] == nil else {
                    throw LabelError(.malformedPlural, at: place)
                }
                forms[category] = nodes
            }
        }
        guard forms[.other] != nil else { throw LabelError(.missingOther, at: start) }
        return .plural(forms, exact: exact, isOrdinal: isOrdinal)
    }

    /// Parses `offset:1` before the forms; 0 without it.
    private mutating func parseOffset() throws(LabelError) {
        skipSpace()
        let start = position
        var value: UInt64 = 0
        if word() == Array("offset".utf8), consume(ASCII.colon) {
            let digits = word()
            guard digits.allSatisfy(ASCII.isDigit), let number = UInt64(String(decoding: digits, as: UTF8.self)),
                number <= Self.maximumOffset
            else { throw LabelError(.malformedPlural, at: start) }
            value = number
        } else {
            position = start
        }
        guard value == offset ?? value else { throw LabelError(.severalOffsets, at: start) }
        offset = value
    }

    private mutating func skipSpace() {
        skip { $0.properties.isPatternWhitespace }
    }

    private mutating func word() -> [UInt8] {
        skipSpace()
        let start = position
        skip { $0 == "_" || $0.properties.isXIDContinue }
        // proven: a position only grows, at most to the end.
        let word = Array(bytes[start..<position])
        skipSpace()
        return word
    }

    /// Skips matching characters. ICU allows white space beyond ASCII, and names in any script.
    private mutating func skip(while matches: (Unicode.Scalar) -> Bool) {
        while position < bytes.count {
            let length = bytes[position] < 0x80 ? 1 : (~bytes[position]).leadingZeroBitCount
            // proven: the bytes come from a string, so characters are complete.
            let scalars = String(decoding: bytes[position..<position + length], as: UTF8.self).unicodeScalars
            guard let scalar = scalars.first, matches(scalar) else { return }
            position += length
        }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
