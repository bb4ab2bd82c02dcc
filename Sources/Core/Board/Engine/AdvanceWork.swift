// The work that one advance may do before frames and responses have their turn.

/// Work done since an advance began.
struct AdvanceWork: Hashable, Sendable {
    /// Ends of motions, removals of expired tracks, and firings.
    var steps = 0
    /// Actions run.
    var actions = 0
    /// Bytes of the events emitted.
    var bytes = 0

    /// The total cost in bytes. A step costs as much as 1,024 bytes of events, an action half of that.
    var total: Int { steps * 1_024 + actions * 512 + bytes }

    /// Estimates the cost of a step with these actions.
    static func expected(_ actions: ActionList?) -> Int {
        1_024 + (actions.map { $0.actions.count * 512 + $0.source.count } ?? 0)
    }

    /// Returns whether any part of the budget is used up.
    func exceeds(_ configuration: Engine.Configuration) -> Bool {
        steps >= configuration.maximumStepsPerAdvance || actions >= configuration.maximumActionsPerAdvance
            || bytes >= configuration.maximumEventBytesPerAdvance
    }
}
