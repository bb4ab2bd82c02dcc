// Converts named events to stored bytes and back, so that clients can also catch up after a restart.

package import Base

/// The named events that were published since the last chunk, in order.
package struct EventLogChunk: Sendable {
    private let entries: [History.Entry]
    /// The numbers of the first and the last event.
    package let first: Int64
    package let last: Int64
    /// The approximate size in bytes.
    package let size: Int

    /// - Parameter entries: At least one.
    init(_ entries: ArraySlice<History.Entry>) {
        // A copy: a slice would make the next event copy the whole history.
        self.entries = Array(entries)
        first = entries.first?.number ?? 0
        last = entries.last?.number ?? 0
        size = entries.reduce(0) { $0 + $1.cost }
    }

    /// The bytes that `PastEvents` reads. Events that had no subscriber are encoded only now.
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

/// Stored named events of earlier runs.
package struct PastEvents: Sendable {
    /// A stored portion that can't be used.
    package struct Damage: Error, Hashable, Sendable {}

    /// Event numbers, and times in nanoseconds, are always below this; greater ones were never written here.
    private static let largest: Int64 = 1 << 62
    /// How many runs without a stored event are remembered.
    private static let mostSilentRuns = 32

    /// The events in rising order; gaps are events that were not kept.
    private var kept: History
    /// The last number that each run stored. Events of the run beyond it were not kept, and are published again under new
    /// numbers.
    package private(set) var lastNumbers: [String: Int64] = [:]
    package private(set) var lastNumber: Int64 = 0
    /// The last runs of which no event is stored, oldest first, each with the number of the last event before it. No event
    /// names them, so a store keeps them beside its events.
    package private(set) var silentRuns: [EventID] = []
    /// The last number of the copy from which the board was restored; nil if it was not. Clients may have received later
    /// events of the copied runs, which are lost.
    package var copyEnd: Int64?
    /// The run that stored last; nil if none did.
    private(set) var lastEpoch: String?

    /// - Parameter maximumBytes: The newest events up to this size are kept, as in a hub.
    package init(maximumBytes: Int) {
        kept = History(History.Limits(events: .max, bytes: maximumBytes, lifetime: .max))
    }

    /// The newest of the added events, oldest first.
    var newest: ArraySlice<History.Entry> { kept.kept(after: .min) }

    /// Adds a portion; portions must come in the order in which they were taken. The first may be empty with number 0 to
    /// name the run in which the log begins. From a damaged portion only its last number is taken: what follows it does not
    /// continue what was there before.
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

    /// Adds runs of which no event may be stored; their clients have heard of none before those.
    /// - Parameters:
    ///   - epoch: The last run. Empty adds none.
    ///   - earlier: What `silentRuns` was at its start.
    package mutating func add(run epoch: String, after earlier: [EventID] = []) {
        silentRuns = earlier
        if !epoch.isEmpty, lastNumbers[epoch] == nil {
            silentRuns.append(EventID(epoch: epoch, number: lastNumber))
        }
        silentRuns = silentRuns.suffix(Self.mostSilentRuns)
        for run in silentRuns { lastNumbers[run.epoch] = run.number }
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
        // proven: the position is in range; the line's end lies behind it, and the length is checked.
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
