// Reads ICU MessageFormat's common subset: literal text, {n}, {n, plural, offset:1 …} with nested arguments, # and
// apostrophe quoting. Anything beyond one number (dates, select) is refused by name of its place.

/// A parsed message, still as a tree.
struct PluralMessageTree {
    enum Choice {
        case category(PluralCategory)
        case exact(UInt64, PluralCategory)
    }

    indirect enum Node {
        case text([UInt8])
        /// The number; as # stands for it, less the offset.
        case number(isShifted: Bool)
        case plural([PluralCategory: [Node]], exact: [UInt64: [Node]])
    }

    let nodes: [Node]
    /// All `=N` of the message, without doubles, in order.
    let exactValues: [UInt64]
    /// What is subtracted from the number where # stands for it, and before its category is looked for.
    let offset: UInt64

    /// The flat form for a category or an exact value.
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
            case .plural(let forms, let exact): flatten(branch(forms, exact, choice), choice, into: &form)
            }
        }
    }

    private static func branch(
        _ forms: [PluralCategory: [Node]], _ exact: [UInt64: [Node]], _ choice: Choice
    ) -> [Node] {
        let category: PluralCategory
        switch choice {
        case .category(let wanted): category = wanted
        case .exact(let value, let wanted):
            if let nodes = exact[value] { return nodes }
            category = wanted
        }
        return forms[category] ?? forms[.other] ?? []
    }
}

/// A recursive descent over the bytes of a message.
struct PluralMessageParser {
    private let bytes: [UInt8]
    private var position = 0
    private var name: [UInt8]?
    private var exactValues: Set<UInt64> = []
    /// Of the plural arguments so far; nil before the first.
    private var offset: UInt64?

    /// Nesting and exact forms are bounded: messages come from clients.
    private static let maximumDepth = 4
    private static let maximumExactForms = 32
    private static let maximumOffset: UInt64 = 1_000_000

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(LabelError) -> PluralMessageTree {
        let nodes = try parseNodes(depth: 0)
        guard position == bytes.count else { throw LabelError(.unbalancedBrace, at: position) }
        return PluralMessageTree(nodes: nodes, exactValues: exactValues.sorted(), offset: offset ?? 0)
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
                text += quoted()
            } else {
                text.append(byte)
                position += 1
            }
        }
        if !text.isEmpty { nodes.append(.text(text)) }
        return nodes
    }

    /// ICU's apostrophe rules: two are one, one before a brace or # quotes up to the next, any other is itself.
    private mutating func quoted() -> [UInt8] {
        let quote = UInt8(ascii: "'")
        position += 1
        guard position < bytes.count else { return [quote] }
        if bytes[position] == quote {
            position += 1
            return [quote]
        }
        guard [ASCII.openBrace, ASCII.closeBrace, UInt8(ascii: "#")].contains(bytes[position]) else { return [quote] }
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
        guard !name.isEmpty else { throw LabelError(.malformedPlural, at: position) }
        if let known = self.name, known != name { throw LabelError(.severalArguments, at: start) }
        self.name = name
        if take(ASCII.closeBrace) { return .number(isShifted: false) }
        guard take(ASCII.comma), word() == Array("plural".utf8), take(ASCII.comma) else {
            throw LabelError(.malformedPlural, at: position)
        }
        return try parseForms(start: start, depth: depth)
    }

    private mutating func parseForms(start: Int, depth: Int) throws(LabelError) -> PluralMessageTree.Node {
        var forms: [PluralCategory: [PluralMessageTree.Node]] = [:]
        var exact: [UInt64: [PluralMessageTree.Node]] = [:]
        try parseOffset()
        while !take(ASCII.closeBrace) {
            let place = position
            let value = take(UInt8(ascii: "=")) ? ExactDecimal(parsing: word()) : nil
            let key = value == nil ? String(decoding: word(), as: UTF8.self) : ""
            guard take(ASCII.openBrace) else { throw LabelError(.malformedPlural, at: position) }
            let nodes = try parseNodes(depth: depth + 1)
            guard take(ASCII.closeBrace) else { throw LabelError(.unbalancedBrace, at: start) }
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
        return .plural(forms, exact: exact)
    }

    /// `offset:1` before the forms, 0 where there is none.
    private mutating func parseOffset() throws(LabelError) {
        skipSpace()
        let start = position
        var value: UInt64 = 0
        if word() == Array("offset".utf8), take(ASCII.colon) {
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
        while position < bytes.count, bytes[position] == ASCII.space || (9...13).contains(bytes[position]) {
            position += 1
        }
    }

    private mutating func word() -> [UInt8] {
        skipSpace()
        let start = position
        while position < bytes.count, Self.isWord(bytes[position]) { position += 1 }
        // proven: a position only grows, as far as the end.
        let word = Array(bytes[start..<position])
        skipSpace()
        return word
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
