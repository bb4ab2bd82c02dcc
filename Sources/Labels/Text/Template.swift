// A label with named placeholders, taken apart once: literal text, {placeholder}, {{ and }}. What it doesn't know is an
// error, never text that happens to look like a placeholder.

/// The pieces of a template whose placeholders are the cases of an enumeration.
struct Template<Placeholder>: Hashable, Sendable
where Placeholder: RawRepresentable<String> & Hashable & Sendable {
    enum Piece: Hashable, Sendable {
        /// A range of `literals`.
        case text(Int, Int)
        case placeholder(Placeholder)
    }

    private(set) var literals: [UInt8] = []
    private(set) var pieces: [Piece] = []

    /// A template of placeholders and text, without parsing.
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

    /// The same template with its text escaped for JSON strings.
    func escapedForJSON() -> Template {
        var template = Template([])
        for piece in pieces {
            switch piece {
            case .placeholder: template.pieces.append(piece)
            // proven: pieces are ranges of their own literals.
            case .text(let start, let end): template.appendText(JSONText.escaped(literals[start..<end]))
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
        // proven: the brace was found at this place.
        guard let close = bytes[brace...].firstIndex(of: ASCII.closeBrace) else {
            throw LabelError(.unbalancedBrace, at: brace)
        }
        // proven: the closing brace was found behind the opening one.
        let name = String(decoding: bytes[(brace + 1)..<close], as: UTF8.self)
        guard let placeholder = Placeholder(rawValue: name) else {
            throw LabelError(.unknownPlaceholder(String(name.prefix(40))), at: brace)
        }
        pieces.append(.placeholder(placeholder))
        return close + 1
    }
}
