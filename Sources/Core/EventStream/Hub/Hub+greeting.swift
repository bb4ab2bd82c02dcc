// A stream's beginning: what it missed, in portions as it takes them; then it hears what is published, and is told the
// states of its topics, in portions too.

package import Base

extension Hub {
    /// The form of a topic's state at a stream's beginning.
    package enum Snapshot: Sendable {
        case frame, motion
        /// A frame that those who listen already are still to be shown.
        case greetedFrame
    }

    /// Makes the topics of the resources that a selection names: the next ones from a place on, at most so many. The place
    /// becomes nil behind the last.
    package typealias Existing = (
        _ selection: TopicSelection, _ place: inout SelectionPlace?, _ most: Int
    ) -> [TopicIndex]

    /// Who is told of the past.
    package struct Reader: Sendable {
        package var variant: Variant
        /// What may be read; nil for everything.
        package var readable: TopicSelection?
    }

    /// An event of the past as a reader is told it; nil: as it went out.
    package typealias EventRewrite = (_ event: [UInt8], _ topic: TopicName, _ reader: Reader) -> [UInt8]?

    /// What somebody who heard a topic knows of its end.
    package enum Parting: Hashable, Sendable {
        /// It was never there, for all that is known.
        case unknown
        /// It has gone since, and all that was told of it is kept.
        case missed
        /// It had gone before, or what was told of that is kept no more.
        case told
    }

    /// Opens a stream: retry and `hello`, `reset` where it asks for what is gone, the prelude, what it missed, and a frame
    /// of each topic's state.
    /// - Parameters:
    ///   - hello: The greeting's payload.
    ///   - retelling: ServiceRequest for each completion that it missed, where it is read in a locale of its own, and for each
    ///     notification, where its reader may not read everything.
    ///   - existing: ServiceRequest when the stream has caught up, and again until it hears all that is there.
    ///   - snapshot: Appends the payload of a topic's state now; nothing where there is none.
    package func subscribe(
        _ subscription: Subscription, hello: [UInt8], rewrite: EventRewrite = Hub.asItWas,
        existing: Existing = Hub.nothing,
        snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        let stream = open(subscription)
        var greeting = Chunk.of(
            SSE.event(
                "hello", id: events.place(of: subscription), retry: subscription.retryMilliseconds, payload: hello))
        beginReplay(stream, subscription, &greeting)
        let portion = goOn(stream, greeting, rewrite, existing, snapshot)
        append(
            ShardMessage.Opening(
                terms: ShardMessage.Terms(subscription.terms, subscription.parts),
                endsWithTopic: subscription.endsWithTopic, isGreeted: subscription.isGreeted,
                isLines: subscription.isLines, portion: portion))
        send()
    }

    /// Where no resource is.
    package static let nothing: @Sendable (TopicSelection, inout SelectionPlace?, Int) -> [TopicIndex] = {
        _, place, _ in
        place = nil
        return []
    }

    /// Tells the past as it was told then.
    package static let asItWas: @Sendable ([UInt8], TopicName, Reader) -> [UInt8]? = { _, _, _ in nil }

    /// Goes on with a stream that has taken what it was told so far.
    package func continueGreeting(
        _ key: StreamID, rewrite: EventRewrite = Hub.asItWas, existing: Existing = Hub.nothing,
        snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        guard let stream = streams[key] else { return }
        append(.greet(goOn(stream, [], rewrite, existing, snapshot)), to: key)
        send()
    }

    /// The next portion of what a stream is told at its beginning, or after a change.
    func goOn(
        _ stream: HubStream, _ greeting: [UInt8], _ rewrite: EventRewrite, _ existing: Existing,
        _ snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) -> ShardMessage.GreetingChunk {
        var portion = ShardMessage.GreetingChunk(key: stream.key, bytes: greeting)
        replay(to: stream, &portion.bytes, rewrite)
        if stream.cursor == nil {
            // What is in the batch already goes out first: the stream was told of it, or its snapshot is newer.
            seal()
            if !stream.hasJoined { join(stream, &portion, existing) }
            if stream.untold.isEmpty { arrive(stream, &portion, existing) }
            appendStates(to: &portion, for: stream, snapshot)
        }
        portion.hasMore = stream.cursor != nil || !stream.untold.isEmpty || stream.isArriving
        stream.isGreeting = portion.hasMore
        return portion
    }

    /// From here on the stream hears what is published: of what it has no topic yet, it gets one with the next event.
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

    /// Has a stream come to hear the topics that there are of a selection.
    func beginArrival(_ stream: HubStream, at selection: TopicSelection) {
        setArrival(Arrival(selection: selection, place: SelectionPlace()), of: stream)
    }

    /// Attaches a stream to the next topics of what is there: a turn's worth, so that one of many topics delays nobody.
    private func arrive(_ stream: HubStream, _ portion: inout ShardMessage.GreetingChunk, _ existing: Existing) {
        guard let arrival = streams.arrival(of: stream) else { return }
        var place: SelectionPlace? = arrival.place
        let found = existing(arrival.selection, &place, configuration.topicsPerPortion)
        // Those that were made just now bring what was in the batch before them.
        seal()
        for topic in found { arrive(stream, at: topic.rawValue, &portion) }
        if stream.knowsLimit { place = nil }
        setArrival(place.map { Arrival(selection: arrival.selection, place: $0) }, of: stream)
        stream.untold = portion.topics.reversed()
    }

    private func arrive(_ stream: HubStream, at index: Int32, _ portion: inout ShardMessage.GreetingChunk) {
        stream.parts.forEachForm(of: topics.name(at: index)) { variant in
            let form = TopicForm(index, variant)
            guard !stream.topics.contains(form) else { return }
            guard attach(stream, to: form) else {
                recordUnwatched(index)
                return appendLimit(to: &portion.bytes, for: stream)
            }
            portion.topics.append(form)
        }
    }

    /// Attaches a stream to a topic between two portions of its greeting, or after the last.
    /// - Returns: false where there is no room; the stream is told.
    func admit(_ stream: HubStream, to index: Int32) -> Bool {
        let name = topics.name(at: index)
        var isAdmitted = true
        stream.parts.forEachForm(of: name) { variant in
            let form = TopicForm(index, variant)
            guard !stream.topics.contains(form) else { return }
            guard attach(stream, to: form) else {
                isAdmitted = false
                return sendLimit(stream)
            }
            append(.attach(stream.key, form), to: stream.key)
            if stream.isArriving, name.mayHaveState { stream.untold.append(form) }
        }
        return isAdmitted
    }

    /// Topics that no resource stands for: what concerns all of a kind, and those that came with an event.
    func named(by selection: TopicSelection) -> [Int32] {
        selection.kinds.compactMap { topics.index(of: .all($0)) } + topics.passing(selection)
    }

    /// The states of topics that a stream has not been told yet, until there are enough for one portion.
    private func appendStates(
        to portion: inout ShardMessage.GreetingChunk, for stream: HubStream,
        _ snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) {
        let end = portion.bytes.count + configuration.greetingPortion
        var payload: [UInt8] = []
        while portion.bytes.count < end, let form = stream.untold.popLast() {
            // It may have gone meanwhile.
            guard stream.topics.contains(form) else { continue }
            payload.removeAll(keepingCapacity: true)
            let kind = snapshot(TopicIndex(rawValue: form.topic), form.variant, &payload)
            guard !payload.isEmpty else { continue }
            if kind == .greetedFrame { portion.ahead.append(form) }
            let frame = kind == .motion ? SSE.event("motion", payload: payload) : SSE.frame(payload)
            Chunk.append(frame, to: &portion.bytes)
        }
        if stream.untold.isEmpty { stream.untold = [] }
    }

    // MARK: - Limits

    /// Tells a stream, once, that it doesn't hear all it asked for; it goes out with the next flush.
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
