// A stream as the publisher knows it.

import Base

/// What a stream asked for, what it has been told, and which topics it hears. There are many, most of them idle: small
/// fields stand together, and what only a beginning needs is the hub's.
final class HubStream {
    let key: StreamID
    var parts: StreamParts
    /// Whose it is; nil where the total alone is the bound.
    let owner: StreamOwner?
    /// The topics it hears, once it has caught up with what was published, in each of their forms.
    private(set) var topics: Set<TopicForm> = []
    /// Topics whose states it has not been told yet, the last one first.
    var untold: [TopicForm] = []
    /// Events that go out when it has caught up, before the states.
    var prelude: [[UInt8]]
    /// The number of the last event that was replayed, while there are more; nil once it has caught up.
    var cursor: Int64?
    /// The name under which it can be changed; nil for one that can't be.
    let name: StreamName?
    var once: Bool
    /// What its reader may read; nil for everything.
    var readable: TopicSelection?
    let endsWithTopic: Bool
    /// It is sent lines of JSON.
    let isLines: Bool
    /// It brought the id of an event, and may have heard that elsewhere.
    let hasReturned: Bool
    /// It has caught up.
    var hasJoined = false
    /// What was replayed holds what it ends after.
    var isOver = false
    /// What was replayed holds the end of its topic, which may have come again since.
    var sawRemoval = false
    /// It was told that it doesn't hear all it asked for.
    var knowsLimit = false
    /// It is among those who are found by their patterns.
    var isIndexed = false
    /// It does not hear all topics yet that it will: the hub knows how far it has come.
    var isArriving = false
    /// Its shard will ask for more of its greeting.
    var isGreeting = false
    /// How many of its topics are of what concerns all of a kind: those count towards no limit.
    private var topicsOfAll: UInt8 = 0
    /// The request that it began with.
    let origin: StreamOrigin
    /// How many topics it hears of those that it asked for.
    var topicCount: Int { topics.count - Int(topicsOfAll) }

    init(_ subscription: Subscription, of owner: StreamOwner?) {
        self.owner = owner
        key = subscription.key
        parts = subscription.parts
        name = subscription.name
        origin = subscription.origin
        once = subscription.terms.once
        readable = subscription.terms.readable
        endsWithTopic = subscription.endsWithTopic
        isLines = subscription.isLines
        prelude = subscription.prelude
        hasReturned = subscription.lastEventID != nil
    }

    var selection: TopicSelection { parts.selection }

    /// - Returns: Whether it did not hear the topic in this form before.
    func link(to form: TopicForm, isOfAll: Bool) -> Bool {
        guard topics.insert(form).inserted else { return false }
        owner?.links += 1
        if isOfAll { topicsOfAll += 1 }
        return true
    }

    /// - Returns: Whether it heard the topic in this form.
    func unlink(from form: TopicForm, isOfAll: Bool) -> Bool {
        guard topics.remove(form) != nil else { return false }
        owner?.links -= 1
        if isOfAll { topicsOfAll -= 1 }
        return true
    }
}
