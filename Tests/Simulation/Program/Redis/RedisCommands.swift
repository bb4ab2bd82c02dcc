// The commands that the log and its scripts send, with Redis' replies.

import ReplicationRedis

extension SimulatedRedis {
    /// Carries out a command of a script or of a connection.
    func carryOut(_ words: [[UInt8]]) -> RedisReply {
        let name = String(decoding: words[0], as: UTF8.self).uppercased()
        if isFull, Self.growing.contains(name) {
            return .error("OOM command not allowed when used memory > 'maxmemory'.")
        }
        return carryOutGeneral(name, words) ?? carryOutHash(name, words) ?? carryOutStream(name, words)
            ?? .error("ERR unknown command '\(name)'")
    }

    /// Those that a server without memory rejects.
    private static let growing: Set = ["SET", "HSET", "HSETNX", "HINCRBY", "XADD"]

    private static func number(_ text: [UInt8]) -> Int64? { Int64(String(decoding: text, as: UTF8.self)) }
    private static func bulk(_ text: [UInt8]?) -> RedisReply { text.map { .bytes($0) } ?? .null }
    private static func bulk(_ text: String) -> RedisReply { .bytes(Array(text.utf8)) }

    private func carryOutGeneral(_ name: String, _ words: [[UInt8]]) -> RedisReply? {
        switch name {
        case "TIME":
            let microseconds = wall / 1_000
            return .array([Self.bulk("\(microseconds / 1_000_000)"), Self.bulk("\(microseconds % 1_000_000)")])
        case "EXISTS": return .integer(Int64(words.dropFirst().count { state.exists($0) }))
        case "DEL", "UNLINK":
            let found = words.dropFirst().filter { state.remove($0) }
            return .integer(Int64(found.count))
        case "GET": return Self.bulk(state.text(words[1]))
        case "SET":
            let seconds = words.count == 5 ? Self.number(words[4]) : nil
            state.setText(words[1], words[2], expiry: seconds.map { now + .seconds($0) })
            return .status("OK")
        case "PERSIST":
            state.setExpiry(words[1], nil)
            return .integer(1)
        case "PEXPIRE":
            state.setExpiry(words[1], now + .milliseconds(Self.number(words[2]) ?? 0))
            return .integer(1)
        default: return nil
        }
    }

    private func carryOutHash(_ name: String, _ words: [[UInt8]]) -> RedisReply? {
        switch name {
        case "HGET": return Self.bulk(state.fields(words[1])[words[2]])
        case "HMGET":
            let fields = state.fields(words[1])
            return .array(words.dropFirst(2).map { Self.bulk(fields[$0]) })
        case "HGETALL": return .array(state.fields(words[1]).pairs.flatMap { [.bytes($0.name), .bytes($0.value)] })
        case "HEXISTS": return .integer(state.fields(words[1])[words[2]] == nil ? 0 : 1)
        case "HSET", "HSETNX":
            var fields = state.fields(words[1])
            for place in stride(from: 2, to: words.count - 1, by: 2) where name == "HSET" || fields[words[place]] == nil
            {
                fields[words[place]] = words[place + 1]
            }
            state.setFields(words[1], fields)
            return .integer(1)
        case "HDEL":
            var fields = state.fields(words[1])
            for field in words.dropFirst(2) { fields[field] = nil }
            state.setFields(words[1], fields)
            return .integer(1)
        case "HINCRBY":
            var fields = state.fields(words[1])
            guard let old = Self.number(fields[words[2]] ?? [UInt8(ascii: "0")]), let step = Self.number(words[3])
            else {
                return .error("ERR hash value is not an integer")
            }
            fields[words[2]] = Array("\(old + step)".utf8)
            state.setFields(words[1], fields)
            return .integer(old + step)
        default: return nil
        }
    }

    private func carryOutStream(_ name: String, _ words: [[UInt8]]) -> RedisReply? {
        switch name {
        case "XADD":
            guard let number = Self.item(words[2]),
                state.add(RedisState.Item(number: number, fields: Array(words.dropFirst(3))), to: words[1])
            else { return .error("ERR The ID specified in XADD is equal or smaller than the target stream top item") }
            wakeReaders()
            whenAdded?()
            return .bytes(words[2])
        case "XRANGE":
            let first = words[2] == [UInt8(ascii: "-")] ? 0 : Self.item(words[2]) ?? 0
            let last = words[3] == [UInt8(ascii: "+")] ? .max : Self.item(words[3]) ?? .max
            let count = words.count == 6 ? Int(Self.number(words[5]) ?? 0) : .max
            return .array(items(words[1], from: first).prefix { $0.number <= last }.prefix(count).map(\.reply))
        case "XTRIM":
            state.trim(words[1], to: Int(Self.number(words[3]) ?? 0))
            return .integer(0)
        case "XREAD":
            // XREAD COUNT n BLOCK ms STREAMS key id
            guard let behind = Self.item(words[7]) else { return .error("ERR Invalid stream ID") }
            let rest = items(words[6], from: behind + 1)
            let found = rest.prefix(Int(Self.number(words[2]) ?? 0))
            hasMore = found.count < rest.count
            return found.isEmpty ? .null : .array([.array([.bytes(words[6]), .array(found.map(\.reply))])])
        default: return nil
        }
    }

    /// The number of an item's ID.
    private static func item(_ text: [UInt8]) -> UInt64? {
        UInt64(String(decoding: text.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self))
    }

    private func items(_ key: [UInt8], from number: UInt64) -> ArraySlice<RedisState.Item> {
        let items = state.items(key)
        guard let first = items.first?.number, number > first else { return items[...] }
        // Numbers have no gaps, but where an entry was lost.
        var place = min(items.count, Int(clamping: number - first))
        while place > 0, items[place - 1].number >= number { place -= 1 }
        while place < items.count, items[place].number < number { place += 1 }
        return items[place...]
    }
}
