// Splits a formatted sample into its digits and the text around and between them. It knows the digits to look for, but no
// locales.

import Labels

/// The parts of one formatted number.
struct SampledNumber {
    let affixes: Affixes
    /// The digits, in order.
    let digits: [Int]
    /// The text between digit i and i + 1, if any.
    let separators: [Int: [UInt8]]

    /// Nil if the text has no digits of this set.
    init?(_ text: String, digits set: DigitSet) {
        let values = Dictionary(uniqueKeysWithValues: (0..<10).map { (set.text(of: $0), $0) })
        let scalars = text.unicodeScalars.map { String($0) }
        guard let first = scalars.firstIndex(where: { values[$0] != nil }),
            let last = scalars.lastIndex(where: { values[$0] != nil })
        else { return nil }
        var digits: [Int] = []
        var separators: [Int: [UInt8]] = [:]
        for scalar in scalars[first...last] {
            if let digit = values[scalar] {
                digits.append(digit)
            } else {
                separators[digits.count - 1, default: []] += Array(scalar.utf8)
            }
        }
        self.digits = digits
        self.separators = separators
        affixes = Affixes(
            // proven: both were found in the text, the last not before the first.
            prefix: Array(scalars[..<first].joined().utf8), suffix: Array(scalars[(last + 1)...].joined().utf8))
    }
}
