// A stream's greeting: missed events, in portions as the client reads them. Then the stream joins its topics and gets their
// states, in portions too.

package import Base

extension Hub {
    /// The form in which a greeting shows a topic's state.
    package enum Snapshot: Sendable {
        case frame, motion
        /// A frame that the other subscribers have not been sent yet.
        case greetedFrame
    }

    /// Makes the topics of existing resources in a selection: at most `most` from `place` on. `place` becomes nil after the
    /// last.
    package typealias Existing = (
        _ selection: TopicSelection, _ place: inout SelectionPlace?, _ most: Int
    ) -> [TopicIndex]

    /// A stream that past events are sent to.
    package struct Reader: Sendable {
        package var variant: Variant
        /// Topics that it may read; nil for all.
        package var readable: TopicSelection?
    }

    /// Rewrites a past event for a reader; nil if it can be sent as it was.
    package typealias EventRewrite = (_ event: [UInt8], _ topic: TopicName, _ reader: Reader) -> [UInt8]?

    /// What a returning client knows of a topic's removal.
    package enum Parting: Hashable, Sendable {
        /// No removal is known.
        case unknown
        /// Removed since, and all events since are kept.
        case missed
        /// Removed before, or events since are no longer kept.
        case known
    }

    /// Opens a stream with retry and `hello`, a `reset` if it asks for events that are no longer kept, the prelude, missed
    /// events, and each topic's state.
    /// - Parameters:
    ///   - hello: The payload of `hello`.
    ///   - rewrite: Called for each missed completion if the stream has a locale of its own, and for each missed
    ///     notification if the stream may not read everything.
    ///   - existing: Called when the stream has caught up, and again until it is attached to all existing topics.
    ///   - snapshot: Appends the payload of a topic's present state, or nothing if it has none.
    package func subscribe(
        _ subscription: Subscription, hello: [UInt8], rewrite: EventRewrite = Hub.asItWas,
        existing: Existing = Hub.nothing,
        snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        let stream = open(subscription)
        var greeting: [UInt8] = []
        greeting.reserveCapacity(Self.usualGreeting)
        Chunk.append(
            SSE.event(
                "hello", id: events.place(of: subscription), retry: subscription.retryMilliseconds, payload: hello),
            to: &greeting)
        beginReplay(stream, subscription, &greeting)
        let portion = goOn(stream, consume greeting, rewrite, existing, snapshot)
        append(
            ShardMessage.Opening(
                terms: ShardMessage.Terms(subscription.terms, subscription.parts),
                endsWithTopic: subscription.endsWithTopic, goal: subscription.goal, isGreeted: subscription.isGreeted,
                encoding: subscription.encoding, portion: portion))
        send()
    }

    /// Bytes of a greeting with the state of one topic, and of that state. Less than 1 KiB, for which the allocator has to
    /// search and to tidy up.
    private static let (usualGreeting, usualState) = (768, 256)

    /// An `Existing` without resources.
    package static let nothing: @Sendable (TopicSelection, inout SelectionPlace?, Int) -> [TopicIndex] = {
        _, place, _ in
        place = nil
        return []
    }

    /// An `EventRewrite` that sends past events as they were.
    package static let asItWas: @Sendable ([UInt8], TopicName, Reader) -> [UInt8]? = { _, _, _ in nil }

    /// Continues the greeting of a stream whose client has read the last portion.
    package func continueGreeting(
        _ key: StreamID, rewrite: EventRewrite = Hub.asItWas, existing: Existing = Hub.nothing,
        snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        guard let stream = streams[key] else { return }
        append(.greet(goOn(stream, [], rewrite, existing, snapshot)), to: key)
        send()
    }

    /// Returns the next portion of a greeting, or of the states after a change.
    func goOn(
        _ stream: HubStream, _ greeting: consuming [UInt8], _ rewrite: EventRewrite, _ existing: Existing,
        _ snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) -> ShardMessage.GreetingChunk {
        var portion = ShardMessage.GreetingChunk(key: stream.key, bytes: greeting)
        replay(to: stream, &portion.bytes, rewrite)
        if stream.cursor == nil {
            // Send the batch first: the replay already contains its events, and snapshots are newer.
            seal()
            if !stream.hasJoined { join(stream, &portion, existing) }
            if stream.ungreeted.isEmpty { arrive(stream, &portion, existing) }
            appendStates(to: &portion, for: stream, snapshot)
        }
        portion.hasMore = stream.cursor != nil || !stream.ungreeted.isEmpty || stream.isArriving
        stream.isGreeting = portion.hasMore
        if stream.endsWhenCaughtUp, !portion.hasMore { portion.isOver = true }
        return portion
    }

    /// Starts live events. A topic that doesn't exist yet is attached with its first event.
    private func join(_ stream: HubStream, _ portion: inout ShardMessage.GreetingChunk, _ existing: Existing) {
        stream.hasJoined = true
        var place: SelectionPlace? = SelectionPlace()
        if stream.sawRemoval, existing(stream.selection, &place, 1).isEmpty { stream.isOver = true }
        guard !stream.isOver else {
            portion.isOver = true
            return
        }
        guard streams.admitsPatterns(of: stream.parts, for: stream) else {
            appendLimit("patterns", configuration.maximumPatterns, to: &portion.bytes, for: stream)
            return
        }
        index(stream, by: stream.parts)
        beginArrival(stream, at: stream.selection)
        for index in named(by: stream.selection) { arrive(stream, at: index, &portion) }
    }

    /// Begins to attach a stream to the existing topics of a selection.
    func beginArrival(_ stream: HubStream, at selection: TopicSelection) {
        setArrival(Arrival(selection: selection, place: SelectionPlace()), of: stream)
    }

    /// Attaches a stream to the next existing topics. Each call is limited, so that a stream of many topics delays no other.
    private func arrive(_ stream: HubStream, _ portion: inout ShardMessage.GreetingChunk, _ existing: Existing) {
        guard let arrival = stream.arrival else { return }
        var place: SelectionPlace? = arrival.place
        let found = existing(arrival.selection, &place, configuration.topicsPerPortion)
        // New topics may have events in the batch that precede their attachment.
        seal()
        for topic in found { arrive(stream, at: topic.rawValue, &portion) }
        if stream.knowsLimit { place = nil }
        setArrival(place.map { Arrival(selection: arrival.selection, place: $0) }, of: stream)
        stream.ungreeted = portion.topics.reversed()
    }

    private func arrive(_ stream: HubStream, at index: Int32, _ portion: inout ShardMessage.GreetingChunk) {
        stream.parts.forEachVariant(of: topics.name(at: index)) { variant in
            let form = TopicForm(index, variant)
            guard !stream.topics.contains(form) else { return }
            guard attach(stream, to: form) else {
                recordUnwatched(index)
                return appendLimit(to: &portion.bytes, for: stream)
            }
            portion.topics.append(form)
        }
    }

    /// Attaches a stream to a topic outside a portion of its greeting.
    /// - Returns: false if there is no room; the stream is sent a notice.
    func admit(_ stream: HubStream, to index: Int32) -> Bool {
        let name = topics.name(at: index)
        var isAdmitted = true
        stream.parts.forEachVariant(of: name) { variant in
            let form = TopicForm(index, variant)
            guard !stream.topics.contains(form) else { return }
            guard attach(stream, to: form) else {
                isAdmitted = false
                return sendLimit(stream)
            }
            append(.attach(stream.key, form), to: stream.key)
            if stream.isArriving, name.mayHaveState { stream.ungreeted.append(form) }
        }
        return isAdmitted
    }

    /// Topics without a resource: those for all resources of a kind, and those that came with an event.
    func named(by selection: TopicSelection) -> [Int32] {
        selection.kinds.compactMap { topics.index(of: .all($0)) } + topics.passing(selection)
    }

    /// Appends states that the stream has not been sent yet, up to the size of a portion.
    private func appendStates(
        to portion: inout ShardMessage.GreetingChunk, for stream: HubStream,
        _ snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        let end = portion.bytes.count + configuration.greetingPortion
        var payload: [UInt8] = []
        payload.reserveCapacity(Self.usualState)
        while portion.bytes.count < end, let form = stream.ungreeted.popLast() {
            // The topic may have been removed meanwhile.
            guard stream.topics.contains(form) else { continue }
            payload.removeAll(keepingCapacity: true)
            let kind = snapshot(TopicIndex(rawValue: form.topic), form.variant, &payload)
            guard !payload.isEmpty else { continue }
            if kind == .greetedFrame { portion.ahead.append(form) }
            let frame = kind == .motion ? SSE.event("motion", payload: payload) : SSE.frame(payload)
            Chunk.append(frame, to: &portion.bytes)
        }
        if stream.ungreeted.isEmpty { stream.ungreeted = [] }
    }

    // MARK: - Limits

    /// Notifies a stream, once, that some of its topics were left out. The notice is sent with the next flush.
    func sendLimit(_ stream: HubStream) {
        guard !stream.knowsLimit else { return }
        var chunk: [UInt8] = []
        appendLimit(to: &chunk, for: stream)
        append(.tell(stream.key, chunk), to: stream.key)
    }

    private func appendLimit(to bytes: inout [UInt8], for stream: HubStream) {
        let isOwn = streams.admitsLink(of: stream)
        appendLimit(
            isOwn ? "topics" : "allTopics",
            isOwn ? configuration.maximumTopicsPerStream : configuration.maximumLinks, to: &bytes, for: stream)
    }

    private func appendLimit(_ name: String, _ maximum: Int, to bytes: inout [UInt8], for stream: HubStream) {
        guard !stream.knowsLimit else { return }
        stream.knowsLimit = true
        let payload = "{\"limit\":\"\(name)\",\"maximum\":\(maximum)}"
        Chunk.append(SSE.event("limit", payload: payload.utf8), to: &bytes)
    }
}
