// Compiled number formats, kept: locale data are read once a format.

import Board
import Labels
import Locales
import Synchronization

/// Plans by format and decimals.
final class LocalePlanner: Planner {
    private struct Key: Hashable {
        var format: NumberFormat
        var decimals: Int?
    }

    /// The most plans kept; beyond it all go and are compiled again as they are needed.
    private static let capacity = 10_000
    private let plans = Mutex<[Key: NumberPlan]>([:])

    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        let key = Key(format: format, decimals: decimals)
        if let known = plans.withLock({ $0[key] }) { return known }
        let plan: NumberPlan
        do throws(NumberFormatError) {
            plan = try NumberPlanCompiler.plan(for: format, decimals: decimals)
        } catch {
            throw .invalid(field: "format/\(error.field)", reason: error.reason)
        }
        plans.withLock { plans in
            if plans.count >= Self.capacity { plans.removeAll() }
            plans[key] = plan
        }
        return plan
    }
}
