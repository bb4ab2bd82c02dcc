// `then` and `do`: lists of actions, bounded in length and depth.

import Board
import Primitives

enum ActionDecoder {
    /// The longest URL of a webhook, in bytes.
    static let maximumURLBytes = 2_048

    static func actions(
        _ document: JSONDocument, _ node: JSONNode, pointer: String, depth: Int
    ) throws(Problem) -> ActionList {
        guard depth <= ActionList.maximumDepth || document.origin == .stored else {
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
            actions.append(try action(&fields, source: document.source(of: element), depth: depth))
        }
        return ActionList(actions: actions, source: document.source(of: node))
    }

    private static func action(
        _ fields: inout FieldReader, source: [UInt8], depth: Int
    ) throws(Problem) -> Action {
        if let id = try fields.id("ticker") {
            return try update(.ticker, id, &fields, source: source, depth: depth)
        }
        if let id = try fields.id("progress") {
            return try update(.progress, id, &fields, source: source, depth: depth)
        }
        if let name = try fields.id("notify") {
            let data = fields.take("data").map { fields.document.source(of: $0) }
            try fields.finish()
            return .notify(name: name, data: data)
        }
        if let url = try fields.string("webhook", longest: maximumURLBytes) {
            let data = fields.take("data").map { fields.document.source(of: $0) }
            try fields.finish()
            guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
                throw .field(fields.pointer(to: "webhook"), "must be an http or https URL")
            }
            return .webhook(url: url, data: data)
        }
        throw .field(fields.pointer, "an action needs one of `ticker`, `progress`, `notify` or `webhook`")
    }

    private static func update(
        _ kind: ResourceKind, _ id: String, _ fields: inout FieldReader, source: [UInt8], depth: Int
    ) throws(Problem) -> Action {
        let update = try UpdateDecoder.update(&fields, source: source, kind: kind, role: .update, depth: depth)
        return .update(ResourceName(kind, id), update)
    }
}
