// A schedule as it is stored: the client's own definition, and how far it has come.

package import Board
import Primitives
package import Recurrences
import Tween

/// Writes and reads stored schedules.
package enum ScheduleRecord {
    /// The record.
    package static func contents(of schedule: Schedule) -> RecordContents {
        var json = JSONWriter()
        var parts = RecordParts()
        json.object {
            parts.append("definition", schedule.definition.source, as: RecordPart.definition, to: &$0)
            $0.member("revision", String(schedule.revision))
            $0.member("due", String(schedule.due.nanoseconds))
            $0.member("anchor", String(schedule.anchor.nanoseconds))
            $0.member("dated", schedule.isDated)
            if let seconds = schedule.remaining { $0.member("remaining", stored: seconds) }
            $0.member("paused", schedule.isPaused)
            $0.member("fired", schedule.fired)
            if let origin = schedule.origin { $0.member("by") { $0.member("\(origin.kind)", origin.id) } }
        }
        return RecordContents(body: json.bytes, parts: parts.texts)
    }

    /// - Throws: A problem when the record is none that `contents(of:)` makes.
    package static func schedule(
        _ name: ResourceName, _ contents: RecordContents, rules: any CalendarRules
    ) throws(Problem) -> Schedule {
        let document = try UpdateDecoder.document(contents.body, from: .stored)
        var fields = try FieldReader(document, document.root, pointer: "")
        let text = try fields.required(try fields.text("definition", in: contents.parts), "definition")
        let definition = try ScheduleDecoder.definition(
            text.document, text.node, pointer: "", source: text.source, scope: ActionScope(rules: rules))
        let due = Instant(nanoseconds: try fields.integer64("due"))
        return Schedule(
            name: name,
            revision: UInt64(bitPattern: try fields.integer64("revision")),
            definition: definition.definition,
            firing: Firing(
                due: due,
                anchor: try fields.string("anchor").flatMap { Int64($0) }.map { Instant(nanoseconds: $0) } ?? due,
                isDated: try fields.bool("dated") ?? false,
                remaining: try fields.number("remaining"),
                fired: try fields.integer("fired", in: 0...1_000_000_000_000_000) ?? 0),
            isPaused: try fields.bool("paused") ?? false,
            origin: try origin(&fields))
    }

    private static func origin(_ fields: inout FieldReader) throws(Problem) -> ResourceName? {
        guard let node = fields.take("by") else { return nil }
        var name = try FieldReader(fields.document, node, pointer: "/by")
        for kind in ResourceKind.allCases {
            if let id = try name.id("\(kind)") { return ResourceName(kind, id) }
        }
        throw .field("/by", "names no resource")
    }
}
