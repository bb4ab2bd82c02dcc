// The name by which an open stream's subscriptions can be changed.

/// 128 random bits. Only the stream's reader learns the name, on the stream.
package struct StreamName: Hashable, Sendable {
    // Two halves: a UInt128 would need 16-byte alignment in each stream's object.
    private let high: UInt64
    private let low: UInt64

    package init(_ bits: UInt128) {
        high = UInt64(truncatingIfNeeded: bits >> 64)
        low = UInt64(truncatingIfNeeded: bits)
    }

    /// - Parameter text: 22 letters of base64url (RFC 4648, section 5). Fails for anything else, and if the last four bits
    ///   are not 0, so that no stream has two names.
    package init?(_ text: String) {
        guard text.utf8.count == Self.letters else { return nil }
        var bits: UInt128 = 0
        for (index, letter) in text.utf8.enumerated() {
            guard let value = Self.alphabet.firstIndex(of: letter) else { return nil }
            if index < Self.letters - 1 {
                bits = bits << 6 | UInt128(value)
            } else {
                guard value & 15 == 0 else { return nil }
                bits = bits << 2 | UInt128(value >> 4)
            }
        }
        self.init(bits)
    }

    /// The name in base64url.
    package var text: String {
        let bits = UInt128(high) << 64 | UInt128(low)
        var letters = (0..<(Self.letters - 1)).map { place in
            Self.alphabet[Int(truncatingIfNeeded: bits >> (122 - 6 * UInt128(place)) & 63)]
        }
        letters.append(Self.alphabet[Int(truncatingIfNeeded: bits & 3) << 4])
        return String(decoding: letters, as: UTF8.self)
    }

    private static let letters = 22
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
