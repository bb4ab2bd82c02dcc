// A stream's wish: what it listens to, and how.

/// A stream by its place; a place is used again with another generation.
package struct StreamKey: Hashable, Sendable {
    package let shard: UInt16
    package let slot: UInt32
    package let generation: UInt32

    package init(shard: UInt16, slot: UInt32, generation: UInt32) {
        self.shard = shard
        self.slot = slot
        self.generation = generation
    }
}

/// What a stream asked for.
package struct Subscription: Sendable {
    package var key: StreamKey
    package var patterns: [TopicPattern]
    package var variant: Variant
    /// Most frames a second; nil is every tick's.
    package var framesPerSecond: Double?
    /// Ends after the first `complete`.
    package var once: Bool
    /// Ends after its topic's `removed`.
    package var endsWithTopic: Bool
    /// What the client saw last.
    package var lastEventID: String?
    /// Replay what came after this event.
    package var after: EventID?
    /// Bytes that go out right after the greeting.
    package var prelude: [UInt8]
    package var retryMilliseconds: Int

    package init(
        key: StreamKey, patterns: [TopicPattern], variant: Variant = .json, framesPerSecond: Double? = nil,
        once: Bool = false, endsWithTopic: Bool = false, lastEventID: String? = nil, after: EventID? = nil,
        prelude: [UInt8] = [], retryMilliseconds: Int = 2_000
    ) {
        self.key = key
        self.patterns = patterns
        self.variant = variant
        self.framesPerSecond = framesPerSecond
        self.once = once
        self.endsWithTopic = endsWithTopic
        self.lastEventID = lastEventID
        self.after = after
        self.prelude = prelude
        self.retryMilliseconds = retryMilliseconds
    }
}
