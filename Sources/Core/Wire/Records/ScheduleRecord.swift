// A schedule as it is stored: the client's definition, and its current state.

import Base
package import Board
package import RecurrenceRules
import Tween

/// Encodes and decodes stored schedules.
package enum ScheduleRecord {
    /// Returns the record of a schedule.
    package static func contents(of schedule: Schedule) -> RecordContents {
        var parts = RecordParts()
        let body = RecordWriter.bytes { append(schedule, &parts, to: &$0) }
        return RecordContents(body: body, parts: parts.texts)
    }

    /// Appends the members of a record.
    static func append(_ schedule: Schedule, _ parts: inout RecordParts, to record: inout some FieldWriter) {
        parts.append("definition", schedule.definition.source, as: RecordPart.definition, to: &record)
        record.member("revision", integer: Int64(bitPattern: schedule.revision))
        record.member("due", at: schedule.due)
        record.member("anchor", at: schedule.anchor)
        record.member("dated", schedule.isDated)
        if let seconds = schedule.remaining { record.member("remaining", stored: seconds) }
        record.member("paused", schedule.isPaused)
        if schedule.isEnded { record.member("ended", true) }
        record.member("fired", schedule.fired)
        if let offset = schedule.offset { record.member("offset", offset) }
        if let owner = schedule.definition.actions.owner { record.member("owner", owner) }
        if let origin = schedule.origin { record.member("by") { $0.member("\(origin.kind)", origin.id) } }
    }

    /// - Throws: A problem if the record is not one of `contents(of:)`.
    package static func schedule(
        _ name: ResourceName, _ contents: RecordContents, rules: any CalendarRules
    ) throws(Problem) -> Schedule {
        let document = try RecordParser.document(contents.body)
        var fields = try FieldReader(document, document.root, pointer: "")
        let text = try fields.required(try fields.text("definition", in: contents.parts), "definition")
        var (_, definition) = try ScheduleDecoder.definition(
            text.document, text.node, pointer: "", source: text.source, scope: ActionScope(rules: rules))
        let revision = UInt64(bitPattern: try fields.integer64("revision"))
        let firing = Firing(
            due: try fields.instant("due"),
            anchor: try fields.instant("anchor"),
            isDated: try fields.bool("dated") ?? false,
            remaining: try fields.number("remaining"),
            fired: try fields.integer("fired", in: 0...1_000_000_000_000_000) ?? 0,
            offset: try fields.integer("offset", in: -100_000...100_000))
        let isPaused = try fields.bool("paused") ?? false
        let isEnded = try fields.bool("ended") ?? false
        definition.actions.owner = try fields.string("owner")
        let origin = try origin(&fields)
        // Its definition does not come from a client.
        if origin != nil { definition.meaning = nil }
        return Schedule(
            name: name, revision: revision, definition: definition, firing: firing, isPaused: isPaused,
            isEnded: isEnded, origin: origin)
    }

    private static func origin(_ fields: inout FieldReader) throws(Problem) -> ResourceName? {
        guard let node = fields.read("by") else { return nil }
        var name = try FieldReader(fields.document, node, pointer: "/by")
        for kind in ResourceKind.allCases {
            if let id = try name.id("\(kind)") { return ResourceName(kind, id) }
        }
        throw .field("/by", "names no resource")
    }
}
