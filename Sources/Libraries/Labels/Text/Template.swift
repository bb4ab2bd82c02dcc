// Parses labels with named placeholders, once: literal text, {placeholder}, {{ and }}. An unknown placeholder is an error,
// never text.

/// The contents of a template's braces.
protocol TemplatePlaceholder: Hashable, Sendable {
    /// Parses the text between two braces.
    /// - Parameter brace: The position of the opening brace, in bytes.
    static func read(_ text: String, at brace: Int) throws(LabelError) -> Self
}

extension TemplatePlaceholder where Self: RawRepresentable<String> {
    static func read(_ text: String, at brace: Int) throws(LabelError) -> Self { try named(text, at: brace) }

    /// Returns the placeholder of this name.
    static func named(_ name: String, at brace: Int) throws(LabelError) -> Self {
        guard let placeholder = Self(rawValue: name) else {
            throw LabelError(.unknownPlaceholder(String(name.prefix(40))), at: brace)
        }
        return placeholder
    }
}

/// The pieces of a template with placeholders of one type.
struct Template<Placeholder: TemplatePlaceholder>: Hashable, Sendable {
    enum Piece: Hashable, Sendable {
        /// A range of `literals`.
        case text(Int, Int)
        case placeholder(Placeholder)
    }

    private(set) var literals: [UInt8] = []
    private(set) var pieces: [Piece] = []

    /// Creates a template from placeholders and text, without parsing.
    init(_ parts: [(placeholder: Placeholder?, text: String)]) {
        for part in parts {
            if let placeholder = part.placeholder { pieces.append(.placeholder(placeholder)) }
            appendText(part.text.utf8)
        }
    }

    init(parsing template: String) throws(LabelError) {
        let bytes = Array(template.utf8)
        var text: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == ASCII.openBrace || byte == ASCII.closeBrace else {
                text.append(byte)
                position += 1
                continue
            }
            if position + 1 < bytes.count, bytes[position + 1] == byte {
                text.append(byte)
                position += 2
                continue
            }
            guard byte == ASCII.openBrace else { throw LabelError(.unbalancedBrace, at: position) }
            appendText(text)
            text = []
            position = try parsePlaceholder(in: bytes, at: position)
        }
        appendText(text)
    }

    func contains(_ placeholder: Placeholder) -> Bool {
        pieces.contains(.placeholder(placeholder))
    }

    /// Whether it has any placeholders.
    var hasPlaceholders: Bool {
        pieces.contains { if case .placeholder = $0 { true } else { false } }
    }

    /// Returns the template with its text escaped for JSON strings.
    func escapedForJSON() -> Template {
        mapped(text: JSONText.escaped) { $0 }
    }

    /// Returns the template with changed texts; `change` gets the placeholders before and after each text.
    func mappedTexts(_ change: ([UInt8], Placeholder?, Placeholder?) -> [UInt8]) -> Template {
        func placeholder(_ index: Int) -> Placeholder? {
            guard pieces.indices.contains(index), case .placeholder(let placeholder) = pieces[index] else { return nil }
            return placeholder
        }
        var template = Template([])
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .placeholder: template.pieces.append(piece)
            case .text(let start, let end):
                // proven: pieces are ranges of their own literals.
                let text = Array(literals[start..<end])
                template.appendText(change(text, placeholder(index - 1), placeholder(index + 1)))
            }
        }
        return template
    }

    /// Returns the template with changed texts and placeholders.
    func mapped(text: ([UInt8]) -> [UInt8] = { $0 }, _ change: (Placeholder) -> Placeholder) -> Template {
        var template = Template([])
        for piece in pieces {
            switch piece {
            case .placeholder(let placeholder): template.pieces.append(.placeholder(change(placeholder)))
            // proven: pieces are ranges of their own literals.
            case .text(let start, let end): template.appendText(text(Array(literals[start..<end])))
            }
        }
        return template
    }

    /// Bytes of its text and pieces.
    var byteCount: Int { literals.count + pieces.count * MemoryLayout<Piece>.stride }

    /// Appends a range of the literal text.
    func appendText(_ start: Int, _ end: Int, to bytes: inout [UInt8]) {
        for index in start..<end { bytes.append(literals[index]) }
    }

    private mutating func appendText(_ text: some Collection<UInt8>) {
        guard !text.isEmpty else { return }
        let start = literals.count
        literals += text
        pieces.append(.text(start, literals.count))
    }

    private mutating func parsePlaceholder(in bytes: [UInt8], at brace: Int) throws(LabelError) -> Int {
        guard let close = Self.partner(of: brace, in: bytes) else { throw LabelError(.unbalancedBrace, at: brace) }
        // proven: the closing brace was found after the opening one.
        let text = String(decoding: bytes[(brace + 1)..<close], as: UTF8.self)
        pieces.append(.placeholder(try Placeholder.read(text, at: brace)))
        return close + 1
    }

    /// Returns the matching closing brace: a placeholder may contain texts in braces.
    private static func partner(of brace: Int, in bytes: [UInt8]) -> Int? {
        var depth = 0
        for place in brace..<bytes.count {
            if bytes[place] == ASCII.openBrace { depth += 1 }
            guard bytes[place] == ASCII.closeBrace else { continue }
            depth -= 1
            if depth == 0 { return place }
        }
        return nil
    }
}
