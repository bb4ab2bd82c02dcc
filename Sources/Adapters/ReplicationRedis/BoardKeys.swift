// The keys of a board, the format of its log, and words as the server takes them.

import Replication

extension RedisAddress {
    /// The key that commands of the log name.
    func bytes(_ name: String) -> [UInt8] { Array(key(name).utf8) }
}

/// Which boards this version reads: those whose head names the format of its own log.
enum BoardFormat {
    /// As the head of a board has it.
    static let name = String(LogContent.format)

    /// Why a board of another format is not followed.
    static func refusal(_ found: String, of address: RedisAddress) -> RedisError {
        let isNewer = (Int(found) ?? 0) > Int(LogContent.format)
        let (writer, cure) =
            isNewer
            ? ("a newer version", "run that version")
            : ("a build before 1.0.0", "name another board, or delete its keys {\(address.board)}:*")
        // No server set up otherwise would help: waiting changes nothing.
        return RedisError(
            .unsuitable,
            "the board \(address.board) has log format \(found), which \(writer) wrote, and this program reads format "
                + "\(name) alone; \(cure)")
    }
}

extension [[UInt8]] {
    /// Words of a command.
    init(words: String...) { self = words.map { Array<UInt8>($0.utf8) } }
}

extension RedisReply {
    /// Names and values that stand by turns, as `HGETALL` answers.
    var pairs: [(name: String, value: RedisReply)] {
        let items = elements ?? []
        return stride(from: 0, to: items.count - 1, by: 2).compactMap { index in
            items[index].text.map { ($0, items[index + 1]) }
        }
    }
}
