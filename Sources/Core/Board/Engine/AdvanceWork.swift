// What one advance may do before frames, answers and everybody else have their turn.

/// Work done since an advance began.
struct AdvanceWork: Hashable, Sendable {
    /// Ends of motions, removals for age and firings.
    var steps = 0
    /// Actions carried out.
    var actions = 0
    /// Bytes of the events told.
    var bytes = 0

    /// One number for all of it, in bytes: an end costs as much as telling a kilobyte, an action half of that.
    var total: Int { steps * 1_024 + actions * 512 + bytes }

    /// About what a step with these actions comes to.
    static func expected(_ actions: ActionList?) -> Int {
        1_024 + (actions.map { $0.actions.count * 512 + $0.source.count } ?? 0)
    }

    /// Whether any part of a budget is used up.
    func exceeds(_ configuration: Engine.Configuration) -> Bool {
        steps >= configuration.maximumStepsPerAdvance || actions >= configuration.maximumActionsPerAdvance
            || bytes >= configuration.maximumEventBytesPerAdvance
    }
}
