// What a Redis keeps: keys with texts, hashes and streams.

import ReplicationRedis

/// The keys of a server, as a value: a copy is the server at another time.
struct RedisState {
    /// An item of a stream.
    struct Item {
        var number: UInt64
        /// Alternating names and values.
        var fields: [[UInt8]]

        var reply: RedisReply {
            .array([.bytes(Array("\(number)-0".utf8)), .array(fields.map { .bytes($0) })])
        }
    }

    /// A hash, in the order in which fields were added, as Redis keeps small ones.
    struct Fields {
        private(set) var pairs: [(name: [UInt8], value: [UInt8])] = []

        subscript(name: [UInt8]) -> [UInt8]? {
            get { pairs.first { $0.name == name }?.value }
            set {
                let place = pairs.firstIndex { $0.name == name }
                switch (place, newValue) {
                case (let place?, let value?): pairs[place].value = value
                case (let place?, nil): pairs.remove(at: place)
                case (nil, let value?): pairs.append((name, value))
                case (nil, nil): break
                }
            }
        }
    }

    enum Value {
        case text([UInt8])
        case hash(Fields)
        case stream([Item], last: UInt64)
    }

    private var values: [[UInt8]: Value] = [:]
    /// World time at which a key expires.
    private var expiries: [[UInt8]: Int64] = [:]
    /// Changed by each restart and promotion.
    var history = 1

    /// Removes what has expired.
    mutating func expire(at time: Int64) {
        guard !expiries.isEmpty else { return }
        for (key, expiry) in expiries where expiry <= time { remove(key) }
    }

    func exists(_ key: [UInt8]) -> Bool { values[key] != nil }

    @discardableResult
    mutating func remove(_ key: [UInt8]) -> Bool {
        expiries[key] = nil
        return values.removeValue(forKey: key) != nil
    }

    mutating func removeAll() {
        values = [:]
        expiries = [:]
    }

    /// The keys, in an order that is the same in each run.
    var keys: [[UInt8]] { values.keys.sorted { $0.lexicographicallyPrecedes($1) } }

    mutating func setExpiry(_ key: [UInt8], _ time: Int64?) { expiries[key] = exists(key) ? time : nil }

    mutating func setText(_ key: [UInt8], _ text: [UInt8], expiry: Int64?) {
        values[key] = .text(text)
        expiries[key] = expiry
    }

    func text(_ key: [UInt8]) -> [UInt8]? { if case .text(let text) = values[key] { text } else { nil } }

    func fields(_ key: [UInt8]) -> Fields { if case .hash(let fields) = values[key] { fields } else { Fields() } }

    mutating func setFields(_ key: [UInt8], _ fields: Fields) {
        if fields.pairs.isEmpty { remove(key) } else { values[key] = .hash(fields) }
    }

    func items(_ key: [UInt8]) -> [Item] { if case .stream(let items, _) = values[key] { items } else { [] } }

    /// - Returns: false for a number that isn't above the last one.
    mutating func add(_ item: Item, to key: [UInt8]) -> Bool {
        var (items, last): ([Item], UInt64) = ([], 0)
        if case .stream(let known, let end) = values[key] { (items, last) = (known, end) }
        guard item.number > last else { return false }
        // The only reference, so that adding copies nothing.
        values[key] = nil
        items.append(item)
        values[key] = .stream(items, last: item.number)
        return true
    }

    /// Keeps so many of the newest items.
    mutating func trim(_ key: [UInt8], to count: Int) {
        guard case .stream(let items, let last) = values[key] else { return }
        values[key] = .stream(Array(items.suffix(count)), last: last)
    }
}
