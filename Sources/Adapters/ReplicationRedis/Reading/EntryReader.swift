// Reads log entries from the server's form: the fields of a stream's items.

import Machine
import RecurrenceRules
import Replication
import Tween

/// Reads entries from replies.
struct EntryReader {
    let rules: any CalendarRules

    /// Reads an item of a stream: its ID, and alternating names and values.
    static func raw(_ reply: RedisReply) throws(UnreadableEntry) -> RawEntry {
        guard let parts = reply.elements, parts.count == 2, let id = parts[0].text else { throw .damaged }
        var fields: [String: RedisReply] = [:]
        for (name, value) in parts[1].pairs { fields[name] = value }
        guard let payload = fields["e"]?.bytes else { throw .damaged }
        do throws(FieldDamage) {
            let sequence = RedisReply.status(String(id.prefix { $0 != "-" }))
            let position = LogPosition(
                sequence: UInt64(clamping: try sequence.count("id")),
                instant: try fields["t", default: .null].instant("t"),
                name: EntryName(rawValue: try fields["n", default: .null].bits("n")))
            return RawEntry(
                position: position, previous: EntryName(rawValue: try fields["p", default: .null].bits("p")),
                payload: payload)
        } catch {
            throw .field(error.field, entry: id, value: error.value)
        }
    }

    func entry(_ raw: RawEntry) throws(UnreadableEntry) -> LogEntry {
        LogEntry(
            position: raw.position, previous: raw.previous, content: try LogContent(raw.payload, rules: rules))
    }
}
