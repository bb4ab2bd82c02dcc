// A rendering for a reader who asked for another locale: the client's words stay; numbers, and the service's own words, are
// those of that locale.

package import Labels

extension Rendering {
    /// Returns the formats that `written` needs from a planner for a locale.
    package func formats(in locale: String) -> [NumberFormat] {
        switch self {
        case .ticker(let rendering): return [rendering.format(in: locale)]
        case .progress(let rendering):
            let format = rendering.format(in: locale)
            return format.ofProgress
        }
    }

    /// Returns the same rendering with its numbers in a locale. All options of a posted format stay except its locale. Decimals
    /// that nobody requested follow the target, or the locale for money and compact numbers.
    /// - Throws: `CommandError.invalid` naming what is wrong in the format.
    package func written(in locale: String, planner: any Planner) throws(CommandError) -> Rendering {
        switch self {
        case .ticker(let rendering): .ticker(try rendering.written(in: locale, planner: planner))
        case .progress(let rendering): .progress(try rendering.written(in: locale, planner: planner))
        }
    }
}

extension NumberFormat {
    /// Returns a client's format, or the one of numbers without a format, in a reader's locale.
    /// - Parameter plan: How the numbers are written without the locale: a number without groups, such as a year, has none
    ///   in any locale.
    static func written(in locale: String, _ posted: NumberFormat?, as plan: NumberPlan) -> NumberFormat {
        var format = posted ?? NumberFormat()
        if posted == nil, plan.grouping == .none { format.grouping = .never }
        format.locale = locale
        return format
    }
}
