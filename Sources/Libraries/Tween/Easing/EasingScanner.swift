// The tokens of an easing's text, by CSS Syntax Level 3: spaces and comments, names, numbers. It doesn't know any easings.

/// Scans the bytes of an easing's text.
struct EasingScanner {
    /// A CSS number or percentage.
    struct Number {
        /// A percentage is divided by 100; nil beyond a double's range.
        var value: Double?
        /// The number if it is an integer: written without a point and exponent, or computed and rounded.
        var integer: Int?
        var isPercentage: Bool
    }

    private let text: String
    private var position: String.UTF8View.Index

    init(_ text: String) {
        self.text = text
        position = text.utf8.startIndex
    }

    var isAtEnd: Bool { position == text.utf8.endIndex }

    var byte: UInt8? { isAtEnd ? nil : text.utf8[position] }

    /// Skips white space and comments.
    mutating func skipSpace() {
        while let byte {
            if byte == UInt8(ascii: "/") {
                guard skipComment() else { return }
            } else if byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B {
                advance()
            } else {
                return
            }
        }
    }

    /// Skips one byte if it is `expected`.
    mutating func accept(_ expected: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: expected) else { return false }
        advance()
        return true
    }

    /// Reads ASCII letters, digits and hyphens starting with a letter, in lower case; empty if there is none.
    mutating func name() -> String {
        var bytes: [UInt8] = []
        while let byte {
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            let isLetter = (0x61...0x7A).contains(lower)
            let isOther = Self.isDigit(byte) || byte == UInt8(ascii: "-")
            guard isLetter || isOther && !bytes.isEmpty else { break }
            bytes.append(lower)
            advance()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads a number or percentage, written or computed. Returns nil and reads nothing if there is none.
    mutating func number() -> Number? { literal() ?? computed() }

    /// Reads a written number.
    mutating func literal() -> Number? {
        let start = position
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { advance() }
        let whole = skipDigits()
        var fraction = 0
        if byte == UInt8(ascii: ".") {
            advance()
            fraction = skipDigits()
            guard fraction > 0 else {
                position = start
                return nil
            }
        }
        guard whole + fraction > 0 else {
            position = start
            return nil
        }
        // proven: a position only grows, at most to the end.
        let mantissa = text[start..<position]
        let exponent = exponentPart()
        let isPercentage = accept("%")
        // Shifting a percentage as text avoids a second rounding.
        let value = Double("\(mantissa)e\((exponent ?? 0) - (isPercentage ? 2 : 0))")
        // An integer too large for an Int is beyond every limit.
        let integer = fraction == 0 && exponent == nil ? Int(mantissa) ?? .max : nil
        return Number(value: value?.isFinite == true ? value : nil, integer: integer, isPercentage: isPercentage)
    }

    private mutating func exponentPart() -> Int? {
        let start = position
        guard accept("e") || accept("E") else { return nil }
        let digits = position
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { advance() }
        // Five digits exceed any double and leave room for the shift of a percentage.
        // proven: a position only grows, at most to the end.
        guard skipDigits() > 0, let value = Int(text[digits..<position]), value.magnitude < 100_000 else {
            position = start
            return nil
        }
        return value
    }

    private mutating func skipDigits() -> Int {
        var count = 0
        while let byte, Self.isDigit(byte) {
            advance()
            count += 1
        }
        return count
    }

    private mutating func skipComment() -> Bool {
        let start = position
        advance()
        guard accept("*") else {
            position = start
            return false
        }
        while !isAtEnd {
            if accept("*") {
                if accept("/") { return true }
            } else {
                advance()
            }
        }
        position = start
        return false
    }

    private mutating func advance() {
        text.utf8.formIndex(after: &position)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }
}
