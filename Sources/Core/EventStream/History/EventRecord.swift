// Recent named events, kept beside a hub for the next publisher, who continues as if it had published them.

package import Base

/// Published events, bounded like a hub's history.
package struct EventRecord: Sendable {
    /// Events of one instant.
    package struct Segment: Hashable, Sendable {
        package var epoch: String
        /// The number of the last event.
        package var last: Int64
        /// Unix nanoseconds.
        package var instant: Int64
        /// The bytes that `PastEvents` reads.
        package var bytes: [UInt8]

        package init(epoch: String, last: Int64, instant: Int64, bytes: [UInt8]) {
            (self.epoch, self.last, self.instant, self.bytes) = (epoch, last, instant, bytes)
        }
    }

    private var history: History
    /// The first event number of each epoch, in order.
    private var epochs: [(first: Int64, epoch: String)] = []

    package init(_ configuration: HubConfiguration) { history = History(configuration.limits) }

    /// - Parameter epochs: The first event number of each epoch, in order.
    init(_ history: History, epochs: [(first: Int64, epoch: String)]) {
        (self.history, self.epochs) = (history, epochs)
    }

    /// Adds the newest event.
    package mutating func append(
        event name: String, id: EventID, on topic: TopicName, effect: Hub.EventEffect, payload: [UInt8],
        at instant: Int64
    ) {
        if epochs.last?.epoch != id.epoch { epochs.append((id.number, id.epoch)) }
        let bytes = SSE.event(name, id: id, payload: payload)
        history.append(
            History.Entry(number: id.number, topic: topic, at: instant, text: .written(bytes), effect: effect))
    }

    /// Adds a kept portion.
    package mutating func append(_ portion: Segment) throws(PastEvents.Damage) {
        var past = PastEvents(maximumBytes: .max)
        try past.append(portion.bytes, last: portion.last, epoch: portion.epoch, at: portion.instant)
        guard let first = past.newest.first else { return }
        if epochs.last?.epoch != portion.epoch { epochs.append((first.number, portion.epoch)) }
        for entry in past.newest { history.append(entry) }
    }

    /// The kept events, oldest first.
    package var portions: [Segment] {
        var portions: [Segment] = []
        var rest = history.kept(after: .min)
        while let first = rest.first {
            let epoch = epochs.last { $0.first <= first.number }?.epoch ?? ""
            let end = epochs.first { $0.first > first.number }?.first ?? .max
            let alike = rest.prefix { $0.at == first.at && $0.number < end }
            let portion = EventLogChunk(alike)
            portions.append(Segment(epoch: epoch, last: portion.last, instant: first.at, bytes: portion.bytes))
            rest = rest.dropFirst(alike.count)
        }
        return portions
    }
}
