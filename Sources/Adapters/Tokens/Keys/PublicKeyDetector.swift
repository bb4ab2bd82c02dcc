// Detects public keys configured as secrets. Everyone has a public key, so everyone could sign: the attack of RFC 8725
// section 2.1, by misconfiguration.

import Wire

enum PublicKeyDetector {
    static let refusal = JWTKeyError(
        "a secret for HS256 is needed, and this is a key of another kind, or a set of keys: a public key is no secret")

    /// Returns whether bytes look like a key with a public half: PEM, DER, DER in bare base64, a line or a file of OpenSSH, or
    /// JSON. Random bytes match less than once in a million times.
    static func isLikely(_ bytes: [UInt8]) -> Bool {
        let text = bytes.drop { isSpace($0) }
        return contains(bytes, "-----BEGIN ") || contains(bytes, "---- BEGIN ") || openSSH.contains { begins(text, $0) }
            || isSequence(bytes) || isObject(bytes) || isBareText(bytes)
    }

    /// How public keys of OpenSSH begin: with their algorithm, as text or, without it, in their base64.
    private static let openSSH: [StaticString] = [
        "ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNrLXNzaC",
        "AAAAInNrLWVjZHNh",
    ]

    /// Whether this is one DER sequence with nothing after it that begins like keys and certificates: with a sequence or a
    /// number.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2, bytes[0] == 0x30 else { return false }
        let digits = bytes[1] & 0x80 == 0 ? 0 : Int(bytes[1] & 0x7F)
        let start = 2 + digits
        guard digits <= 4, bytes.count > start, [0x30, 0x02].contains(bytes[start]) else { return false }
        // proven: the guard has checked the count.
        let length = digits == 0 ? Int(bytes[1]) : bytes[2..<start].reduce(0) { $0 << 8 | Int($1) }
        return bytes.count == start + length
    }

    /// Whether this is base64 of such a sequence, like the body of a PEM file.
    private static func isBareText(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.lazy.filter { !isSpace($0) && $0 != UInt8(ascii: "=") }.map { (byte: UInt8) -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return Base64URL.bytes(Array(digits)).map { isSequence($0) } ?? false
    }

    private static func isObject(_ bytes: [UInt8]) -> Bool {
        guard let document = try? JSONDocument(bytes), case .object = document.root.content else { return false }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func begins(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        bytes.starts(with: "\(word)".utf8)
    }

    private static func contains(_ bytes: [UInt8], _ word: StaticString) -> Bool {
        let word = Array("\(word)".utf8)
        return bytes.indices.contains { bytes.dropFirst($0).starts(with: word) }
    }
}
