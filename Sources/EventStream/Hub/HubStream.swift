// A stream as the publisher knows it.

/// What a stream asked for, what it has been told, and which topics it hears. There are many, most of them idle: small
/// fields stand together, and what only a beginning needs is the hub's.
import Primitives

final class HubStream {
    let key: StreamID
    let selection: TopicSelection
    /// Whose it is; nil where the total alone is the bound.
    let owner: StreamOwner?
    /// The topics it hears, once it has caught up with what was published.
    var topics: Set<Int32> = []
    /// Topics whose states it has not been told yet, the last one first.
    var untold: [Int32] = []
    /// Bytes that go out when it has caught up, before the states.
    var prelude: [UInt8]
    /// The number of the last event that was replayed, while there are more; nil once it has caught up.
    var cursor: Int64?
    let variant: Variant
    let once: Bool
    let endsWithTopic: Bool
    /// It has caught up.
    var hasJoined = false
    /// What was replayed holds what it ends after.
    var isOver = false
    /// It was told that it doesn't hear all it asked for.
    var knowsLimit = false
    /// It is among those who are found by their patterns.
    var isIndexed = false
    /// It does not hear all topics yet that it will: the hub knows how far it has come.
    var isArriving = false
    /// How many of its topics are of what concerns all of a kind: those count towards no limit.
    var topicsOfAll: UInt8 = 0

    init(_ subscription: Subscription, of owner: StreamOwner?) {
        self.owner = owner
        key = subscription.key
        selection = subscription.selection
        variant = subscription.variant
        once = subscription.once
        endsWithTopic = subscription.endsWithTopic
        prelude = subscription.prelude
    }
}
