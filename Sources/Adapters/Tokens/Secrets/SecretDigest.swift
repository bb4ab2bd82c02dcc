// Digests of secrets: whoever reads what is kept learns nothing that would be let in.

/// SHA-256 of a secret: what is kept and compared in place of the secret itself. Enough for secrets that a generator has
/// made; a password that people choose could be guessed from it.
package struct SecretDigest: Hashable, Sendable {
    private static let size = 32

    private let bytes: [UInt8]

    package init(of text: some Sequence<UInt8>) {
        bytes = Hashes.sha256(of: Array(text))
    }

    /// - Returns: nil for what is not 64 hexadecimal digits.
    package init?(hexadecimal: String) {
        let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * Self.size, hexadecimal.utf8.count == digits.count else { return nil }
        bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// 64 digits in lower case.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// In time that does not tell how much of them is the same.
    package static func == (one: Self, other: Self) -> Bool { Hashes.areSame(one.bytes, other.bytes) }
}
