// Named events on their way to a store and back, so that clients are told what they missed over a restart as well.

/// The named events that were published since the last look, in order.
package struct EventLogChunk: Sendable {
    private let entries: [History.Entry]
    /// The numbers of the first and the last.
    package let first: Int64
    package let last: Int64
    /// About how many bytes it is.
    package let size: Int

    /// - Parameter entries: At least one.
    init(_ entries: ArraySlice<History.Entry>) {
        // A copy: whoever held a part of the history would have all of it copied with the next event.
        self.entries = Array(entries)
        first = entries.first?.number ?? 0
        last = entries.last?.number ?? 0
        size = entries.reduce(0) { $0 + $1.cost }
    }

    /// What `PastEvents` reads, written now: events that nobody listened to are first written here.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for entry in entries {
            let event = entry.text.bytes
            let (kind, effect) = (entry.topic.kind.rawValue, entry.effect.rawValue)
            for number in [entry.number, Int64(kind), Int64(effect)] {
                bytes.append(contentsOf: String(number).utf8)
                bytes.append(0x20)
            }
            bytes.append(contentsOf: entry.topic.id.utf8)
            bytes.append(0x20)
            bytes.append(contentsOf: String(event.count).utf8)
            bytes.append(0x0A)
            bytes.append(contentsOf: event)
        }
        return bytes
    }
}

/// The named events of earlier runs that a store kept.
package struct PastEvents: Sendable {
    /// Why a stored portion can't be used.
    package struct Damage: Error, Hashable, Sendable {}

    /// Numbers are far below it, and times within as many nanoseconds of 0: what is beyond was never written here.
    private static let largest: Int64 = 1 << 62

    /// With numbers that rise; where some are missing, their events were not kept.
    private var kept: History
    /// The last number that each run stored: what it gave out beyond was not kept, and is told anew under new numbers.
    package private(set) var lastNumbers: [String: Int64] = [:]
    package private(set) var lastNumber: Int64 = 0
    /// The run that stored last; nil where none did.
    private(set) var lastEpoch: String?

    /// - Parameter maximumBytes: The newest events are kept that take no more, as a hub keeps them.
    package init(maximumBytes: Int = HubConfiguration().historyBytes) {
        kept = History(History.Limits(events: .max, bytes: maximumBytes, lifetime: .max))
    }

    /// The newest of what was added, oldest first.
    var newest: ArraySlice<History.Entry> { kept.kept(after: .min) }

    /// Adds a portion; portions come in the order they were taken. The first may be without events, and with the number 0:
    /// then it says in which run the log begins. Of one that can't be used, or tells again what others have told, nothing but
    /// its last number is taken: what comes after it doesn't follow on what was there before.
    /// - Parameters:
    ///   - epoch: The run that published it.
    ///   - instant: When it did, on the monotonic clock of this run, in nanoseconds.
    package mutating func append(_ bytes: [UInt8], last: Int64, epoch: String, at instant: Int64) throws(Damage) {
        let isBeginning = lastEpoch == nil && last == 0 && bytes.isEmpty
        guard last > lastNumber || isBeginning, last < Self.largest else { throw Damage() }
        defer {
            lastNumbers[epoch] = last
            lastNumber = last
            lastEpoch = epoch
        }
        for entry in try read(bytes, last: last, at: min(max(instant, -Self.largest), Self.largest)) {
            kept.append(entry)
        }
    }

    private func read(_ bytes: [UInt8], last: Int64, at instant: Int64) throws(Damage) -> [History.Entry] {
        var reader = EventLogReader(bytes)
        var portion: [History.Entry] = []
        var number = lastNumber
        while let entry = try reader.next(at: instant) {
            guard entry.number > number else { throw Damage() }
            number = entry.number
            portion.append(entry)
        }
        guard number == last else { throw Damage() }
        return portion
    }
}

/// Reads what `EventLogChunk` wrote: a line of number, kind, effect, id and length, then that many bytes.
private struct EventLogReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next(at instant: Int64) throws(PastEvents.Damage) -> History.Entry? {
        guard position < bytes.count else { return nil }
        // proven: the position is within; the end of the line lies behind it, and the length was looked at.
        guard let end = bytes[position...].firstIndex(of: 0x0A) else { throw PastEvents.Damage() }
        let words = String(decoding: bytes[position..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 5, let number = Int64(words[0]), let kind = UInt8(words[1]).flatMap(TopicKind.init),
            let length = Int(words[4]), length >= 0, length <= bytes.count - end - 1
        else { throw PastEvents.Damage() }
        position = end + 1 + length
        return History.Entry(
            number: number, topic: TopicName(kind: kind, id: String(words[3])), at: instant,
            // proven: the length is not negative, and no more than what is left.
            text: .written(Array(bytes[(end + 1)..<position])),
            effect: UInt8(words[2]).flatMap(Hub.EventEffect.init) ?? .none)
    }
}
