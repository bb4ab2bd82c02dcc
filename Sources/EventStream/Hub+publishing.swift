// Frames and named events into the batch of the present tick.

extension Hub {
    /// Begins a frame; its payload is appended to `bytes`.
    package func beginFrame(_ topic: TopicIndex, _ variant: Variant) { begin(.frame, topic.rawValue, variant) }

    /// Publishes what replaces frames for those who interpolate: the newest is enough, as with frames.
    package func publishMotion(_ topic: TopicIndex, payload: [UInt8]) {
        let variant = Variant(text: false, stamp: false, motion: true)
        let start = Int32(bytes.count)
        bytes.append(contentsOf: SSE.event("motion", payload: payload))
        entries.append(
            TickBatch.Entry(
                kind: .frame, variant: variant.rawValue, topic: topic.rawValue, start: start, end: Int32(bytes.count)))
    }

    /// Begins the last frame of a motion: everyone gets it, before the event that follows.
    package func beginFinalFrame(_ topic: TopicIndex, _ variant: Variant) {
        begin(.finalFrame, topic.rawValue, variant)
    }

    /// Ends the frame; line breaks in the payload of a text frame become `data:` lines of their own.
    package func endFrame() {
        let last = entries.count - 1
        let start = Int(entries[last].start) + SSE.dataField.count
        // JSON has its line breaks escaped.
        if entries[last].isText, bytes[start...].contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            let payload = Array(bytes[start...])
            bytes.removeLast(bytes.count - Int(entries[last].start))
            SSE.appendData(payload, to: &bytes)
        } else {
            bytes.append(0x0A)
        }
        bytes.append(0x0A)
        entries[last].end = Int32(bytes.count)
    }

    private func begin(_ kind: TickBatch.Entry.Kind, _ topic: Int32, _ variant: Variant) {
        let start = Int32(bytes.count)
        entries.append(TickBatch.Entry(kind: kind, variant: variant.rawValue, topic: topic, start: start, end: start))
        bytes.append(contentsOf: SSE.dataField)
    }

    /// What an event does to the streams that get it.
    package enum EventEffect: Sendable {
        case none
        /// Ends streams that asked for one completion.
        case completion
        /// Ends the streams of its topic alone.
        case removal
    }

    /// Publishes a named event: it gets an id, goes into the history, and is never left out.
    package func publish(event name: String, on topic: TopicName, effect: EventEffect = .none, payload: [UInt8]) {
        lastNumber += 1
        let event = SSE.event(name, id: EventID(epoch: epoch, number: lastNumber), payload: payload)
        let entry = History.Entry(
            number: lastNumber, topic: topic, at: now, bytes: event, isCompletion: effect == .completion)
        history.append(entry)
        publishedBytes += event.count
        if configuration.keepsLog { unlogged.append(entry) }
        guard isWanted(topic) else { return }
        let index = self.topic(topic).rawValue
        let start = Int32(bytes.count)
        bytes.append(contentsOf: event)
        let kind: TickBatch.Entry.Kind =
            switch effect {
            case .none: .event
            case .completion: .completion
            case .removal: .removal
            }
        entries.append(
            TickBatch.Entry(kind: kind, variant: 0, topic: index, start: start, end: Int32(bytes.count)))
    }

    /// Takes what was published since the last call, to be stored with the changes that it tells of.
    package func takeLogPortion() -> EventLogPortion? {
        guard !unlogged.isEmpty else { return nil }
        defer { unlogged.removeAll(keepingCapacity: true) }
        return EventLogPortion(unlogged)
    }

    /// Tells one stream something; it goes out with the next flush.
    package func tell(_ key: StreamKey, _ bytes: [UInt8]) {
        outgoing[Int(key.shard)].append(.tell(key, bytes))
    }

    /// The patterns and the form that a stream asked for, and how many topics it has; nil when it has gone.
    package func subscription(of key: StreamKey) -> (patterns: [TopicPattern], variant: Variant, topics: Int)? {
        streams[key].map { ($0.patterns, $0.variant, $0.topics.count) }
    }

    /// Ends a stream with an event, such as `bye`.
    package func end(_ key: StreamKey, with bytes: [UInt8]) {
        outgoing[Int(key.shard)].append(.end(key, bytes))
    }

    /// All streams.
    package var streamKeys: [StreamKey] { Array(streams.keys) }

    /// Sends everything written since the last flush, as one batch.
    /// - Parameter now: Monotonic nanoseconds.
    package func flush(now: Int64) {
        self.now = now
        seal()
        send()
    }
}
