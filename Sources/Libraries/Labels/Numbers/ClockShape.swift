// Seconds as a clock: 3661 is 1:01:01.

/// The units of a clock besides seconds. The largest unit is unbounded.
public enum ClockShape: String, Hashable, Sendable, CaseIterable {
    /// `61:01`
    case minutes
    /// `1:01:01`
    case hours

    /// Groups of two digits after the first unit.
    var grouping: NumberPlan.Grouping { .init(primary: 2, secondary: self == .hours ? 2 : 0) }

    /// Converts seconds, in units of their last decimal, to the number with a clock's digits: 3661 to 10101.
    func digits(of units: DecimalUnits, decimals: Int) -> DecimalUnits {
        // A clock's number is up to three times larger, which 38 digits hold. Beyond them, some 10^17 seconds with twenty
        // decimals, seconds stay as they are.
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
