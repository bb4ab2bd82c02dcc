// Reads log entries from the server's form: the fields of a stream's items.

import Machine
import RecurrenceRules
import Replication
import Tween

/// Reads entries from replies.
struct EntryReader {
    let rules: any CalendarRules

    /// Reads an item of a stream: its ID, and alternating names and values.
    /// - Throws: `protocolError` if it is not an entry of a log.
    static func raw(_ reply: RedisReply) throws(RedisError) -> RawEntry {
        guard let parts = reply.elements, parts.count == 2, let id = parts[0].text,
            let sequence = id.split(separator: "-").first.flatMap({ UInt64($0) })
        else { throw damage }
        var fields: [String: RedisReply] = [:]
        for (name, value) in parts[1].pairs { fields[name] = value }
        guard let instant = fields["t"]?.integer, let previous = fields["p"]?.text.flatMap({ UInt64($0) }),
            let name = fields["n"]?.text.flatMap({ UInt64($0) }), let payload = fields["e"]?.bytes
        else { throw damage }
        let position = LogPosition(
            sequence: sequence, instant: Instant(nanoseconds: instant * 1_000), name: EntryName(rawValue: name))
        return RawEntry(position: position, previous: EntryName(rawValue: previous), payload: payload)
    }

    private static let damage = RedisError(.protocolError, "the replication log has an item that is no entry")

    func entry(_ raw: RawEntry) throws(UnreadableEntry) -> LogEntry {
        LogEntry(
            position: raw.position, previous: raw.previous, content: try LogContent(raw.payload, rules: rules))
    }
}
