// Escapes JSON strings: what RFC 8259 requires, and line breaks that readers of a line-based stream may misinterpret. It
// doesn't write the quotes.

/// Escapes text for JSON strings.
package enum JSONText {
    /// Appends `utf8` as the inside of a JSON string: escapes quotes, backslash, control characters, DEL, U+0085, U+2028 and
    /// U+2029; everything else stays byte for byte. The text must be valid UTF-8.
    // Explicitly specialized: other modules would otherwise call the generic code, which is ten times slower.
    @specialized(where Text == [UInt8])
    @specialized(where Text == ArraySlice<UInt8>)
    @specialized(where Text == String.UTF8View)
    package static func appendEscaped<Text: Collection<UInt8>>(_ utf8: Text, to bytes: inout [UInt8]) {
        // Most text is plain, and copied at once.
        guard !utf8.allSatisfy(isPlain) else {
            bytes.append(contentsOf: utf8)
            return
        }
        // The last bytes of U+0085 (C2 85), U+2028 and U+2029 (E2 80 A8/A9) decide, so earlier ones are held back.
        var held = Held.none
        for byte in utf8 {
            switch (held, byte) {
            case (.c2, 0x85): append(escape: 0x85, to: &bytes)
            case (.e280, 0xA8): append(escape: 0x2028, to: &bytes)
            case (.e280, 0xA9): append(escape: 0x2029, to: &bytes)
            case (.e2, 0x80):
                held = .e280
                continue
            default:
                flush(held, to: &bytes)
                held = Held(lead: byte)
                if held == .none { append(byte, to: &bytes) }
                continue
            }
            held = .none
        }
        flush(held, to: &bytes)
    }

    /// Appends an escaped string; most are plain.
    package static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        let utf8 = text.utf8.span
        for index in utf8.indices where !isPlain(utf8[index]) { return appendEscaped(text.utf8, to: &bytes) }
        bytes.append(utf8)
    }

    /// Returns an escaped copy of a text.
    package static func escaped(_ utf8: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.underestimatedCount)
        appendEscaped(utf8, to: &bytes)
        return bytes
    }

    /// Returns an escaped copy of a text, or the text itself without a copy if it is plain ASCII, as most is.
    static func escaped(_ utf8: [UInt8]) -> [UInt8] {
        guard !utf8.allSatisfy(isPlain) else { return utf8 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        appendEscaped(utf8, to: &bytes)
        // The result lives as long as its label, so unneeded capacity is released.
        return bytes.capacity > bytes.count + bytes.count / 8 ? bytes.map { $0 } : bytes
    }

    /// Returns whether a byte is ASCII that needs no escape.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != ASCII.quote && byte != ASCII.backslash
    }

    private enum Held {
        case none, c2, e2, e280

        init(lead byte: UInt8) {
            switch byte {
            case 0xC2: self = .c2
            case 0xE2: self = .e2
            default: self = .none
            }
        }
    }

    private static func flush(_ held: Held, to bytes: inout [UInt8]) {
        switch held {
        case .none: break
        case .c2: bytes.append(0xC2)
        case .e2: bytes.append(0xE2)
        case .e280:
            bytes.append(0xE2)
            bytes.append(0x80)
        }
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        if byte >= 0x20, byte != ASCII.quote, byte != ASCII.backslash, byte != 0x7F {
            bytes.append(byte)
            return
        }
        switch byte {
        case ASCII.quote, ASCII.backslash: append(pair: byte, to: &bytes)
        case 0x08: append(pair: UInt8(ascii: "b"), to: &bytes)
        case 0x09: append(pair: UInt8(ascii: "t"), to: &bytes)
        case 0x0A: append(pair: UInt8(ascii: "n"), to: &bytes)
        case 0x0C: append(pair: UInt8(ascii: "f"), to: &bytes)
        case 0x0D: append(pair: UInt8(ascii: "r"), to: &bytes)
        default: append(escape: UInt16(byte), to: &bytes)
        }
    }

    private static func append(pair byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(ASCII.backslash)
        bytes.append(byte)
    }

    private static func append(escape unit: UInt16, to bytes: inout [UInt8]) {
        append(pair: UInt8(ascii: "u"), to: &bytes)
        for shift in stride(from: 12, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: (unit >> UInt16(shift)) & 0xF)
            bytes.append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
