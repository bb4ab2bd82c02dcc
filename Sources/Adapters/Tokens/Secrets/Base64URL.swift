// Base64url without padding (RFC 4648 section 5, RFC 7515 section 2). Decoding is strict, so each byte string has exactly
// one text: a lenient decoder would give one token many spellings.

enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each digit; 255 for other bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(truncatingIfNeeded: value) }
        return values
    }()

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(pending >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(pending << UInt32(6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil for padding, other characters, an impossible length, or unused bits that are set.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var pending: UInt32 = 0
        var bits = 0
        for digit in text {
            let value = values[Int(digit)]
            guard value != .max else { return nil }
            pending = pending << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
            }
        }
        return pending & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
    }
}
