// Answers kept for retries as bytes: complete, with their clients, ordered by age.

package import Base

extension RetryMemory {
    /// Appends what applies to all answers.
    func writeHead(to writer: inout ByteWriter) {
        writer.number(shift)
        writer.number(horizon)
    }

    mutating func readHead(from reader: inout ByteReader) throws(ByteReader.Damage) {
        (shift, horizon) = (try reader.signed(), try reader.signed())
    }

    /// The keys of the kept answers, oldest first.
    var keys: [String] {
        // A key that was forgotten and used again may be twice in the order.
        var known: Set<String> = []
        return order.dropFirst(oldest).compactMap { key, expires in
            entries[key]?.expires == expires && known.insert(key).inserted ? key : nil
        }
    }

    /// All kept answers as they are stored, with expiry by the current clock.
    package var stored: [StoredAnswer] {
        keys.flatMap { key -> [StoredAnswer] in
            guard let entry = entries[key] else { return [] }
            let expires = entry.expires.addingSaturated(shift)
            let portions = entry.portions.enumerated().map { number, lines in
                Self.part(number, lines, of: key, entry.fingerprint, expires: expires)
            }
            let whole = entry.answer.map {
                StoredAnswer(key: key, fingerprint: entry.fingerprint, answer: $0, expires: expires)
            }
            return portions + (whole.map { [$0] } ?? [])
        }
    }

    func write(_ key: String, to writer: inout ByteWriter) {
        guard let entry = entries[key] else { return }
        writer.text(key)
        writer.number(entry.fingerprint)
        writer.number(entry.expires)
        writer.optional(entry.client) { $0.text($1) }
        writer.optional(entry.answer) { writer, answer in
            writer.count(answer.status)
            writer.text(answer.head)
            writer.data(answer.body)
        }
        writer.list(entry.portions) { $0.data($1) }
        writer.count(entry.bytes)
    }

    /// Restores the next answer.
    mutating func read(from reader: inout ByteReader) throws(ByteReader.Damage) {
        let key = try reader.text()
        var entry = Entry(fingerprint: try reader.unsigned(), expires: try reader.signed())
        entry.client = try reader.optional { (reader) throws(ByteReader.Damage) in try reader.text() }
        entry.answer = try reader.optional { (reader) throws(ByteReader.Damage) in
            let (status, head) = (try reader.count(), try reader.text())
            return KeptAnswer(status: status, head: head, body: try reader.data())
        }
        entry.portions = try reader.list { (reader) throws(ByteReader.Damage) in try reader.data() }
        entry.bytes = try reader.count()
        entries[key] = entry
        share.reserve(key.utf8.count + entry.bytes, of: entry.client)
        order.append((key, entry.expires))
    }
}
