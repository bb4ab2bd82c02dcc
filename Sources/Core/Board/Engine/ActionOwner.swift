// Who posted the actions of a request. Lists within lists get their owner when the outer one runs.

extension Command {
    /// The owner of its actions; nil if it has none or they have none.
    package var owner: String? {
        switch self {
        case .update(_, let update), .define(_, let update): update.owner
        case .schedule(_, let definition): definition.actions.owner
        default: nil
        }
    }

    /// Returns the command with the owner of its actions, if it has any.
    package func posted(by owner: String?) -> Command {
        guard let owner else { return self }
        switch self {
        case .update(let name, let update) where update.hasActions:
            return .update(name, update.posted(by: owner))
        case .define(let name, let update) where update.hasActions:
            return .define(name, update.posted(by: owner))
        case .schedule(let name, let definition):
            return .schedule(name, definition.posted(by: owner))
        default: return self
        }
    }
}

extension Action {
    /// Returns the action with the owner of the list that it belongs to.
    func posted(by owner: String?) -> Action {
        switch self {
        case .command(let command): .command(command.posted(by: owner))
        case .later(let definition): .later(definition.posted(by: owner))
        case .notify, .webhook: self
        }
    }
}

extension TrackUpdate {
    /// The owner of its actions; nil if it has none or they have none.
    package var owner: String? {
        then?.owner ?? otherwise?.owner ?? milestoneActions?.entries.first?.actions.owner
    }

    /// Returns the update with the owner of its actions.
    package func posted(by owner: String?) -> TrackUpdate {
        guard let owner, hasActions else { return self }
        var update = self
        update.then?.owner = owner
        update.otherwise?.owner = owner
        if let actions = milestoneActions { update.milestoneActions = actions.posted(by: owner) }
        return update
    }
}

extension MilestoneActions {
    /// Returns the actions with their owner.
    package func posted(by owner: String?) -> MilestoneActions {
        let entries = entries.map { entry in
            var actions = entry.actions
            actions.owner = owner
            return Entry(value: entry.value, index: entry.index, actions: actions)
        }
        return MilestoneActions(entries: entries, source: source)
    }
}

extension ScheduleDefinition {
    /// Returns the definition with the owner of its actions.
    package func posted(by owner: String?) -> ScheduleDefinition {
        var definition = self
        definition.actions.owner = owner
        return definition
    }
}

extension Run {
    /// The owner of its actions; nil if it has none or they have none.
    package var owner: String? {
        then?.owner ?? otherwise?.owner ?? milestoneActions?.entries.first?.actions.owner
    }
}
