// Ids for resources that the server names.

package import Base

/// Makes unique ids that can't be guessed from others: who may read one resource learns no other's id.
package struct NameSource: Sendable {
    /// 100 bits: among a billion ids, the probability of a collision is 4 in 10^13.
    private static let length = 20
    /// RFC 4648, section 6, in lower case.
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    private let random: RandomSource

    package init(_ random: RandomSource) { self.random = random }

    /// - Parameter prefix: Distinguishes the kinds.
    package func next(_ prefix: String) -> String {
        var source = random
        var bits = UInt128.random(in: .min ... .max, using: &source)
        var id = "\(prefix)-"
        for _ in 0..<Self.length {
            id.unicodeScalars.append(Unicode.Scalar(Self.digits[Int(truncatingIfNeeded: bits & 31)]))
            bits >>= 5
        }
        return id
    }
}
