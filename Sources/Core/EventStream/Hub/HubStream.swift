// A stream as the publisher knows it.

import Base

/// A stream's subscription, its progress, and its topics. Most streams are idle, and there are many: small fields are
/// adjacent, and state of the greeting alone is in the hub.
final class HubStream {
    let key: StreamID
    var parts: StreamParts
    /// The client whose share it counts towards; nil if only the total is limited.
    let owner: StreamOwner?
    /// The topics that it is attached to, in each of their forms. Empty until it has caught up.
    private(set) var topics: Set<TopicForm> = []
    /// Topics whose states it has not been sent yet, the last one first.
    var ungreeted: [TopicForm] = []
    /// Its progress while it is not attached to all existing topics yet.
    var arrival: Arrival?
    /// Events to send when it has caught up, before the states.
    var prelude: [[UInt8]]
    /// The number of the last replayed event while more remain; nil once it has caught up.
    var cursor: Int64?
    /// The name by which clients change it; nil if it can't be changed.
    let name: StreamName?
    var once: Bool
    /// Topics that it may read; nil for all.
    var readable: TopicSelection?
    let endsWithTopic: Bool
    /// What it ends with if it answers a change.
    let goal: StreamGoal?
    let endsWhenCaughtUp: Bool
    /// What its frames must be; nil for either.
    let payload: StreamEncoding.Payload?
    /// It brought an event's id, which may be from another replica.
    let hasReturned: Bool
    /// It has caught up and is attached to topics.
    var hasJoined = false
    /// The replay contains the event that ends it.
    var isOver = false
    /// The replay contains the removal of its topic, which may have been created again since.
    var sawRemoval = false
    /// It was sent the notice that some topics were left out.
    var knowsLimit = false
    /// It is in the index of patterns.
    var isIndexed = false
    /// Its shard will ask for more of its greeting.
    var isGreeting = false
    /// How many of its topics are for all resources of a kind: they count towards no limit.
    private var topicsOfAll: UInt8 = 0
    /// The request that opened it.
    let origin: StreamOrigin
    /// How many of its topics match its patterns.
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
        goal = subscription.goal
        endsWhenCaughtUp = subscription.endsWhenCaughtUp
        payload = subscription.encoding?.payload
        prelude = subscription.prelude
        hasReturned = subscription.lastEventID != nil
    }

    var selection: TopicSelection { parts.selection }
    /// It is not attached to all existing topics yet.
    var isArriving: Bool { arrival != nil }

    /// - Returns: Whether the form is new to the stream.
    func link(to form: TopicForm, isOfAll: Bool) -> Bool {
        guard topics.insert(form).inserted else { return false }
        owner?.links += 1
        if isOfAll { topicsOfAll += 1 }
        return true
    }

    /// - Returns: Whether the stream was attached to the form.
    func unlink(from form: TopicForm, isOfAll: Bool) -> Bool {
        guard topics.remove(form) != nil else { return false }
        owner?.links -= 1
        if isOfAll { topicsOfAll -= 1 }
        return true
    }
}
