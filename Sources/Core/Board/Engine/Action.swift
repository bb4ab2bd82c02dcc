// Actions that run when a motion ends (`then`, `else`) or a schedule fires (`do`). Decoded and validated; the engine runs
// them.

/// One action.
package enum Action: Hashable, Sendable {
    /// A change, as in a request or a line of a batch.
    case command(Command)
    /// An action with a delay: the board names it and stores it as a schedule that fires once.
    indirect case later(ScheduleDefinition)
    /// An event for subscribers of notifications called `name`; `data` is JSON.
    case notify(name: String, data: [UInt8]?)
    /// A POST of `data` (JSON) to `url`. The service sends it.
    case webhook(url: String, data: [UInt8]?)
}

/// Actions in order, with the JSON they were decoded from. That JSON is stored and shown.
package struct ActionList: Sendable {
    /// The most actions of one list.
    package static let maximumCount = 32
    /// The most levels of lists within lists.
    package static let maximumDepth = 8

    package let actions: [Action]
    package let source: [UInt8]
    /// Whose update rate the actions count towards: the owner of the limits of the client that posted them; nil for none.
    package var owner: String?
    private let ownFootprint: Int

    package init(actions: [Action], source: [UInt8]) {
        self.actions = actions
        self.source = source
        ownFootprint = Footprint.block(source.count) + Self.footprint(of: actions)
    }

    /// Estimated memory in bytes.
    var footprint: Int { ownFootprint + Footprint.text(owner) }
}

extension ActionList: Hashable {
    // The same actions are equal whichever client posted them: a repeated request changes nothing.
    package static func == (left: ActionList, right: ActionList) -> Bool {
        left.actions == right.actions && left.source == right.source
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(actions)
        hasher.combine(source)
    }
}

extension Command {
    /// The actions in its request, without nested ones.
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

/// An action and its position in a request.
package struct PlacedAction: Sendable {
    package let action: Action
    /// A JSON Pointer (RFC 6901) without the leading slash: `then/0/schedule/do/1`.
    package let pointer: String

    /// The actions of a list, in order.
    /// - Parameter pointer: The pointer of the list.
    package static func all(in list: ActionList?, at pointer: String) -> [PlacedAction] {
        guard let list else { return [] }
        return list.actions.enumerated().map { PlacedAction(action: $1, pointer: "\(pointer)/\($0)") }
    }

    /// The actions of an update's lists.
    /// - Parameter pointer: The prefix of the lists' names.
    package static func all(in update: TrackUpdate, at pointer: String = "") -> [PlacedAction] {
        guard update.hasActions else { return [] }
        let milestones = (update.milestoneActions?.entries ?? []).flatMap {
            all(in: $0.actions, at: "\(pointer)milestones/\($0.index)/do")
        }
        return all(in: update.then, at: "\(pointer)then") + all(in: update.otherwise, at: "\(pointer)else") + milestones
    }

    /// The actions within this one. The actions of a delayed one have its pointer, since it becomes a schedule itself.
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
