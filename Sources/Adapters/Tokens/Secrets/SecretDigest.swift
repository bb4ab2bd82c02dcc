// Digests of secrets: a reader of the store gains nothing that grants access.

/// The SHA-256 of a secret, stored and compared instead of the secret. Only safe for generated secrets; a password chosen by
/// a person could be guessed from it.
package struct SecretDigest: Hashable, Sendable {
    private static let size = 32

    private let bytes: [UInt8]

    package init(of text: some Sequence<UInt8>) {
        bytes = Hashes.sha256(of: Array(text))
    }

    /// - Returns: nil unless the text is 64 hexadecimal digits.
    package init?(hexadecimal: String) {
        let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * Self.size, hexadecimal.utf8.count == digits.count else { return nil }
        bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// 64 hexadecimal digits in lower case.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Compares in constant time.
    package static func == (one: Self, other: Self) -> Bool { Hashes.areSame(one.bytes, other.bytes) }
}
