// Ids for resources that the server names.

/// Makes unique ids that can't be guessed from others: who may read one resource learns no other's id.
package struct NameSource: Sendable {
    /// 100 bits: among a billion ids, the probability of a collision is 4 in 10^13.
    private static let length = 20
    /// RFC 4648, section 6, in lower case.
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package init() {}

    /// - Parameter prefix: Distinguishes the kinds.
    package func next(_ prefix: String) -> String {
        // The system's source of randomness, which is cryptographic.
        var bits = UInt128.random(in: .min ... .max)
        var id = "\(prefix)-"
        for _ in 0..<Self.length {
            id.unicodeScalars.append(Unicode.Scalar(Self.digits[Int(truncatingIfNeeded: bits & 31)]))
            bits >>= 5
        }
        return id
    }
}
