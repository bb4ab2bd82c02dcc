// The named events of the recent past, for clients that were away.

/// A bounded log of named events, oldest first.
struct History {
    struct Entry {
        var number: Int64
        var topic: TopicName
        /// Monotonic nanoseconds.
        var at: Int64
        /// The event as it went out.
        var bytes: [UInt8]
        var isCompletion: Bool
    }

    private var entries: [Entry] = []
    /// Index of the oldest entry; those before it have gone.
    private var oldest = 0
    private let capacity: Int
    private let lifetime: Int64

    /// - Parameters:
    ///   - capacity: The most events kept.
    ///   - lifetime: Nanoseconds an event is kept.
    init(capacity: Int, lifetime: Int64) {
        self.capacity = capacity
        self.lifetime = lifetime
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        while oldest < entries.count,
            entries.count - oldest > capacity || entries[oldest].at < entry.at - lifetime
        {
            entries[oldest].bytes = []
            oldest += 1
        }
        // Moving the rest down now and then keeps the cost per event constant.
        if oldest > 64, oldest > entries.count / 2 {
            entries.removeFirst(oldest)
            oldest = 0
        }
    }

    /// The events after a number; nil when some of them are no longer here.
    /// - Parameter last: The newest number given out.
    func events(after number: Int64, last: Int64) -> ArraySlice<Entry>? {
        guard number <= last else { return nil }
        guard number < last else { return [] }
        guard oldest < entries.count, entries[oldest].number <= number + 1 else { return nil }
        return entries[(oldest + Int(number + 1 - entries[oldest].number))...]
    }
}
