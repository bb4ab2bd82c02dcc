// How a percentage is written: the number alone, for a template with its own percent sign, or with the sign.

/// The plans for a progress' percentage. A class, since most labels share one.
package final class PercentStyle: Hashable, Sendable {
    /// The most digits after the point of a percentage.
    package static let maximumDecimals = 10

    /// The number alone: `42`. Its input is in percent.
    package let number: NumberPlan
    /// The number with the percent sign, as in the locale: `42%`, `42 %`, `%42`. Its input is in percent.
    package let signed: NumberPlan
    /// Digits after the point.
    package var decimals: Int { number.decimals }

    /// Integer percentages in ASCII.
    package static let whole = PercentStyle(decimals: 0)

    /// - Parameters:
    ///   - number: For an input in percent, with as many decimals as `signed`.
    ///   - signed: For an input in percent.
    package init(number: NumberPlan, signed: NumberPlan) {
        (self.number, self.signed) = (number, signed)
    }

    /// Creates a style with ASCII digits and the percent sign after them. Decimals are cut off, not rounded: 99.9 shows 99.
    package convenience init(decimals: Int) {
        var number = NumberPlan.plain(decimals: decimals)
        number.rounding = .trunc
        var signed = number
        let sign = Array("%".utf8)
        signed.affixes = SignedAffixes(
            positive: Affixes(prefix: [], suffix: sign), negative: Affixes(prefix: [ASCII.minus], suffix: sign))
        self.init(number: number, signed: signed)
    }

    /// The smallest steps shown in one percent: 10^decimals, for at most `maximumDecimals`.
    package static func unitsPerPercent(_ decimals: Int) -> Double {
        PowersOfTen.double(min(max(decimals, 0), maximumDecimals))
    }

    func escapedForJSON() -> PercentStyle {
        let escaped = PercentStyle(number: number.escapedForJSON(), signed: signed.escapedForJSON())
        return escaped == self ? self : escaped
    }

    package static func == (left: PercentStyle, right: PercentStyle) -> Bool {
        left === right || left.number == right.number && left.signed == right.signed
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
