// Streams that are to hear something else from now on.

package import Base

extension Hub {
    /// Has a stream hear other topics, or some in other forms. What stays goes on undisturbed, what goes falls silent, and of
    /// what comes the stream is told the state, as at its beginning.
    /// - Parameters:
    ///   - existing: ServiceRequest as at the stream's beginning, for what is new alone.
    ///   - snapshot: As at the stream's beginning.
    /// - Returns: false where there is no room for the names, or the stream has gone: nothing has changed.
    package func change(
        _ key: StreamID, to parts: StreamParts, _ terms: StreamTerms, rewrite: EventRewrite = Hub.asItWas,
        existing: Existing = Hub.nothing, snapshot: (TopicIndex, Variant, inout [UInt8]) -> Snapshot
    ) -> Bool {
        guard let stream = streams[key], !stream.isOver, streams.admitsPatterns(of: parts, for: stream) else {
            return false
        }
        // What is in the batch already was said before.
        seal()
        stream.once = terms.once
        stream.readable = terms.readable
        append(.change(key, ShardMessage.Terms(terms, parts)), to: key)
        // While it catches up with what it missed it hears nothing yet, and then all that it names by then.
        if stream.hasJoined { rejoin(stream, with: parts) } else { stream.parts = parts }
        if !stream.isGreeting {
            append(.greet(goOn(stream, [], rewrite, existing, snapshot)), to: key)
        }
        send()
        return true
    }

    private func rejoin(_ stream: HubStream, with parts: StreamParts) {
        // What it was to hear and does not yet is looked for again.
        let isWhole = stream.isIndexed && !stream.isArriving && !stream.knowsLimit
        let news = isWhole ? parts.news(beside: stream.parts) : parts.selection
        index(stream, by: parts)
        stream.knowsLimit = false
        let lost = stream.topics.filter { !parts.hears(topics.name(at: $0.topic), in: $0.variant) }
        for form in lost { detach(stream, from: form) }
        if !lost.isEmpty {
            append(.detach(stream.key, Array(lost)), to: stream.key)
            stream.untold.removeAll { lost.contains($0) }
        }
        beginArrival(stream, at: news)
        for index in named(by: parts.selection) { _ = admit(stream, to: index) }
    }
}
