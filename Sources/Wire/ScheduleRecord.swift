// A schedule as it is stored: the client's own definition, and how far it has come.

package import Board
import Tween

/// Writes and reads stored schedules.
package enum ScheduleRecord {
    /// The record's body.
    package static func body(of schedule: Schedule) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("definition", raw: schedule.definition.source)
            $0.member("revision", String(schedule.revision))
            $0.member("due", String(schedule.due.nanoseconds))
            $0.member("anchor", String(schedule.anchor.nanoseconds))
            $0.member("dated", schedule.isDated)
            if let seconds = schedule.remaining { $0.member("remaining", seconds) }
            $0.member("paused", schedule.isPaused)
            $0.member("fired", schedule.fired)
        }
        return json.bytes
    }

    /// - Throws: A problem when the body is none that `body(of:)` writes.
    package static func schedule(
        _ name: ResourceName, body: [UInt8], rules: any CalendarRules
    ) throws(Problem) -> Schedule {
        let document = try UpdateDecoder.document(body)
        var fields = try FieldReader(document, document.root, pointer: "")
        let source = document.source(of: try fields.required(fields.take("definition"), "definition"))
        let due = Instant(nanoseconds: try fields.integer64("due"))
        return Schedule(
            name: name,
            revision: UInt64(bitPattern: try fields.integer64("revision")),
            definition: try ScheduleDecoder.definition(source, rules: rules).definition,
            due: due,
            anchor: try fields.string("anchor").flatMap { Int64($0) }.map { Instant(nanoseconds: $0) } ?? due,
            isDated: try fields.bool("dated") ?? false,
            remaining: try fields.number("remaining"),
            isPaused: try fields.bool("paused") ?? false,
            fired: try fields.integer("fired", in: 0...1_000_000_000_000_000) ?? 0)
    }
}
