// Changes to what a stream subscribes to.

package import Base

extension Hub {
    /// Subscribes a stream to other topics, or to others of their forms. Topics that stay are not interrupted, dropped ones
    /// end at once, and for new ones the stream gets the state as in its greeting.
    /// - Parameters:
    ///   - existing: Called as for the stream's greeting, but only for new topics.
    ///   - snapshot: As in the stream's greeting.
    /// - Returns: false if there is no room for the patterns or the stream has ended; then nothing has changed.
    package func change(
        _ key: StreamID, to parts: StreamParts, _ terms: StreamTerms, rewrite: EventRewrite = Hub.asItWas,
        existing: Existing = Hub.nothing, snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) -> Bool {
        guard let stream = streams[key], !stream.isOver, streams.admitsPatterns(of: parts, for: stream) else {
            return false
        }
        // Events already in the batch belong before the change.
        seal()
        stream.once = terms.once
        stream.readable = terms.readable
        append(.change(key, ShardMessage.Terms(terms, parts)), to: key)
        // During replay the stream has no topics yet; it joins the new ones afterwards.
        if stream.hasJoined { rejoin(stream, with: parts) } else { stream.parts = parts }
        if !stream.isGreeting {
            append(.greet(goOn(stream, [], rewrite, existing, snapshot)), to: key)
        }
        send()
        return true
    }

    private func rejoin(_ stream: HubStream, with parts: StreamParts) {
        // If some topics are not attached yet, or didn't fit, all are searched again.
        let isWhole = stream.isIndexed && !stream.isArriving && !stream.knowsLimit
        let news = isWhole ? parts.additions(to: stream.parts) : parts.selection
        index(stream, by: parts)
        stream.knowsLimit = false
        let lost = stream.topics.filter { !parts.receives(topics.name(at: $0.topic), in: $0.variant) }
        for form in lost { detach(stream, from: form) }
        if !lost.isEmpty {
            append(.detach(stream.key, Array(lost)), to: stream.key)
            stream.ungreeted.removeAll { lost.contains($0) }
        }
        beginArrival(stream, at: news)
        for index in named(by: parts.selection) { _ = admit(stream, to: index) }
    }
}
