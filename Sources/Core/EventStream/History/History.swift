// Recent named events, for clients that reconnect. Bounded by count, by age and by bytes.

import Base

/// A bounded log of named events, oldest first.
struct History: Sendable {
    struct Entry: Sendable {
        var number: Int64
        var topic: TopicName
        /// Monotonic nanoseconds.
        var at: Int64
        /// The event as it was sent.
        var text: EventText
        var effect: Hub.EventEffect

        /// The approximate memory in bytes.
        var cost: Int { text.size + Self.overhead }
        /// The entry itself, its name and the allocator's overhead.
        private static let overhead = 128
    }

    struct Limits: Sendable {
        /// The maximum number of events.
        var events: Int
        /// The maximum number of bytes.
        var bytes: Int
        /// Nanoseconds for which an event is kept.
        var lifetime: Int64
    }

    private var entries: [Entry] = []
    /// Index of the oldest entry; those before it are dropped.
    private var oldest = 0
    /// There is no gap from this number on.
    private var continuousFrom: Int64 = 0
    private(set) var bytes = 0
    /// The number of each topic's last removal event, while it is kept.
    private var removals: [TopicName: Int64] = [:]
    private let limits: Limits

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// The number of the oldest kept event; nil if there is none.
    var oldestNumber: Int64? { oldest < entries.count ? entries[oldest].number : nil }

    /// Drops all events.
    mutating func removeAll() { self = History(limits) }

    /// Appends the newest event; ignores one whose number is not above the last.
    mutating func append(_ entry: Entry) {
        let last = entries.last?.number
        if let last, entry.number <= last { return }
        if entry.number != last.map({ $0.addingSaturated(1) }) { continuousFrom = entry.number }
        entries.append(entry)
        bytes += entry.cost
        if entry.effect == .removal { removals[entry.topic] = entry.number }
        while oldest < entries.count, isBeyondLimits(at: entry.at) {
            bytes -= entries[oldest].cost
            entries[oldest].text = .written([])
            let gone = entries[oldest]
            if gone.effect == .removal, removals[gone.topic] == gone.number { removals[gone.topic] = nil }
            oldest += 1
        }
        // Compacting only now and then keeps the cost per event constant.
        if oldest > 64, oldest > entries.count / 2 {
            let gone = min(oldest, entries.count - 1)
            entries.removeFirst(gone)
            oldest -= gone
        }
    }

    private func isBeyondLimits(at now: Int64) -> Bool {
        entries.count - oldest > limits.events || bytes > limits.bytes
            || entries[oldest].at < now.subtractingSaturated(limits.lifetime)
    }

    /// Returns the events after a number; nil if some of them are missing.
    /// - Parameter last: The newest number assigned.
    func events(after number: Int64, last: Int64) -> ArraySlice<Entry>? {
        guard number < last else { return number == last ? [] : nil }
        let next = number + 1
        guard let first = oldestNumber, first <= next, continuousFrom <= next, entries.last?.number == last else {
            return nil
        }
        return kept(after: number)
    }

    /// Returns the number of a topic's last removal event; nil if none is kept.
    func removal(of topic: TopicName) -> Int64? { removals[topic] }

    /// Returns the kept events after a number.
    func kept(after number: Int64) -> ArraySlice<Entry> {
        var low = oldest
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        // proven: a binary search ends between where it began.
        return entries[low...]
    }
}
