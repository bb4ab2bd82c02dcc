// Queries of a hub.

package import Base

extension Hub {
    // MARK: - Events

    /// The name of the log of events that ids belong to.
    package var epoch: String { events.epoch }

    /// The newest event's id; number 0 before the first.
    package var lastEventID: EventID { events.lastEventID }

    /// Returns whether an id is of a later event than the newest here, or of an epoch that may not have begun here: another
    /// replica has published it already.
    package func isYetToCome(_ id: String) -> Bool { events.isYetToCome(id) }

    /// The number of the oldest event kept for replay; that of the next event if none is kept.
    package var oldestKept: Int64 { events.oldestKept }

    /// The events kept for replay, as a snapshot holds them; their instants are monotonic nanoseconds.
    package var keptEvents: [EventRecord.Segment] { events.record.portions }

    /// Bytes of the events kept for replay.
    package var historyBytes: Int { events.bytes }

    /// How many streams came back with the id of a known event, even if the events after it had expired.
    package var replayCount: UInt64 { events.replayCount }

    /// How many `reset` events were sent, by reason.
    package var resetCounts: [ResetReason: UInt64] { events.resetCounts }

    /// Returns what a client knows of the removal of a topic whose resource doesn't exist.
    /// - Parameter lastEventID: The client's; nil if it brought none.
    package func parting(from topic: TopicName, after lastEventID: String?) -> Parting {
        events.parting(from: topic, after: lastEventID)
    }

    // MARK: - Topics

    /// Returns whether a stream's patterns match this name.
    package func isWanted(_ name: TopicName) -> Bool {
        guard !streams.isEmpty else { return false }
        return topics.index(of: name) != nil || streams.wants(name)
    }

    package func index(of name: TopicName) -> TopicIndex? { topics.index(of: name).map { TopicIndex(rawValue: $0) } }

    package func name(of topic: TopicIndex) -> TopicName { topics.name(at: topic.rawValue) }

    /// Returns the slot of a topic's resource; nil while there is none.
    package func slot(of topic: TopicIndex) -> Int? { topics.slot(of: topic.rawValue) }

    /// Topics by the slots of tracks, and of schedules; -1 for a slot without a topic.
    package var topicsOfTracks: [Int32] { topics.ofTracks }
    package var topicsOfSchedules: [Int32] { topics.ofSchedules }

    /// Subscribed forms by topic; empty for unused numbers.
    package var watching: [VariantSet] { topics.watching }

    /// Returns the subscribed forms of a topic. Frames are only needed in these.
    package func variants(watching topic: TopicIndex) -> VariantSet { topics.variants(watching: topic) }

    /// Returns the subscribed forms in locales of their own.
    package func localised(watching topic: TopicIndex) -> [Variant] { topics.localised(watching: topic) }

    /// Returns all subscribed forms of a topic.
    package func allVariants(watching topic: TopicIndex) -> WatchedVariants {
        allVariants(of: variants(watching: topic), watching: topic)
    }

    /// Returns those of a topic's subscribed forms that are in a set, and, if it has locales, all in locales.
    package func allVariants(of posted: VariantSet, watching topic: TopicIndex) -> WatchedVariants {
        WatchedVariants(posted, posted.hasLocales ? localised(watching: topic) : [])
    }

    /// Returns the number of the owner whose share pays for a form's frames: of the first that subscribed; 0 if it has none.
    package func owner(of variant: Variant, watching topic: TopicIndex) -> Int32 {
        topics.owner(of: variant, at: topic)
    }

    /// Returns the owner of a topic's only form; nil if it has several forms.
    package func soleOwner(watching topic: TopicIndex) -> Int32? { topics.soleOwner(at: topic) }

    /// Finds the owners of a topic's extended forms, each once.
    package func findOwners(watching topic: TopicIndex, _ owners: inout [Int32]) {
        topics.findOwners(at: topic, &owners)
    }

    /// Whether `drainWatchChanges` has more to return.
    package var hasWatchChanges: Bool { topics.hasWatchChanges }

    // MARK: - Streams

    /// Topics of all streams together; one in two forms counts twice.
    package var linkCount: Int { streams.linkCount }

    /// How many topics, names and prefixes streams have joined and left so far.
    package var topicChangeCount: Int { streams.changeCount }

    /// Names and prefixes of all streams together.
    package var patternCount: Int { streams.patternCount }

    /// Returns a stream's patterns and the number of topics attached by them, each once for each form; nil if it has ended.
    package func subscription(of key: StreamID) -> (patterns: [TopicPattern], topics: Int)? {
        streams[key].map { ($0.selection.patterns, $0.topicCount) }
    }

    /// Returns the request that opened a stream; nil if it has ended.
    package func origin(of key: StreamID) -> StreamOrigin? { streams[key]?.origin }

    /// Returns the number of a stream's locale; nil if it has ended.
    package func locale(of key: StreamID) -> UInt8? { streams[key]?.parts.variant.locale }

    /// Returns the stream of a name; nil if it has ended, or ends after what was queued.
    package func stream(named name: StreamName) -> StreamID? {
        streams[name].flatMap { $0.isOver ? nil : $0.key }
    }

    /// Returns the owner of a stream; nil if it has ended or has no owner to count for.
    package func owner(of key: StreamID) -> String? { streams[key]?.owner?.name }

    /// Returns what a stream's frames must be; nil for either.
    package func payload(of key: StreamID) -> StreamEncoding.Payload? { streams[key]?.payload }

    /// All streams, in the order of their slots.
    package var streamKeys: [StreamID] { streams.keys.sorted() }
}
