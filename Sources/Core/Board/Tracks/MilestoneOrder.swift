// In which order a number comes to its milestones.

import Labels

/// Milestones on a way, in the order in which it reaches them, and those that it doesn't reach.
struct MilestoneOrder {
    let crossed: [ExactDecimal]
    /// In the order in which they were given.
    let ahead: [ExactDecimal]

    /// - Parameter turns: Where the way begins, turns and ends. Between one and the next, it goes one way, or jumps.
    init(_ milestones: [ExactDecimal], along turns: [Double]) {
        let sorted = milestones.sorted()
        let start = turns.first ?? 0
        // Those from `low` up to `high` are crossed: a way without gaps has reached all between its ends.
        var low = sorted.firstIndex { $0.double >= start } ?? sorted.count
        var high = sorted.firstIndex { $0.double > start } ?? sorted.count
        // proven: a place that is at least a start is at most one that is above it.
        var crossed = Array(sorted[low..<high])
        for turn in turns {
            while high < sorted.count, sorted[high].double <= turn {
                crossed.append(sorted[high])
                high += 1
            }
            while low > 0, sorted[low - 1].double >= turn {
                low -= 1
                crossed.append(sorted[low])
            }
        }
        let reached = Set(crossed)
        self.crossed = crossed
        ahead = milestones.filter { !reached.contains($0) }
    }
}
