// Streams that are to hear something else from now on.

package import Base

/// How far a stream has come that does not hear all topics yet that it will.
struct Arrival {
    /// What it comes to hear.
    var selection: TopicSelection
    var place: SelectionPlace
}

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
        guard let stream = streams[key], !stream.isOver, admitsPatterns(of: parts, for: stream) else { return false }
        // What is in the batch already was said before.
        seal()
        stream.once = terms.once
        stream.readable = terms.readable
        outgoing[Int(key.loop)].append(.change(key, ShardMessage.Terms(terms, parts)))
        // While it catches up with what it missed it hears nothing yet, and then all that it names by then.
        if stream.hasJoined { rejoin(stream, with: parts) } else { stream.parts = parts }
        if !stream.isGreeting {
            outgoing[Int(key.loop)].append(.greet(goOn(stream, [], rewrite, existing, snapshot)))
        }
        send()
        return true
    }

    private func rejoin(_ stream: HubStream, with parts: StreamParts) {
        // What it was to hear and does not yet is looked for again.
        let isWhole = stream.isIndexed && !stream.isArriving && !stream.knowsLimit
        let news = isWhole ? parts.news(beside: stream.parts) : parts.selection
        if stream.isIndexed {
            patterns.remove(stream)
            stream.owner?.patterns -= stream.parts.patternCount
        }
        stream.parts = parts
        stream.knowsLimit = false
        let lost = stream.topics.filter { !parts.hears(topics[Int($0.topic)].name, in: $0.variant) }
        for form in lost { detach(stream, from: form) }
        if !lost.isEmpty {
            outgoing[Int(stream.key.loop)].append(.detach(stream.key, Array(lost)))
            stream.untold.removeAll { lost.contains($0) }
        }
        enter(stream)
        beginArrival(stream, at: news)
        for index in named(by: parts.selection) { _ = admit(stream, to: index) }
    }
}
