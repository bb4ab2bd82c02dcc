import Board
import Labels

/// Plans every number alike: these tests are of what is written, not of locales.
struct NoFormats: Planner {
    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        .grouped(decimals: decimals ?? 2)
    }
}
