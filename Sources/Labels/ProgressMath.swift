// Percentages, truncated exactly.

/// The arithmetic of progress.
public enum ProgressMath {
    /// trunc(100 x current / maximum) in integers: 29 of 100 is 29.
    public static func percent(current: ExactDecimal, maximum: ExactDecimal) -> Int {
        let scale = max(current.scale, maximum.scale)
        if let part = current.rescaled(to: scale), let whole = maximum.rescaled(to: scale), whole != 0 {
            let (product, overflow) = part.multipliedReportingOverflow(by: 100)
            if !overflow { return Int(clamping: product / whole) }
        }
        return Int(clamping: Int128(exactly: (100 * (current.double / maximum.double)).rounded(.towardZero)) ?? 0)
    }

    /// The percentage of a value on its way: truncated, and short of the end's and of 100 until it has arrived.
    public static func percent(moving current: Double, toward end: ExactDecimal, maximum: ExactDecimal) -> Int {
        let share = (100 * (current / maximum.double)).rounded(.towardZero)
        let percent = Int(exactly: min(max(share, -1e15), 1e15)) ?? 0
        let last = Self.percent(current: end, maximum: maximum)
        // Rounding in the division must not show the end early, nor anything more than it on the way up.
        let capped = current <= end.double ? min(percent, last) : percent
        return current < maximum.double ? min(capped, 99) : capped
    }
}
