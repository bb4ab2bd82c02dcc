// Percent-encoding in URLs (RFC 3986, 2.1).

extension StringProtocol {
    /// The decoded text.
    /// - Returns: nil for a percent sign without two hexadecimal digits, and for bytes that are not UTF-8.
    var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(Self.digit), let low = rest.next().flatMap(Self.digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The text with everything encoded except letters, digits and `-._~/`.
    var percentEncoded: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                bytes += (digits.utf8.count == 1 ? "%0" : "%").utf8
                bytes += digits.utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt8 {
    /// Whether it is a letter, a digit, or one of `.`, `_` and `-`.
    var isNameCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    fileprivate var isUnreserved: Bool { isNameCharacter || self == UInt8(ascii: "~") || self == UInt8(ascii: "/") }
}
