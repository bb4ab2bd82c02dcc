// The publisher's side: which topics there are and who watches them, and the batch of the present tick. Owned by the
// tick thread; no lock, no clock.

/// Limits and settings of a hub.
package struct HubConfiguration: Sendable {
    /// Most named events kept for replay.
    package var historyEvents = 10_000
    /// Seconds a named event is kept.
    package var historySeconds = 900.0
    /// Most topics of one stream, those aside that concern all of a kind; further ones are not attached.
    package var maximumTopicsPerStream = 10_000
    /// Bytes of topics' states that a stream is sent at its beginning before it has to ask for more: one that reads nothing
    /// has no more than that waiting.
    package var greetingPortion = 8 * 1_024
    /// Whether published events are to be taken by `takeLogPortion`.
    package var keepsLog = false

    package init() {}
}

/// Topics, their watchers and what they are sent.
package final class Hub {
    struct Topic {
        var name: TopicName
        /// How many watch in each variant that somebody watches in.
        var watchers: [(variant: Variant, count: Int32)]
        var total: Int32
    }

    struct Stream {
        var patterns: [TopicPattern]
        var variant: Variant
        var topics: Set<Int32>
        /// Topics whose states it has not been told yet, the last one first.
        var untold: [Int32] = []
    }

    /// Names the log of events that ids belong to.
    package let epoch: String
    /// The batch that is being written: a frame's payload is appended between `beginFrame` and `endFrame`.
    package var bytes: [UInt8] = []
    let configuration: HubConfiguration
    private(set) var topics: [Topic?] = []
    /// Who watches, by topic; none for numbers that are free. Apart from the topics, so that a frame looks at nothing else.
    package private(set) var watching: [VariantSet] = []
    private var free: [Int32] = []
    private var indices: [TopicName: Int32] = [:]
    var streams: [StreamKey: Stream] = [:]
    /// Streams with a prefix pattern, by kind.
    private var prefixed: [TopicKind: Set<StreamKey>] = [:]
    private var watchChanges: [TopicIndex] = []
    private let inboxes: [ShardInbox]
    var outgoing: [[ShardMessage]]
    var entries: [TickBatch.Entry] = []
    var history: History
    /// Events that `takeLogPortion` has not taken yet.
    var unlogged: [History.Entry] = []
    private let lastNumbersOfPastEpochs: [String: Int64]
    var lastNumber: Int64
    /// Bytes of all named events so far: what a turn counts its work by.
    package internal(set) var publishedBytes = 0
    var now: Int64 = 0

    /// - Parameter past: What earlier runs published; numbers go on from there.
    package init(
        inboxes: [ShardInbox], configuration: HubConfiguration, epoch: String, past: PastEvents = PastEvents()
    ) {
        self.inboxes = inboxes
        self.configuration = configuration
        self.epoch = epoch
        outgoing = Array(repeating: [], count: inboxes.count)
        history = History(
            capacity: configuration.historyEvents, lifetime: Int64(configuration.historySeconds * 1e9))
        lastNumber = past.lastNumber
        lastNumbersOfPastEpochs = past.lastNumbers
        for entry in past.entries { history.append(entry) }
    }

    /// The newest event's id; number 0 before the first.
    package var lastEventID: EventID { EventID(epoch: epoch, number: lastNumber) }

    /// How many streams there are.
    package var streamCount: Int { streams.count }

    // MARK: - Topics

    /// Whether somebody would watch a topic of this name.
    package func isWanted(_ name: TopicName) -> Bool {
        if indices[name] != nil { return true }
        guard let keys = prefixed[name.kind], !keys.isEmpty else { return false }
        return keys.contains { streams[$0]?.patterns.contains { $0.matches(name) } ?? false }
    }

    /// Finds or makes a topic; streams whose pattern fits a new one are attached to it.
    package func topic(_ name: TopicName) -> TopicIndex {
        if let index = indices[name] { return TopicIndex(rawValue: index) }
        let topic = Topic(name: name, watchers: [], total: 0)
        let index: Int32
        if let reused = free.popLast() {
            index = reused
            topics[Int(index)] = topic
        } else {
            index = Int32(topics.count)
            topics.append(topic)
            watching.append(VariantSet())
        }
        indices[name] = index
        for key in prefixed[name.kind] ?? [] {
            guard let stream = streams[key], stream.patterns.contains(where: { $0.matches(name) }),
                attach(key, to: index)
            else { continue }
            outgoing[Int(key.shard)].append(.attach(key, index))
        }
        return TopicIndex(rawValue: index)
    }

    package func index(of name: TopicName) -> TopicIndex? { indices[name].map { TopicIndex(rawValue: $0) } }

    /// Who watches: compute no frame when nobody does.
    package func variants(watching topic: TopicIndex) -> VariantSet {
        let index = Int(topic.rawValue)
        return watching.indices.contains(index) ? watching[index] : VariantSet()
    }

    /// Takes the topics that came to be watched, or ceased to be, since the last call.
    package func takeWatchChanges() -> [TopicIndex] {
        defer { watchChanges.removeAll(keepingCapacity: true) }
        return watchChanges
    }

    /// Has a topic that is watched among the changes again: its resource came after its watchers.
    package func renewWatch(_ topic: TopicIndex) {
        if !variants(watching: topic).isEmpty { watchChanges.append(topic) }
    }

    /// Lets a topic go whose resource has gone. Streams that named it keep it, for a resource of that name to come; those
    /// that a prefix brought are attached anew then.
    package func release(_ topic: TopicIndex) {
        let index = Int(topic.rawValue)
        guard topics.indices.contains(index), let known = topics[index] else { return }
        let passing = known.total == 0 ? [] : streamsByPrefixAlone(watching: topic.rawValue, known.name)
        guard passing.count == Int(known.total) else { return }
        // What was said of it goes out under its number before the number can be another's.
        seal()
        for key in passing {
            guard let variant = streams[key]?.variant else { continue }
            streams[key]?.topics.remove(topic.rawValue)
            unwatch(topic.rawValue, variant)
        }
        topics[index] = nil
        watching[index] = VariantSet()
        indices[known.name] = nil
        free.append(topic.rawValue)
        for shard in outgoing.indices { outgoing[shard].append(.forget(topic.rawValue)) }
    }

    private func streamsByPrefixAlone(watching index: Int32, _ name: TopicName) -> [StreamKey] {
        (prefixed[name.kind] ?? []).filter { key in
            guard let stream = streams[key], stream.topics.contains(index) else { return false }
            let fitting = stream.patterns.filter { $0.matches(name) }
            return !fitting.isEmpty && fitting.allSatisfy(\.isPrefix)
        }
    }

    @discardableResult
    private func attach(_ key: StreamKey, to index: Int32) -> Bool {
        // What concerns all of a kind has a topic of its own that nobody asked for. The stream's set of topics is changed
        // where it lies: a copy in hand would have it copied for each.
        guard let variant = streams[key]?.variant, let own = streams[key]?.patterns,
            (streams[key]?.topics.count ?? 0) < configuration.maximumTopicsPerStream + Set(own.lazy.map(\.kind)).count,
            streams[key]?.topics.insert(index).inserted == true
        else { return false }
        watch(index, variant)
        return true
    }

    private func watch(_ index: Int32, _ variant: Variant) {
        guard var topic = topics[Int(index)] else { return }
        if let known = topic.watchers.firstIndex(where: { $0.variant == variant }) {
            topic.watchers[known].count += 1
        } else {
            topic.watchers.append((variant, 1))
            watching[Int(index)].insert(variant)
        }
        topic.total += 1
        topics[Int(index)] = topic
        if topic.total == 1 { watchChanges.append(TopicIndex(rawValue: index)) }
    }

    private func unwatch(_ index: Int32, _ variant: Variant) {
        guard var topic = topics[Int(index)] else { return }
        guard let known = topic.watchers.firstIndex(where: { $0.variant == variant }) else { return }
        topic.watchers[known].count -= 1
        if topic.watchers[known].count == 0 {
            topic.watchers.remove(at: known)
            watching[Int(index)].remove(variant)
        }
        topic.total -= 1
        topics[Int(index)] = topic
        if topic.total == 0 { watchChanges.append(TopicIndex(rawValue: index)) }
    }

    // MARK: - Streams

    /// The form of a topic's state at a stream's beginning.
    package enum Snapshot: Sendable {
        case frame, motion
    }

    /// Opens a stream: retry and `hello`, what it missed or `reset`, the prelude, and a frame of each topic's state.
    /// - Parameters:
    ///   - hello: The greeting's payload.
    ///   - snapshot: Appends the payload of a topic's state now; nothing where there is none.
    package func subscribe(
        _ subscription: Subscription, hello: [UInt8],
        snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        // What is already in the batch goes out first: the stream's snapshot is newer.
        seal()
        let key = subscription.key
        streams[key] = Stream(patterns: subscription.patterns, variant: subscription.variant, topics: [])
        var greeting = SSE.event("hello", retry: subscription.retryMilliseconds, payload: hello)
        let isOver = replay(subscription, to: &greeting)
        greeting.append(contentsOf: subscription.prelude)
        for name in names(for: subscription.patterns) { attach(key, to: topic(name).rawValue) }
        for kind in Set(subscription.patterns.lazy.filter(\.isPrefix).map(\.kind)) {
            prefixed[kind, default: []].insert(key)
        }
        let watched = streams[key]?.topics.sorted() ?? []
        if !(isOver && subscription.once) { streams[key]?.untold = watched.reversed() }
        appendStates(to: &greeting, for: key, snapshot)
        let interval = subscription.framesPerSecond.map { Int64(1e9 / $0) } ?? 0
        outgoing[Int(key.shard)].append(
            .open(
                ShardMessage.StreamOpening(
                    key: key, variant: subscription.variant.rawValue, interval: interval, once: subscription.once,
                    endsWithTopic: subscription.endsWithTopic, isOver: isOver, bytes: greeting,
                    hasMore: hasMore(key), topics: watched)))
        send()
    }

    /// Goes on with a greeting, for a stream that has taken what it was told so far.
    package func continueGreeting(_ key: StreamKey, snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot) {
        guard streams[key] != nil else { return }
        seal()
        var states: [UInt8] = []
        appendStates(to: &states, for: key, snapshot)
        outgoing[Int(key.shard)].append(.greet(key, states, hasMore: hasMore(key)))
        send()
    }

    private func hasMore(_ key: StreamKey) -> Bool { streams[key]?.untold.isEmpty == false }

    /// The states of topics that a stream has not been told yet, until there are enough for one portion.
    private func appendStates(
        to bytes: inout [UInt8], for key: StreamKey, _ snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        guard var stream = streams.removeValue(forKey: key) else { return }
        defer { streams[key] = stream }
        let end = bytes.count + configuration.greetingPortion
        var payload: [UInt8] = []
        while bytes.count < end, let index = stream.untold.popLast() {
            // It may have gone meanwhile.
            guard stream.topics.contains(index) else { continue }
            payload.removeAll(keepingCapacity: true)
            let kind = snapshot(TopicIndex(rawValue: index), stream.variant, &payload)
            guard !payload.isEmpty else { continue }
            let frame = kind == .motion ? SSE.event("motion", payload: payload) : SSE.frame(payload)
            bytes.append(contentsOf: frame)
        }
    }

    /// The existing topics that patterns fit, and those of what concerns all of a kind.
    private func names(for patterns: [TopicPattern]) -> [TopicName] {
        var names: [TopicName] = []
        var seen: Set<TopicName> = []
        func add(_ name: TopicName) { if seen.insert(name).inserted { names.append(name) } }
        for pattern in patterns {
            add(.all(pattern.kind))
            guard pattern.isPrefix else {
                add(TopicName(kind: pattern.kind, id: pattern.text))
                continue
            }
            for case let topic? in topics where pattern.matches(topic.name) { add(topic.name) }
        }
        return names
    }

    /// Forgets a stream that has gone.
    package func unsubscribe(_ key: StreamKey) {
        guard let stream = streams.removeValue(forKey: key) else { return }
        for index in stream.topics { unwatch(index, stream.variant) }
        for kind in Set(stream.patterns.map(\.kind)) { prefixed[kind]?.remove(key) }
    }

    /// - Returns: Whether a completion was among what was replayed.
    private func replay(_ subscription: Subscription, to greeting: inout [UInt8]) -> Bool {
        let wanted: EventID?
        if let text = subscription.lastEventID {
            guard let id = EventID(text), let known = known(id) else {
                greeting.append(contentsOf: SSE.event("reset", payload: "{\"reason\":\"unknown\"}".utf8))
                return false
            }
            wanted = known
        } else {
            wanted = subscription.after
        }
        guard let wanted else { return false }
        guard let missed = history.events(after: wanted.number, last: lastNumber) else {
            greeting.append(contentsOf: SSE.event("reset", payload: "{\"reason\":\"expired\"}".utf8))
            return false
        }
        var isOver = false
        for entry in missed
        where subscription.patterns.contains(where: { $0.matches(entry.topic) }) || isForAll(entry, subscription) {
            greeting.append(contentsOf: entry.bytes)
            isOver = isOver || entry.isCompletion
        }
        return isOver
    }

    /// An id of this run or an earlier one, as one of this run. What an earlier run published and did not store has been
    /// told anew since, under numbers that are free again.
    private func known(_ id: EventID) -> EventID? {
        if id.epoch == epoch { return id }
        return lastNumbersOfPastEpochs[id.epoch].map { EventID(epoch: epoch, number: min(id.number, $0)) }
    }

    private func isForAll(_ entry: History.Entry, _ subscription: Subscription) -> Bool {
        entry.topic.id == "*" && subscription.patterns.contains { $0.kind == entry.topic.kind }
    }

    func seal() {
        guard !entries.isEmpty else { return }
        let batch = TickBatch(bytes: bytes, entries: entries)
        for shard in outgoing.indices { outgoing[shard].append(.batch(batch)) }
        let capacity = bytes.count
        bytes = []
        bytes.reserveCapacity(capacity)
        entries.removeAll(keepingCapacity: true)
    }

    func send() {
        for shard in inboxes.indices { inboxes[shard].post(&outgoing[shard]) }
    }
}
