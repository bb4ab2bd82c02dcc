// A stream's subscription: its topics and its options.

package import Base

/// What a stream asked for.
package struct Subscription: Sendable {
    package var key: StreamID
    package var parts: StreamParts
    /// The stream's owner, who may use no more patterns and topics than are left free; nil if only the totals apply.
    package var owner: String?
    package var terms: StreamTerms
    /// Whether the stream ends after its topic's `removed`.
    package var endsWithTopic: Bool
    /// The name by which it can be changed; nil if it can't be.
    package var name: StreamName?
    /// The id of the client's last event.
    package var lastEventID: String?
    /// The event after which missed events are replayed.
    package var after: EventID?
    /// What it ends with if it answers a change; nil for other streams.
    package var goal: StreamGoal?
    /// Whether it ends when it has been sent what it missed and the states of its topics.
    package var endsWhenCaughtUp = false
    /// Events that are sent right after the greeting.
    package var prelude: [[UInt8]]
    package var retryMilliseconds: Int
    /// Whether the greeting comes before the socket.
    package var isGreeted: Bool
    /// How its events are written; nil for Server-Sent Events.
    package var encoding: StreamEncoding?
    /// The request that opened it.
    package var origin: StreamOrigin

    package init(
        key: StreamID, parts: StreamParts, owner: String? = nil, terms: StreamTerms = StreamTerms(),
        endsWithTopic: Bool = false, name: StreamName? = nil, lastEventID: String? = nil,
        after: EventID? = nil, prelude: [[UInt8]] = [], retryMilliseconds: Int = 2_000, isGreeted: Bool = false,
        origin: StreamOrigin = StreamOrigin()
    ) {
        self.key = key
        self.parts = parts
        self.owner = owner
        self.terms = terms
        self.endsWithTopic = endsWithTopic
        self.name = name
        self.lastEventID = lastEventID
        self.after = after
        self.prelude = prelude
        self.retryMilliseconds = retryMilliseconds
        self.isGreeted = isGreeted
        self.origin = origin
    }
}

/// The options of a whole stream apart from its locale, and what its reader may read. Like its topics, they can change while it
/// is open.
package struct StreamTerms: Hashable, Sendable {
    /// The maximum frames a second; nil is every tick.
    package var framesPerSecond: Double?
    /// Seconds of silence before a heartbeat, up to 255; nil is the server's default.
    package var heartbeatSeconds: Int?
    /// Whether the stream ends after the first `complete`.
    package var once: Bool
    /// The topics that its reader may read; nil for all. Events omit the names of other resources.
    package var readable: TopicSelection?

    package init(
        framesPerSecond: Double? = nil, heartbeatSeconds: Int? = nil, once: Bool = false,
        readable: TopicSelection? = nil
    ) {
        self.readable = readable
        self.framesPerSecond = framesPerSecond
        self.heartbeatSeconds = heartbeatSeconds
        self.once = once
    }

    /// Nanoseconds between frames, for any rate; 0 is every tick.
    var interval: Int64 {
        guard let rate = framesPerSecond, rate > 0 else { return 0 }
        return min(Int64(saturating: 1e9 / rate), Self.longestInterval)
    }

    /// A minute: adding it to an instant cannot overflow.
    private static let longestInterval: Int64 = 60_000_000_000
}
