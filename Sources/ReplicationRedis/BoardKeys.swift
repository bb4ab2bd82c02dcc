// The keys of a board, and words as the server takes them.

import RedisLink

extension RedisAddress {
    /// The key that commands of the log name.
    func bytes(_ name: String) -> [UInt8] { Array(key(name).utf8) }
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
