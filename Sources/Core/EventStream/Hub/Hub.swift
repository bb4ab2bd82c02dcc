// The publisher's side: which topics there are and who watches them, and the batch of the present tick. Owned by the
// tick thread; no lock, no clock.

package import Base

/// Topics, their watchers and what they are sent.
package final class Hub {
    let configuration: HubConfiguration
    private(set) var topics = HubTopics()
    private(set) var streams: HubStreams
    private(set) var events: PublishedEvents
    private var fanOut: ShardFanOut

    /// - Parameter past: What earlier runs published; numbers go on from there.
    package init(
        inboxes: [ShardInbox], configuration: HubConfiguration, epoch: String, past: PastEvents = PastEvents()
    ) {
        self.configuration = configuration
        streams = HubStreams(configuration)
        events = PublishedEvents(configuration, epoch: epoch, past: past)
        fanOut = ShardFanOut(to: inboxes, configuration)
    }

    /// Begins a new log of events, whose numbers go on from those of the last one.
    /// - Parameters:
    ///   - past: The logs before, each by the id of its last event.
    ///   - hasLost: Of those, somebody was told what isn't so. Who has heard nothing elsewhere was not.
    package func begin(epoch: String, after past: [EventID], hasLost: Bool = false) {
        events.begin(epoch, after: past)
        if hasLost { sendLoss(to: streams.all.filter(\.hasReturned).map(\.key)) }
    }

    /// Takes another past for what was published: all streams are told that what they heard may not have been.
    /// - Parameters:
    ///   - past: The logs before, each by the id of its last event.
    ///   - last: The newest event's number, whether or not it is kept.
    package func replacePast(by other: PastEvents, epoch: String, after past: [EventID], last: Int64) {
        events.begin(epoch, after: past)
        events.replacePast(by: other, last: last)
        sendLoss(to: streamKeys)
    }

    /// What they heard may not have been.
    private func sendLoss(to keys: [StreamID]) {
        let event = events.loss(toldTo: keys.count)
        for key in keys { tell(key, event) }
    }

    // MARK: - Topics

    /// Finds or makes the topic of a resource that has something to tell; streams that asked for it are attached to it.
    package func topic(_ name: TopicName) -> TopicIndex {
        guard let index = topics.index(of: name) else { return make(name) }
        topics.keep(index)
        admitArriving(name, at: index)
        return TopicIndex(rawValue: index)
    }

    /// Finds or makes the topic of a resource that was there before; streams that are arriving come to it by themselves.
    package func listedTopic(_ name: TopicName) -> TopicIndex {
        guard let index = topics.index(of: name) else { return make(name, isListed: true) }
        topics.keep(index)
        return TopicIndex(rawValue: index)
    }

    /// Finds the topic of an event, or makes one that stays only while there are not too many of its like.
    private func topicOfEvent(_ name: TopicName) -> TopicIndex {
        if let index = topics.index(of: name) {
            admitArriving(name, at: index)
            return TopicIndex(rawValue: index)
        }
        if topics.passingCount >= configuration.maximumPassingTopics {
            for index in topics.takeOlderPassing() { release(TopicIndex(rawValue: index)) }
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

    /// Has streams that are still arriving hear a topic: it has something to tell before its turn comes.
    private func admitArriving(_ name: TopicName, at index: Int32) {
        guard streams.isSomeoneArriving else { return }
        streams.forEach(wanting: name) { stream in
            if stream.isArriving { _ = admit(stream, to: index) }
        }
    }

    /// Lets a topic go whose resource has gone, or that nobody watches. Who asked for it hears the next of its name.
    package func release(_ topic: TopicIndex) {
        guard let gone = topics.release(topic.rawValue), gone.isWatched else { return }
        streams.unlinkAll(from: topic.rawValue, named: gone.name)
    }

    /// Takes topics that came to be watched, or ceased to be, since they were last taken.
    /// - Parameter most: The most that are taken at a time; the rest comes with the next call.
    package func takeWatchChanges(most: Int = .max) -> [TopicIndex] { topics.takeWatchChanges(most: most) }

    /// Takes the topics that lost their last watcher in one form, but not in all, since the last call.
    package func takeVariantLosses() -> [TopicIndex] { topics.takeVariantLosses() }

    /// Has a topic that is watched among the changes again: its resource came after its watchers.
    package func renewWatch(_ topic: TopicIndex) { topics.renewWatch(topic) }

    // MARK: - Streams

    func open(_ subscription: Subscription) -> HubStream { streams.insert(subscription) }

    /// Forgets a stream that has gone.
    package func unsubscribe(_ key: StreamID) {
        guard let stream = streams.remove(key) else { return }
        for form in stream.topics { topics.unwatch(form) }
    }

    /// Has a stream be found by what it names from now on, in place of what it named.
    func index(_ stream: HubStream, by parts: StreamParts) {
        streams.leavePatterns(of: stream)
        stream.parts = parts
        streams.enterPatterns(of: stream)
    }

    /// - Parameter arrival: nil once the stream hears all that is there.
    func setArrival(_ arrival: Arrival?, of stream: HubStream) { streams.setArrival(arrival, of: stream) }

    /// - Returns: Whether it hears the topic in this form from now on and did not before.
    func attach(_ stream: HubStream, to form: TopicForm) -> Bool {
        guard streams.link(stream, to: form, isOfAll: topics.isOfAll(form.topic)) else { return false }
        topics.watch(form)
        return true
    }

    /// Has a stream no longer hear a topic in a form.
    func detach(_ stream: HubStream, from form: TopicForm) {
        guard streams.unlink(stream, from: form, isOfAll: topics.isOfAll(form.topic)) else { return }
        topics.unwatch(form)
    }

    /// Has a topic that nobody had room for be looked at again, so that it is not kept.
    func recordUnwatched(_ index: Int32) { topics.recordUnwatched(index) }

    /// Has a stream stand behind the last event that it heard.
    func beginReplay(_ stream: HubStream, _ subscription: Subscription, _ greeting: inout [UInt8]) {
        events.beginReplay(stream, subscription, &greeting)
    }

    /// Appends what a stream missed, until there is enough for one portion.
    func replay(to stream: HubStream, _ bytes: inout [UInt8], _ rewrite: EventRewrite) {
        events.replay(to: stream, &bytes, rewrite)
    }

    // MARK: - Publishing

    /// A tick begins, whose frames are written until the next one does.
    /// - Parameters:
    ///   - instant: In monotonic nanoseconds.
    ///   - follows: It goes on with what the one before showed: whoever was sent a frame of that waits for one of this.
    package func beginTick(at instant: Int64, follows: Bool) {
        fanOut.beginTick(at: instant, follows: follows)
    }

    /// Publishes a frame; line breaks in the payload of a text frame become `data:` lines of their own.
    /// - Parameters:
    ///   - isFinal: The last of a motion: everyone gets it, before the event that follows.
    ///   - write: Appends its payload. It publishes nothing.
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

    /// Hands the present batch over for a series of frames; `endSeries` takes it back.
    package func beginSeries() -> FrameSeries { fanOut.beginSeries() }

    /// Takes back what `beginSeries` handed over.
    package func endSeries(_ series: consuming FrameSeries) { fanOut.endSeries(series) }

    /// Begins another batch for a series that has filled one.
    package func sealIfFull(_ series: inout FrameSeries) {
        guard fanOut.isFull(series.end) else { return }
        var full = FrameSeries()
        swap(&full, &series)
        endSeries(full)
        sealFull()
        series = beginSeries()
    }

    /// Publishes what replaces frames for those who interpolate: the newest is enough, as with frames.
    package func publishMotion(_ topic: TopicIndex, _ variant: Variant, payload: [UInt8]) {
        append(SSE.event("motion", payload: payload), .frame, topic.rawValue, variant)
    }

    private func append(
        _ event: [UInt8], _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant,
        _ attribution: EventAttribution? = nil
    ) {
        if fanOut.append(event, kind, topic, variant, attribution) { sealFull() }
    }

    /// What an event does to the streams that get it; the numbers stand in stored logs.
    package enum EventEffect: UInt8, Sendable {
        case none = 0
        /// Ends streams that asked for one completion.
        case completion = 1
        /// Ends the streams of its topic alone.
        case removal = 2
    }

    /// Says what time it is: what is published from here on is kept for a stated time.
    /// - Parameter now: Monotonic nanoseconds.
    package func advance(to now: Int64) { events.advance(to: now) }

    /// Publishes a named event: it goes into the history, and is never left out. Where nobody listens it is not written
    /// before somebody asks for it.
    /// - Parameters:
    ///   - number: Its place in the log, above that of the one before.
    ///   - size: About how many bytes it is.
    ///   - attribution: Whom it names beside its topic; nil for nobody.
    ///   - payload: Writes its payload, on any thread, at any time.
    ///   - localised: The payload in the locale of a number, where somebody watches in it.
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
            }
        append(event, kind, index, Variant(locale: 0), attribution)
        var told: Set<UInt8> = []
        for variant in self.localised(watching: TopicIndex(rawValue: index)) {
            guard told.insert(variant.locale).inserted else { continue }
            let event = SSE.event(name, id: id, payload: localised(variant.locale))
            append(event, kind, index, Variant(locale: variant.locale), attribution)
        }
    }

    /// Publishes a named event that says the same in every locale.
    package func publish(
        event name: String, number: Int64, on topic: TopicName, effect: EventEffect = .none, payload: [UInt8]
    ) {
        publish(
            event: name, number: number, on: topic, effect: effect, size: payload.count, payload: { payload },
            localised: { _ in payload })
    }

    /// Takes what was published since the last call, to be stored with the changes that it tells of. What has made room
    /// for newer events already is not among it.
    package func takeLogPortion() -> EventLogChunk? { events.takeLogPortion() }

    // MARK: - Sending

    /// Tells one stream an event; it goes out with the next flush.
    package func tell(_ key: StreamID, _ event: [UInt8]) {
        append(.tell(key, Chunk.of(event)), to: key)
    }

    /// Ends a stream with an event, such as `bye`.
    package func end(_ key: StreamID, with event: [UInt8], because reason: StreamEndReason) {
        append(.end(key, Chunk.of(event), reason), to: key)
    }

    /// Ends the present batch: what follows comes after it for everyone.
    func seal() {
        fanOut.seal()
        // What was said of them is ahead: their numbers can be others'.
        for topic in topics.freeReleased() { fanOut.append(.forget(topic)) }
    }

    /// Begins another batch in place of one that is large enough.
    private func sealFull() {
        seal()
        fanOut.sendIfLarge()
    }

    /// Adds a message for a stream's shard; it goes out with the next flush.
    func append(_ message: ShardMessage, to key: StreamID) { fanOut.append(message, to: key) }

    /// Adds a stream's beginning.
    func append(_ opening: ShardMessage.Opening) { fanOut.append(opening) }

    /// Sends what is ready, unless it is kept back.
    func send() { fanOut.send() }

    /// Nothing is sent before the next flush.
    package var isHeld: Bool { fanOut.isHeld }

    /// Keeps everything back until the next flush, greetings too: what they replay is not on the disk yet.
    package func hold() { fanOut.hold() }

    /// Sends everything written since the last flush, as one batch.
    /// - Parameters:
    ///   - now: Monotonic nanoseconds.
    ///   - isHeld: It is a batch of its own, and goes out with the next flush; where that comes to too much, at once.
    package func flush(now: Int64, isHeld: Bool = false) {
        advance(to: now)
        seal()
        fanOut.flush(isHeld: isHeld)
    }
}
