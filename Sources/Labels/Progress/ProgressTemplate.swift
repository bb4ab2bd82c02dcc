// Takes progress templates apart: literal text, {placeholder}, {{ and }}. What it doesn't know is an error, never
// text that happens to look like a placeholder.

enum ProgressTemplate {
    static func parse(_ bytes: [UInt8]) throws(LabelError) -> (literals: [UInt8], pieces: [ProgressLabel.Piece]) {
        var literals: [UInt8] = []
        var pieces: [ProgressLabel.Piece] = []
        var start = 0
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            let isDoubled = position + 1 < bytes.count && bytes[position + 1] == byte
            switch byte {
            case ASCII.openBrace, ASCII.closeBrace:
                if isDoubled {
                    literals.append(byte)
                    position += 2
                    continue
                }
                guard byte == ASCII.openBrace else { throw LabelError(.unbalancedBrace, at: position) }
                if literals.count > start { pieces.append(.text(start, literals.count)) }
                start = literals.count
                let (placeholder, end) = try self.placeholder(in: bytes, at: position)
                pieces.append(.placeholder(placeholder))
                position = end
            default:
                literals.append(byte)
                position += 1
            }
        }
        if literals.count > start { pieces.append(.text(start, literals.count)) }
        return (literals, pieces)
    }

    private static func placeholder(
        in bytes: [UInt8], at brace: Int
    ) throws(LabelError) -> (ProgressLabel.Placeholder, end: Int) {
        guard let close = bytes[brace...].firstIndex(of: ASCII.closeBrace) else {
            throw LabelError(.unbalancedBrace, at: brace)
        }
        let name = String(decoding: bytes[(brace + 1)..<close], as: UTF8.self)
        guard let placeholder = ProgressLabel.Placeholder(rawValue: name) else {
            throw LabelError(.unknownPlaceholder(String(name.prefix(40))), at: brace)
        }
        return (placeholder, close + 1)
    }
}
