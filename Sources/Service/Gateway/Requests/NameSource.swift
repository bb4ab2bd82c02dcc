// Ids for resources that the server names.

/// Makes ids that are new, and that nobody can guess from others: whoever may look at one knows no other.
package struct NameSource: Sendable {
    /// 100 bits: of a billion ids the chance that two are alike is 4 in 10^13.
    private static let length = 20
    /// RFC 4648, 6, in lower case.
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package init() {}

    /// - Parameter prefix: Tells the kinds apart.
    package func next(_ prefix: String) -> String {
        // The system's own source of randomness, which is a cryptographic one.
        var bits = UInt128.random(in: .min ... .max)
        var id = "\(prefix)-"
        for _ in 0..<Self.length {
            id.unicodeScalars.append(Unicode.Scalar(Self.digits[Int(truncatingIfNeeded: bits & 31)]))
            bits >>= 5
        }
        return id
    }
}
