// The publisher's side: the topics, their subscribers, and the batch of the present tick. Owned by the tick thread; no lock,
// no clock.

package import Base

/// Topics, their subscribers and the events published to them.
package final class Hub {
    package let configuration: HubConfiguration
    let topics = HubTopics()
    private(set) var streams: HubStreams
    private(set) var events: PublishedEvents
    private var fanOut: ShardFanOut

    /// - Parameter past: Events of earlier runs; numbers continue after them.
    package init(
        inboxes: [ShardInbox], configuration: HubConfiguration, epoch: String,
        past: PastEvents = PastEvents(maximumBytes: 0)
    ) {
        self.configuration = configuration
        streams = HubStreams(configuration)
        events = PublishedEvents(configuration, epoch: epoch, past: past)
        fanOut = ShardFanOut(to: inboxes, configuration)
    }

    /// Begins a new log of events. Numbers continue after those of the last log.
    /// - Parameters:
    ///   - past: The last event's id of each earlier log.
    ///   - hasLost: Events of earlier logs were sent but are no longer true. Streams that brought an event's id are sent a
    ///     `reset`; others can't have received such events.
    package func begin(epoch: String, after past: [EventID], hasLost: Bool = false) {
        events.begin(epoch, after: past)
        if hasLost { sendLoss(to: streams.all.filter(\.hasReturned).map(\.key)) }
    }

    /// Replaces the history and sends all streams a `reset`: events that they received may no longer be true.
    /// - Parameters:
    ///   - past: The last event's id of each earlier log.
    ///   - last: The newest event's number, whether or not the event is kept.
    package func replacePast(by other: PastEvents, epoch: String, after past: [EventID], last: Int64) {
        events.begin(epoch, after: past)
        events.replacePast(by: other, last: last)
        sendLoss(to: streamKeys)
    }

    private func sendLoss(to keys: [StreamID]) {
        let event = events.loss(sentTo: keys.count)
        for key in keys { send(key, event) }
    }

    // MARK: - Topics

    /// Finds or makes the topic of a resource that has events to publish. Streams with matching patterns are attached.
    package func topic(_ name: TopicName) -> TopicIndex {
        guard let index = topics.index(of: name) else { return make(name) }
        topics.keep(index)
        admitArriving(name, at: index)
        return TopicIndex(rawValue: index)
    }

    /// Finds or makes the topic of a resource that already existed. Arriving streams reach it on their own.
    package func listedTopic(_ name: TopicName) -> TopicIndex {
        guard let index = topics.index(of: name) else { return make(name, isListed: true) }
        topics.keep(index)
        return TopicIndex(rawValue: index)
    }

    /// Finds the topic of an event, or makes a passing one: the oldest of those are removed if there are too many.
    private func topicOfEvent(_ name: TopicName) -> TopicIndex {
        if let index = topics.index(of: name) {
            admitArriving(name, at: index)
            return TopicIndex(rawValue: index)
        }
        if topics.passingCount >= configuration.maximumPassingTopics {
            for index in topics.removeOlderPassing() { release(TopicIndex(rawValue: index)) }
        }
        return make(name, isPassing: true)
    }

    private func make(_ name: TopicName, isPassing: Bool = false, isListed: Bool = false) -> TopicIndex {
        let index = topics.make(name, isPassing: isPassing)
        var isRefused = false
        streams.forEach(wanting: name) { stream in
            if isListed, stream.isArriving { return }
            if !admit(stream, to: index) { isRefused = true }
        }
        if isRefused { topics.recordUnwatched(index) }
        return TopicIndex(rawValue: index)
    }

    /// Attaches streams to a topic that they have not reached yet in their greeting, because it has events now.
    private func admitArriving(_ name: TopicName, at index: Int32) {
        guard streams.isSomeoneArriving else { return }
        streams.forEach(wanting: name) { stream in
            if stream.isArriving { _ = admit(stream, to: index) }
        }
    }

    /// Releases a topic whose resource was removed, or that has no subscribers. Matching streams are attached to the next
    /// topic of its name.
    package func release(_ topic: TopicIndex) {
        guard let gone = topics.release(topic.rawValue), gone.isWatched else { return }
        streams.unlinkAll(from: topic.rawValue, named: gone.name)
    }

    /// Removes and returns topics that got their first subscriber or lost their last one since the last call.
    /// - Parameter most: The most to return; the rest follows in the next call.
    package func drainWatchChanges(most: Int = .max) -> [TopicIndex] { topics.drainWatchChanges(most: most) }

    /// Removes and returns the topics that lost the last subscriber of one form, but not of all, since the last call.
    package func drainVariantLosses() -> [TopicIndex] { topics.drainVariantLosses() }

    /// Binds a topic to its resource, at a slot of the board. If it has subscribers, it is listed among the changes again.
    /// - Returns: Whether it had no resource, or one at another slot.
    package func bind(_ topic: TopicIndex, to slot: Int) -> Bool { topics.bind(topic.rawValue, to: slot) }

    /// Unbinds all topics, because the resources have moved to other slots.
    /// - Returns: Those that had resources.
    package func unbindAll() -> [TopicIndex] { topics.unbindAll() }

    // MARK: - Streams

    func open(_ subscription: Subscription) -> HubStream { streams.insert(subscription) }

    /// Forgets a stream that has ended.
    package func unsubscribe(_ key: StreamID) {
        guard let stream = streams.remove(key) else { return }
        for form in stream.topics { topics.unwatch(form) }
    }

    /// Replaces the patterns by which a stream is found.
    func index(_ stream: HubStream, by parts: StreamParts) {
        streams.removePatterns(of: stream)
        stream.parts = parts
        streams.enterPatterns(of: stream)
    }

    /// - Parameter arrival: nil once the stream is attached to all existing topics.
    func setArrival(_ arrival: Arrival?, of stream: HubStream) { streams.setArrival(arrival, of: stream) }

    /// - Returns: Whether the stream is newly attached to the topic in this form.
    func attach(_ stream: HubStream, to form: TopicForm) -> Bool {
        guard streams.link(stream, to: form, isOfAll: topics.isOfAll(form.topic)) else { return false }
        topics.watch(form, of: stream.owner?.number ?? 0)
        return true
    }

    /// Detaches a stream from a topic in one form.
    func detach(_ stream: HubStream, from form: TopicForm) {
        guard streams.unlink(stream, from: form, isOfAll: topics.isOfAll(form.topic)) else { return }
        topics.unwatch(form)
    }

    /// Lists a topic that no stream had room for among the changes, so that it is released.
    func recordUnwatched(_ index: Int32) { topics.recordUnwatched(index) }

    /// Sets a stream's cursor after the last event that it received.
    func beginReplay(_ stream: HubStream, _ subscription: Subscription, _ greeting: inout [UInt8]) {
        events.beginReplay(stream, subscription, &greeting)
    }

    /// Appends missed events, up to the size of a portion.
    func replay(to stream: HubStream, _ bytes: inout [UInt8], _ rewrite: EventRewrite) {
        events.replay(to: stream, &bytes, rewrite)
    }

    // MARK: - Publishing

    /// Begins a tick. Frames belong to it until the next one begins.
    /// - Parameters:
    ///   - instant: In monotonic nanoseconds.
    ///   - follows: It continues the tick before: a stream that was sent a frame of that waits for one of this.
    ///   - isLate: Whether ticks before it were missed.
    package func beginTick(at instant: Int64, follows: Bool, isLate: Bool = false) {
        fanOut.beginTick(at: instant, follows: follows, isLate: isLate)
    }

    /// Publishes a frame. Each line of a text payload becomes a `data:` line.
    /// - Parameters:
    ///   - isFinal: The last frame of a motion: it is never dropped, and precedes the next event.
    ///   - write: Appends the payload. It must not publish.
    package func publishFrame(
        _ topic: TopicIndex, _ variant: Variant, for audience: FrameAudience = .all, isFinal: Bool = false,
        _ write: (inout [UInt8]) -> Void
    ) {
        let kind: TickBatch.Entry.Kind =
            switch audience {
            case .greetedOnly: .greetedOnlyFrame
            case .all where isFinal, .exceptGreeted where isFinal: .finalFrame
            case .all: .frame
            case .exceptGreeted: .exceptGreetedFrame
            }
        if fanOut.appendFrame(kind, topic.rawValue, variant, write) { sealFull() }
    }

    /// Lends the present batch for a series of frames; `endSeries` returns it.
    package func beginSeries() -> FrameSeries { fanOut.beginSeries() }

    /// Returns the batch of `beginSeries`.
    package func endSeries(_ series: consuming FrameSeries) { fanOut.endSeries(series) }

    /// Starts another batch if the series has filled one.
    package func sealIfFull(_ series: inout FrameSeries) {
        guard fanOut.isFull(series.end) else { return }
        var full = FrameSeries()
        swap(&full, &series)
        endSeries(full)
        sealFull()
        series = beginSeries()
    }

    /// Publishes a motion for clients that interpolate. Like a frame, it is replaced by a newer one.
    package func publishMotion(_ topic: TopicIndex, _ variant: Variant, payload: [UInt8]) {
        append(SSE.event("motion", payload: payload), .frame, topic.rawValue, variant)
    }

    private func append(
        _ event: [UInt8], _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant,
        _ attribution: EventAttribution? = nil
    ) {
        if fanOut.append(event, kind, topic, variant, attribution) { sealFull() }
    }

    /// What an event does to the streams that receive it. Raw values are stored in logs.
    package enum EventEffect: UInt8, Sendable {
        case none = 0
        /// Ends streams opened with `once`, and those that answer the update whose motion it completes.
        case completion = 1
        /// Ends the streams of this topic alone.
        case removal = 2
        /// Ends streams that answer the making of its schedule, which stays to show its end.
        case lastFiring = 3
    }

    /// Sets the time, from which the retention of events counts.
    /// - Parameter now: Monotonic nanoseconds.
    package func advance(to now: Int64) { events.advance(to: now) }

    /// Publishes a named event. It is added to the history and never dropped. Without subscribers its payload is only
    /// written when it is read.
    /// - Parameters:
    ///   - number: Its number in the log, greater than the one before.
    ///   - size: Its estimated size in bytes.
    ///   - attribution: The other topic that it names; nil for none.
    ///   - payload: Writes the payload, on any thread, at any time.
    ///   - localised: The payload in the locale of a number, if one is subscribed.
    package func publish(
        event name: String, number: Int64, on topic: TopicName, effect: EventEffect = .none,
        naming attribution: EventAttribution? = nil, size: Int, payload: @escaping @Sendable () -> [UInt8],
        localised: (UInt8) -> [UInt8]
    ) {
        let id = events.nextID(number)
        guard isWanted(topic) else {
            let text = EventText.unwritten(size: size) { SSE.event(name, id: id, payload: payload()) }
            return events.keep(text, on: topic, effect)
        }
        let event = SSE.event(name, id: id, payload: payload())
        events.keep(.written(event), on: topic, effect)
        let index = topicOfEvent(topic).rawValue
        let kind: TickBatch.Entry.Kind =
            switch effect {
            case .none: .event
            case .completion: .completion
            case .removal: .removal
            case .lastFiring: .lastFiring
            }
        append(event, kind, index, Variant(locale: 0), attribution)
        var known: Set<UInt8> = []
        for variant in self.localised(watching: TopicIndex(rawValue: index)) {
            guard known.insert(variant.locale).inserted else { continue }
            let event = SSE.event(name, id: id, payload: localised(variant.locale))
            append(event, kind, index, Variant(locale: variant.locale), attribution)
        }
    }

    /// Publishes a named event with the same payload in every locale.
    package func publish(
        event name: String, number: Int64, on topic: TopicName, effect: EventEffect = .none, payload: [UInt8]
    ) {
        publish(
            event: name, number: number, on: topic, effect: effect, size: payload.count, payload: { payload },
            localised: { _ in payload })
    }

    /// Removes and returns the events published since the last call, to be stored with the changes that they report. Events
    /// that were already dropped for newer ones are missing.
    package func drainLogPortion() -> EventLogChunk? { events.drainLogPortion() }

    // MARK: - Sending

    /// Sends an event to one stream, with the next flush.
    package func send(_ key: StreamID, _ event: [UInt8]) {
        append(.tell(key, Chunk.of(event)), to: key)
    }

    /// Ends a stream with an event, such as `bye`.
    package func end(_ key: StreamID, with event: [UInt8], because reason: StreamEndReason) {
        append(.end(key, event.isEmpty ? [] : Chunk.of(event), reason), to: key)
    }

    /// Ends the present batch: what follows comes after it on every stream.
    func seal() {
        fanOut.seal()
        // Their events are queued before this, so their numbers can be reused.
        for topic in topics.freeReleased() { fanOut.append(.forget(topic)) }
    }

    /// Starts another batch when one is full.
    private func sealFull() {
        seal()
        fanOut.sendIfLarge()
    }

    /// Adds a message for a stream's shard, sent with the next flush.
    func append(_ message: ShardMessage, to key: StreamID) { fanOut.append(message, to: key) }

    /// Adds the opening of a stream.
    func append(_ opening: ShardMessage.Opening) { fanOut.append(opening) }

    /// Sends what is ready, unless the hub is on hold.
    func send() { fanOut.send() }

    /// Nothing is sent before the next flush.
    package var isHeld: Bool { fanOut.isHeld }

    /// Sends nothing until the next flush, not even greetings: the events that they replay are not on disk yet.
    package func hold() { fanOut.hold() }

    /// Sends everything since the last flush, as one batch.
    /// - Parameters:
    ///   - now: Monotonic nanoseconds.
    ///   - isHeld: Keeps the batch until the next flush, unless too many bytes are waiting.
    package func flush(now: Int64, isHeld: Bool = false) {
        advance(to: now)
        seal()
        fanOut.flush(isHeld: isHeld)
    }
}
