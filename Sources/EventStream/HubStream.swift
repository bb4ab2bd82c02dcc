// A stream as the publisher knows it.

/// What a stream asked for, what it has been told, and which topics it hears.
final class HubStream {
    let key: StreamKey
    let selection: TopicSelection
    let variant: Variant
    let once: Bool
    let endsWithTopic: Bool
    /// The topics it hears, once it has caught up with what was published.
    var topics: Set<Int32> = []
    /// How many of them are of what concerns all of a kind: those count towards no limit.
    var topicsOfAll = 0
    /// Topics whose states it has not been told yet, the last one first.
    var untold: [Int32] = []
    /// Where in its selection the topics of what is there go on that it does not hear yet; nil when it hears all.
    var arrival: SelectionPlace?
    /// The number of the last event that was replayed, while there are more; nil once it has caught up.
    var cursor: Int64?
    /// Bytes that go out when it has caught up, before the states.
    var prelude: [UInt8]
    /// It has caught up.
    var hasJoined = false
    /// What was replayed holds what it ends after.
    var isOver = false
    /// It was told that it doesn't hear all it asked for.
    var knowsLimit = false
    /// It is among those who are found by their patterns.
    var isIndexed = false

    init(_ subscription: Subscription) {
        key = subscription.key
        selection = subscription.selection
        variant = subscription.variant
        once = subscription.once
        endsWithTopic = subscription.endsWithTopic
        prelude = subscription.prelude
    }
}
