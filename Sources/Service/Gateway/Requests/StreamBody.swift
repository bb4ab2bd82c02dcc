// The body of a stream request: the same topics and options as in a query, but more of them.

package import EventStream
package import Wire

/// Parses the body of `POST /v1/events` and of `PUT /v1/streams/{name}`.
package enum StreamBody {
    /// - Parameter lastEventID: The header of that name; it overrides the field.
    /// - Throws: 400 or 422, naming the field.
    package static func request(
        _ body: [UInt8], lastEventID: String?, _ bounds: StreamBounds
    ) throws(Problem) -> StreamRequest {
        let reader = try StreamBodyReader(body, tickRate: bounds.tickRate)
        let topics = reader.parts.reduce(0) { $0 + $1.topics.count }
        guard topics <= bounds.topics else { throw StreamQuery.tooManyTopics(bounds) }
        var parts: [StreamPart] = []
        for part in reader.parts {
            guard !part.topics.isEmpty || part.pointer.isEmpty else {
                let kinds = TopicKind.allCases.map(\.description).joined(separator: ", ")
                throw .field(part.pointer, "name at least one of \(kinds)")
            }
            parts.append(StreamPart(try selection(part.topics, bounds), part.variant))
        }
        return reader.options.request(for: StreamParts(parts), lastEventID: lastEventID)
    }

    /// Parses a body that only has topics: that of `POST /v1/tickets`.
    static func topics(_ body: [UInt8], _ bounds: StreamBounds) throws(Problem) -> TopicSelection {
        try selection(try StreamBodyReader.topics(body), bounds)
    }

    private static func selection(
        _ topics: [StreamBodyReader.Topic], _ bounds: StreamBounds
    ) throws(Problem) -> TopicSelection {
        var patterns: [TopicPattern] = []
        for topic in topics {
            guard let pattern = TopicPattern(kind: topic.kind, parsing: topic.text) else {
                throw .field(topic.pointer, "must be an id, or the start of one and *")
            }
            patterns.append(pattern)
        }
        return try StreamQuery.selection(patterns, bounds)
    }
}
