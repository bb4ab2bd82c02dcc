// Frames and named events into the batch of the present tick.

package import Base

extension Hub {
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
        sealIfFull(batch.appendFrame(kind, topic.rawValue, variant, write))
    }

    /// Publishes what replaces frames for those who interpolate: the newest is enough, as with frames.
    package func publishMotion(_ topic: TopicIndex, _ variant: Variant, payload: [UInt8]) {
        append(SSE.event("motion", payload: payload), .frame, topic.rawValue, variant)
    }

    private func append(
        _ event: [UInt8], _ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant,
        _ attribution: EventAttribution? = nil
    ) {
        if let attribution { attributions[batch.count] = attribution }
        sealIfFull(batch.append(event, kind, topic, variant))
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
    package func advance(to now: Int64) { self.now = now }

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
        lastNumber = max(number, lastNumber)
        let id = EventID(epoch: epoch, number: lastNumber)
        guard isWanted(topic) else {
            let text = EventText.unwritten(size: size) { SSE.event(name, id: id, payload: payload()) }
            history.append(History.Entry(number: lastNumber, topic: topic, at: now, text: text, effect: effect))
            return
        }
        let event = SSE.event(name, id: id, payload: payload())
        history.append(History.Entry(number: lastNumber, topic: topic, at: now, text: .written(event), effect: effect))
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
    package func takeLogPortion() -> EventLogChunk? {
        guard configuration.keepsLog, loggedNumber < lastNumber else { return nil }
        let portion = history.kept(after: loggedNumber)
        loggedNumber = lastNumber
        return portion.isEmpty ? nil : EventLogChunk(portion)
    }

    /// Tells one stream an event; it goes out with the next flush.
    package func tell(_ key: StreamID, _ event: [UInt8]) {
        outgoing[Int(key.loop)].append(.tell(key, Chunk.of(event)))
    }

    /// The patterns that a stream asked for, and how many topics it hears by them; nil when it has gone.
    package func subscription(of key: StreamID) -> (patterns: [TopicPattern], topics: Int)? {
        streams[key].map { ($0.selection.patterns, $0.topicCount) }
    }

    /// The request that a stream began with; nil when it has gone.
    package func origin(of key: StreamID) -> StreamOrigin? { streams[key]?.origin }

    /// The number of the locale in which a stream is read; nil when it has gone.
    package func locale(of key: StreamID) -> UInt8? { streams[key]?.parts.variant.locale }

    /// The stream of a name; nil when it has gone, or ends with what it is told.
    package func stream(named name: StreamName) -> StreamID? {
        names[name].flatMap { streams[$0]?.isOver ?? true ? nil : $0 }
    }

    /// Whose a stream is; nil when it has gone, and for one that is held to no share.
    package func owner(of key: StreamID) -> String? { streams[key]?.owner?.name }

    /// Whether a stream is sent lines of JSON.
    package func isLines(_ key: StreamID) -> Bool { streams[key]?.isLines ?? false }

    /// Ends a stream with an event, such as `bye`.
    package func end(_ key: StreamID, with event: [UInt8], because reason: StreamEndReason) {
        outgoing[Int(key.loop)].append(.end(key, Chunk.of(event), reason))
    }

    /// All streams, in the order of their places.
    package var streamKeys: [StreamID] { streams.keys.sorted() }

    /// Keeps everything back until the next flush, greetings too: what they replay is not on the disk yet.
    package func hold() { isHeld = true }

    /// Sends everything written since the last flush, as one batch.
    /// - Parameters:
    ///   - now: Monotonic nanoseconds.
    ///   - isHeld: It is a batch of its own, and goes out with the next flush; where that comes to too much, at once.
    package func flush(now: Int64, isHeld: Bool = false) {
        self.now = now
        self.isHeld = isHeld
        seal()
        if !isHeld || sealedBytes >= configuration.burstSize { post() }
    }

    /// Sends what is ready, unless it is kept back.
    func send() {
        if !isHeld { post() }
    }

    /// Sends what is ready.
    func post() {
        for shard in inboxes.indices { inboxes[shard].post(&outgoing[shard]) }
        sealedBytes = 0
    }
}
