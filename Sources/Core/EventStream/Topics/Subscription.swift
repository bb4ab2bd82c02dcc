// A stream's wish: what it listens to, and how.

package import Base

/// What a stream asked for.
package struct Subscription: Sendable {
    package var key: StreamID
    package var parts: StreamParts
    /// Whose it is: nobody's streams have more patterns and topics than are left free; nil where the total alone is the bound.
    package var owner: String?
    package var terms: StreamTerms
    /// Ends after its topic's `removed`.
    package var endsWithTopic: Bool
    /// The name under which it can be changed; nil for one that can't be.
    package var name: StreamName?
    /// What the client saw last.
    package var lastEventID: String?
    /// Replay what came after this event.
    package var after: EventID?
    /// Events that go out right after the greeting.
    package var prelude: [[UInt8]]
    package var retryMilliseconds: Int
    /// Its socket is still to come.
    package var isGreeted: Bool
    /// It is sent lines of JSON in place of events.
    package var isLines = false
    /// The request that it began with.
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

/// How often a stream is told something, until when, and to whom: what can be changed while it is open.
package struct StreamTerms: Hashable, Sendable {
    /// Most frames a second; nil is every tick's.
    package var framesPerSecond: Double?
    /// Seconds of silence after which it is sent a heartbeat, up to 255; nil is the server's.
    package var heartbeatSeconds: Int?
    /// Ends after the first `complete`.
    package var once: Bool
    /// What its reader may read, also beside its topics: of events that name something else that is left out. Nil for
    /// everything.
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

    /// Nanoseconds between frames, whatever rate was asked for; 0 is every tick's.
    var interval: Int64 {
        guard let rate = framesPerSecond, rate > 0 else { return 0 }
        return min(Int64(saturating: 1e9 / rate), Self.longestInterval)
    }

    /// A minute: sums of it and an instant are far from any end.
    private static let longestInterval: Int64 = 60_000_000_000
}
