// Milestones that a number has crossed since the last look.

/// What follows from crossing milestones: events at once, and actions as soon as the change that crossed them is placed.
struct PassedMilestones {
    var events: [BoardEvent] = []
    /// In the order of the events.
    var actions: [ActionList] = []

    static let none = PassedMilestones()

    static func + (first: PassedMilestones, then: PassedMilestones) -> PassedMilestones {
        PassedMilestones(events: first.events + then.events, actions: first.actions + then.actions)
    }
}
