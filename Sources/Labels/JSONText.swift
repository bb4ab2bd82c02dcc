// The house's one escaper of JSON strings.

/// Text inside JSON strings.
public enum JSONText {
    /// Appends UTF-8 text, escaped; U+2028 and U+2029 too, which some readers take for line ends.
    public static func appendEscaped(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        // The last two bytes before the present one: a line or paragraph separator is E2 80 A8 or E2 80 A9.
        var before: (UInt8, UInt8) = (0, 0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
            case 0x0D: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
            case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
            case 0..<0x20, 0x7F: appendUnit(UInt16(byte), to: &bytes)
            case 0xA8, 0xA9:
                if before == (0xE2, 0x80) {
                    bytes.removeLast(2)
                    appendUnit(byte == 0xA8 ? 0x2028 : 0x2029, to: &bytes)
                } else {
                    bytes.append(byte)
                }
            default: bytes.append(byte)
            }
            before = (before.1, byte)
        }
    }

    private static func appendUnit(_ unit: UInt16, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(unit >> UInt16(shift) & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
