// A rendering as a reader sees it who asked for another locale than the poster's: the same words, the numbers as that locale
// writes them.

package import Labels

extension Rendering {
    /// The formats by which it is written in a locale: what `written` asks a planner for.
    package func formats(in locale: String) -> [NumberFormat] {
        switch self {
        case .ticker(let rendering): return [rendering.format(in: locale)]
        case .progress(let rendering):
            let format = rendering.format(in: locale)
            return format.ofProgress
        }
    }

    /// The same rendering with its numbers written by a locale. The currency or unit and the digits after the point stay as they
    /// were asked for; where nobody asked, they are the format's in that locale.
    /// - Throws: `CommandError.invalid` naming what in the format can't be.
    package func written(in locale: String, planner: any Planner) throws(CommandError) -> Rendering {
        switch self {
        case .ticker(let rendering): .ticker(try rendering.written(in: locale, planner: planner))
        case .progress(let rendering): .progress(try rendering.written(in: locale, planner: planner))
        }
    }
}

extension NumberFormat {
    /// What a reader's locale makes of a poster's format, or of numbers that were posted without one.
    /// - Parameter plan: How the numbers are written as they were posted: what has no groups there, such as a year, has none
    ///   in any locale.
    static func written(in locale: String, _ posted: NumberFormat?, as plan: NumberPlan) -> NumberFormat {
        var format = posted ?? NumberFormat()
        if posted == nil, plan.grouping == .none { format.grouping = .never }
        format.locale = locale
        return format
    }
}
