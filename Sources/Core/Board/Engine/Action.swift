// What the end of a motion (`then`, `else`) or a schedule (`do`) sets off. Decoded and validated; performed by the engine.

/// One action.
package enum Action: Hashable, Sendable {
    /// A change, as a request or a line of a batch asks for it.
    case command(Command)
    /// An action with a delay: a schedule that fires it once, and that the board gives a name.
    indirect case later(ScheduleDefinition)
    /// An event for those who listen to `name`; `data` is JSON.
    case notify(name: String, data: [UInt8]?)
    /// A POST of `data` (JSON) to `url`, carried out by the service.
    case webhook(url: String, data: [UInt8]?)
}

/// Actions in their order, and the JSON they were decoded from, which is what is stored and shown.
package struct ActionList: Hashable, Sendable {
    /// The most actions of one list.
    package static let maximumCount = 32
    /// How deep lists of actions may hold lists of actions.
    package static let maximumDepth = 8

    package let actions: [Action]
    package let source: [UInt8]
    /// About how many bytes it takes up.
    let footprint: Int

    package init(actions: [Action], source: [UInt8]) {
        self.actions = actions
        self.source = source
        footprint = Footprint.block(source.count) + Self.footprint(of: actions)
    }
}

extension Command {
    /// The actions that a request for it holds, without those within them.
    package var actions: [PlacedAction] {
        switch self {
        case .update(_, let update) where update.hasActions, .define(_, let update) where update.hasActions:
            PlacedAction.all(in: update)
        case .update, .define: []
        case .schedule(_, let definition): PlacedAction.all(in: definition.actions, at: "do")
        case .remove, .play, .notify, .pauseSchedule, .resumeSchedule, .pauseAllSchedules, .resumeAllSchedules,
            .removeAllSchedules:
            []
        }
    }
}

/// An action and where a request has it.
package struct PlacedAction: Sendable {
    package let action: Action
    /// RFC 6901, without the slash at its beginning: `then/0/schedule/do/1`.
    package let pointer: String

    /// The actions of a list, in their order.
    /// - Parameter pointer: The list's own.
    package static func all(in list: ActionList?, at pointer: String) -> [PlacedAction] {
        guard let list else { return [] }
        return list.actions.enumerated().map { PlacedAction(action: $1, pointer: "\(pointer)/\($0)") }
    }

    /// The actions of an update's lists.
    /// - Parameter pointer: What comes before the names of the lists.
    package static func all(in update: TrackUpdate, at pointer: String = "") -> [PlacedAction] {
        guard update.hasActions else { return [] }
        return all(in: update.then, at: "\(pointer)then") + all(in: update.otherwise, at: "\(pointer)else")
    }

    /// The actions within this one. One with a delay stands where the schedule stands that it is made into.
    package var inner: [PlacedAction] {
        switch action {
        case .command(.update(_, let update)), .command(.define(_, let update)):
            Self.all(in: update, at: "\(pointer)/")
        case .command(.schedule(_, let definition)): Self.all(in: definition.actions, at: "\(pointer)/schedule/do")
        case .later(let definition):
            definition.actions.actions.map { PlacedAction(action: $0, pointer: pointer) }
        case .command, .notify, .webhook: []
        }
    }
}
