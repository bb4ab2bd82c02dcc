// A stream's wish: what it listens to, and how.

import Conversions
package import Primitives

/// What a stream asked for.
package struct Subscription: Sendable {
    package var key: StreamID
    package var selection: TopicSelection
    /// Whose it is: nobody's streams have more patterns and topics than are left free; nil where the total alone is the bound.
    package var owner: String?
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
    /// Its socket is still to come.
    package var isAhead: Bool

    package init(
        key: StreamID, selection: TopicSelection, owner: String? = nil, variant: Variant = .json,
        framesPerSecond: Double? = nil, once: Bool = false, endsWithTopic: Bool = false, lastEventID: String? = nil,
        after: EventID? = nil, prelude: [UInt8] = [], retryMilliseconds: Int = 2_000, isAhead: Bool = false
    ) {
        self.key = key
        self.selection = selection
        self.owner = owner
        self.variant = variant
        self.framesPerSecond = framesPerSecond
        self.once = once
        self.endsWithTopic = endsWithTopic
        self.lastEventID = lastEventID
        self.after = after
        self.prelude = prelude
        self.retryMilliseconds = retryMilliseconds
        self.isAhead = isAhead
    }

    /// Nanoseconds between frames, whatever rate was asked for; 0 is every tick's.
    var interval: Int64 {
        guard let rate = framesPerSecond, rate > 0 else { return 0 }
        return min(Int64(saturating: 1e9 / rate), Self.longestInterval)
    }

    /// A minute: sums of it and an instant are far from any end.
    private static let longestInterval: Int64 = 60_000_000_000
}
