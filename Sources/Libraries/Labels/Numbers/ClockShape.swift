// Seconds as a clock shows them: 3661 is 1:01:01.

/// Which units a clock shows beside seconds. The largest takes in what is above it.
public enum ClockShape: String, Hashable, Sendable, CaseIterable {
    /// `61:01`
    case minutes
    /// `1:01:01`
    case hours

    /// Groups of two digits behind the first unit.
    var grouping: NumberPlan.Grouping { .init(primary: 2, secondary: self == .hours ? 2 : 0) }

    /// Seconds in units of their last decimal, as the number whose digits a clock has: 3661 as 10101.
    func digits(of units: DecimalUnits, decimals: Int) -> DecimalUnits {
        // A clock has up to three times the number, which 38 digits hold.
        guard units.zeros + DecimalUnits.digitCount(units.units) < ExactDecimal.maximumDigits else { return units }
        let (seconds, fraction) = (units.units * PowersOfTen.wide(units.zeros)).quotientAndRemainder(
            dividingBy: PowersOfTen.wide(decimals))
        let (minutes, hours) = (seconds / 60, seconds / 3_600)
        let shown =
            switch self {
            case .minutes: minutes * 100 + seconds % 60
            case .hours: hours * 10_000 + minutes % 60 * 100 + seconds % 60
            }
        return DecimalUnits(units: shown * PowersOfTen.wide(decimals) + fraction)
    }
}
