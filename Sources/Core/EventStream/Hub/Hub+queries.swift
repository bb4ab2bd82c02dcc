// What a hub can be asked.

package import Base

extension Hub {
    // MARK: - Events

    /// Names the log of events that ids belong to.
    package var epoch: String { events.epoch }

    /// The newest event's id; number 0 before the first.
    package var lastEventID: EventID { events.lastEventID }

    /// Whether an id is of an event that is still to come here: another replica has told it already.
    package func isYetToCome(_ id: String) -> Bool { events.isYetToCome(id) }

    /// The number of the oldest event that is kept for replay; the next event's where none is.
    package var oldestKept: Int64 { events.oldestKept }

    /// Bytes of events that are kept for replay.
    package var historyBytes: Int { events.bytes }

    /// Streams that came back with the id of an event, and were told all that they had missed or that it is gone.
    package var replayCount: UInt64 { events.replayCount }

    /// How often streams were told that what they missed is gone, or that what they heard may not have been.
    package var resetCounts: [ResetReason: UInt64] { events.resetCounts }

    /// What is known of the end of a topic whose resource isn't there.
    /// - Parameter lastEventID: That of whoever heard it; nil for one who did not.
    package func parting(from topic: TopicName, after lastEventID: String?) -> Parting {
        events.parting(from: topic, after: lastEventID)
    }

    // MARK: - Topics

    /// Whether somebody would watch a topic of this name.
    package func isWanted(_ name: TopicName) -> Bool {
        guard !streams.isEmpty else { return false }
        return topics.index(of: name) != nil || streams.wants(name)
    }

    package func index(of name: TopicName) -> TopicIndex? { topics.index(of: name).map { TopicIndex(rawValue: $0) } }

    /// Who watches, by topic; none for numbers that are free.
    package var watching: [VariantSet] { topics.watching }

    /// Who watches: compute no frame when nobody does.
    package func variants(watching topic: TopicIndex) -> VariantSet { topics.variants(watching: topic) }

    /// Who watches in a locale of their own.
    package func localised(watching topic: TopicIndex) -> [Variant] { topics.localised(watching: topic) }

    /// Whether there are changes that were not taken.
    package var hasWatchChanges: Bool { topics.hasWatchChanges }

    // MARK: - Streams

    /// Topics of all streams together.
    package var linkCount: Int { streams.linkCount }

    /// Names and prefixes of all streams together.
    package var patternCount: Int { streams.patternCount }

    /// The patterns that a stream asked for, and how many topics it hears by them; nil when it has gone.
    package func subscription(of key: StreamID) -> (patterns: [TopicPattern], topics: Int)? {
        streams[key].map { ($0.selection.patterns, $0.topicCount) }
    }

    /// The request that a stream began with; nil when it has gone.
    package func origin(of key: StreamID) -> StreamOrigin? { streams[key]?.origin }

    /// The number of the locale in which a stream is read; nil when it has gone.
    package func locale(of key: StreamID) -> UInt8? { streams[key]?.parts.variant.locale }

    /// The stream of a name; nil when it has gone, or ends with what it is told.
    package func stream(named name: StreamName) -> StreamID? {
        streams[name].flatMap { $0.isOver ? nil : $0.key }
    }

    /// Whose a stream is; nil when it has gone, and for one that is held to no share.
    package func owner(of key: StreamID) -> String? { streams[key]?.owner?.name }

    /// Whether a stream is sent lines of JSON.
    package func isLines(_ key: StreamID) -> Bool { streams[key]?.isLines ?? false }

    /// All streams, in the order of their places.
    package var streamKeys: [StreamID] { streams.keys.sorted() }
}
