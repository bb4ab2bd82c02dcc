// The keys of a board, the format of its log, and commands as bytes.

import Replication

extension RedisAddress {
    /// Returns a key's full name as bytes.
    func bytes(_ name: String) -> [UInt8] { Array(key(name).utf8) }
}

/// The board format that this version reads: only that of its own log.
enum BoardFormat {
    /// The format as stored in a board's head.
    static let name = String(LogContent.format)

    /// Returns why a board of another format is not followed.
    static func refusal(_ found: String, of address: RedisAddress) -> RedisError {
        let isNewer = (Int(found) ?? 0) > Int(LogContent.format)
        let (writer, cure) =
            isNewer
            ? ("a newer version", "run that version")
            : ("a build before 1.0.0", "name another board, or delete its keys {\(address.board)}:*")
        // `unsuitable`, since no other server settings would help, and waiting changes nothing.
        return RedisError(
            .unsuitable,
            "the board \(address.board) has log format \(found), which \(writer) wrote, and this program reads format "
                + "\(name) alone; \(cure)")
    }
}

extension [[UInt8]] {
    /// The words of a command.
    init(words: String...) { self = words.map { Array<UInt8>($0.utf8) } }
}

extension RedisReply {
    /// Alternating names and values, as in the reply to `HGETALL`.
    var pairs: [(name: String, value: RedisReply)] {
        let items = elements ?? []
        return stride(from: 0, to: items.count - 1, by: 2).compactMap { index in
            items[index].text.map { ($0, items[index + 1]) }
        }
    }
}
