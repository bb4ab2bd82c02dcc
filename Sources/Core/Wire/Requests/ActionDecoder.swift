// `then`, `else` and `do`: lists of actions, bounded in length and depth.

import Base
import Board
package import RecurrenceRules
import Tween

/// The context for decoding a list of actions: its depth, and the calendar rules of schedules in it.
struct ActionScope {
    let rules: any CalendarRules
    private(set) var depth = 0

    init(rules: any CalendarRules) { self.rules = rules }

    /// The scope of a list inside this one.
    var within: ActionScope {
        var scope = self
        scope.depth += 1
        return scope
    }
}

/// Calendar rules that reject every calendar recurrence.
package struct NoCalendarRules: CalendarRules {
    package init() {}

    package func recurrence(_ text: String, zone: String?) throws(RecurrenceError) -> CalendarRecurrence {
        throw RecurrenceError(field: "every", reason: "must be seconds")
    }
}

enum ActionDecoder {
    /// The maximum length of a webhook's URL in bytes.
    static let maximumURLBytes = 2_048

    /// - Parameter scope: The scope of what contains the list.
    static func actions(
        _ document: JSONDocument, _ node: JSONNode, pointer: String, scope outer: ActionScope
    ) throws(Problem) -> ActionList {
        let scope = outer.within
        guard scope.depth <= ActionList.maximumDepth || document.origin == .stored else {
            throw .field(pointer, "actions are nested more than \(ActionList.maximumDepth) levels deep")
        }
        guard case .array(let elements) = node.content else {
            throw .field(pointer, "must be an array of actions, not \(node.kind)")
        }
        guard elements.count <= ActionList.maximumCount || document.origin == .stored else {
            throw .field(pointer, "must hold at most \(ActionList.maximumCount) actions")
        }
        var actions: [Action] = []
        for (index, element) in elements.enumerated() {
            var fields = try FieldReader(document, element, pointer: "\(pointer)/\(index)")
            actions.append(try action(&fields, source: document.source(of: element), scope: scope))
        }
        return ActionList(actions: actions, source: document.source(of: node))
    }

    /// Decodes an action; one with a delay becomes a delayed action.
    private static func action(
        _ fields: inout FieldReader, source: [UInt8], scope: ActionScope
    ) throws(Problem) -> Action {
        // An update's delay belongs to its motion, as everywhere. An update without motion is delayed like other actions.
        let moves = ["to", "current", "by", "from", "maximum"].contains { fields.has($0) } && !fields.has("op")
        let delay = moves ? nil : try fields.number("delay", in: 0...TrackUpdate.maximumSeconds)
        guard let delay else { return try undelayed(&fields, source: source, scope: scope) }
        let own = fields.source(without: "delay")
        let action = try undelayed(&fields, source: own, scope: scope)
        let list = Array("[".utf8) + own + Array("]".utf8)
        var json = JSONWriter()
        json.object {
            $0.member("in", delay)
            $0.member("do", raw: list)
        }
        var definition = ScheduleDefinition(actions: ActionList(actions: [action], source: list), source: json.bytes)
        definition.plan.first = .after(delay)
        return .later(definition)
    }

    private static func undelayed(
        _ fields: inout FieldReader, source: [UInt8], scope: ActionScope
    ) throws(Problem) -> Action {
        if let name = try fields.id("notify") {
            let data = fields.read("data").map { fields.document.source(of: $0) }
            try fields.finish()
            if !fields.isStored { try LineRoom.check(data: data, at: fields.pointer(to: "data")) }
            return .notify(name: name, data: data)
        }
        if let url = try fields.string("webhook", longest: maximumURLBytes) {
            let data = fields.read("data").map { fields.document.source(of: $0) }
            try fields.finish()
            guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
                throw .field(fields.pointer(to: "webhook"), "must be an http or https URL")
            }
            return .webhook(url: url, data: data)
        }
        if let command = try schedule(&fields, scope: scope) { return .command(command) }
        if let command = try CommandDecoder.command(&fields, source: source, scope: scope) { return .command(command) }
        throw .field(
            fields.pointer, "an action needs one of `ticker`, `progress`, `schedule`, `notify` or `webhook`")
    }

    /// Decodes a schedule to create, which is an object; an operation has an id instead.
    private static func schedule(_ fields: inout FieldReader, scope: ActionScope) throws(Problem) -> Command? {
        guard !fields.has("op"), let node = fields.read("schedule") else { return nil }
        let pointer = fields.pointer(to: "schedule")
        guard case .object = node.content else {
            throw .field(pointer, "must be a schedule to make, or an id beside an `op`")
        }
        let (id, definition) = try ScheduleDecoder.definition(
            fields.document, node, pointer: pointer, source: fields.document.source(of: node), scope: scope)
        guard let id else { throw .field(pointer + "/id", "a schedule that an action makes needs an `id`") }
        try fields.finish()
        return .schedule(ResourceName(.schedule, id), definition)
    }
}
