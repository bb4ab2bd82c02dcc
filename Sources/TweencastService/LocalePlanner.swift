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

    /// Compiles what an update will need, ahead of the tick thread: locale data take milliseconds at first.
    func prepare(for update: TrackUpdate) throws(CommandError) {
        guard let format = update.format else { return }
        var scale = 0
        if case .to(let value) = update.goal { scale = value.scale }
        _ = try plan(for: format, decimals: update.decimals ?? format.decimals(inferredFrom: scale))
    }

    func plan(for format: NumberFormat, decimals: Int?) throws(CommandError) -> NumberPlan {
        let key = Key(format: format, decimals: decimals)
        if let known = plans.withLock({ $0[key] }) { return known }
        let plan: NumberPlan
        do throws(NumberFormatError) {
            plan = try NumberPlanCompiler.plan(for: format, decimals: decimals)
        } catch {
            throw .invalid(field: "format/\(error.field.rawValue)", reason: error.reason)
        }
        plans.withLock { plans in
            if plans.count >= Self.capacity { plans.removeAll() }
            plans[key] = plan
        }
        return plan
    }
}
