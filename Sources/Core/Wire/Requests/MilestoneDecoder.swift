// `milestones`: numbers, or objects with a number and the actions that crossing it runs.

import Board
import Labels

enum MilestoneDecoder {
    /// - Parameter scope: Where the update stands, which limits how deep its actions may be nested.
    /// - Throws: 422, naming the field at fault.
    static func read(
        _ fields: inout FieldReader, into update: inout TrackUpdate, scope: ActionScope
    ) throws(Problem) {
        guard let node = fields.read("milestones") else { return }
        let pointer = fields.pointer(to: "milestones")
        guard case .array(let elements) = node.content,
            elements.count <= TrackUpdate.maximumMilestones || fields.isStored
        else {
            throw .field(pointer, "must be an array of at most \(TrackUpdate.maximumMilestones) milestones")
        }
        var values: [ExactDecimal] = []
        var entries: [MilestoneActions.Entry] = []
        for (index, element) in elements.enumerated() {
            let place = "\(pointer)/\(index)"
            guard case .object = element.content else {
                let value = try fields.decimal(element, pointer: place)
                if !values.contains(value) { values.append(value) }
                continue
            }
            var milestone = try FieldReader(fields.document, element, pointer: place)
            let entry = try entry(&milestone, index: index, scope: scope)
            guard !entries.contains(where: { $0.value == entry.value }) else {
                throw .field(place, "another milestone at this value has actions; put all of them into one list")
            }
            if !values.contains(entry.value) { values.append(entry.value) }
            entries.append(entry)
        }
        update.milestones = values
        guard !entries.isEmpty else { return }
        var json = JSONWriter()
        let source = try fields.source(of: node, "milestones")
        json.object { $0.member("milestones", raw: source) }
        update.milestoneActions = MilestoneActions(entries: entries, source: json.bytes)
    }

    private static func entry(
        _ fields: inout FieldReader, index: Int, scope: ActionScope
    ) throws(Problem) -> MilestoneActions.Entry {
        guard let value = try fields.decimal("at") else {
            throw .field(fields.pointer(to: "at"), "a milestone needs the value that is crossed in `at`")
        }
        guard let node = fields.read("do") else {
            throw .field(fields.pointer(to: "do"), "a milestone that is an object needs a list of actions in `do`")
        }
        let pointer = fields.pointer(to: "do")
        let actions = try ActionDecoder.actions(fields.document, node, pointer: pointer, scope: scope)
        try fields.finish()
        return MilestoneActions.Entry(value: value, index: index, actions: actions)
    }
}
