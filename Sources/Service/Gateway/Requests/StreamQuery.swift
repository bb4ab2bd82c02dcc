// The query parameters of a stream: topics, rate and form.

import Base
package import Board
package import EventStream
package import Wire

/// Parses the parameters of `/v1/events` and of a resource's own stream.
package enum StreamQuery {
    /// - Parameters:
    ///   - name: The resource whose own stream it is; nil for `/v1/events`.
    ///   - lastEventID: The header of that name. It overrides the parameters, which are for a first connection.
    /// - Throws: 400 without topics or with too many; 422 naming the parameter that is wrong.
    package static func request(
        _ items: [(name: String, value: String)], of name: ResourceName?, lastEventID: String?, _ bounds: StreamBounds
    ) throws(Problem) -> StreamRequest {
        var patterns: [TopicPattern] = []
        var options = StreamOptions(tickRate: bounds.tickRate)
        // A client that removes a parameter from a URL may leave its `&`.
        for item in items where !(item.name.isEmpty && item.value.isEmpty) {
            if name == nil, let kind = TopicKind.allCases.first(where: { $0.description == item.name }) {
                guard let pattern = TopicPattern(kind: kind, parsing: item.value) else {
                    throw .field("?" + item.name, "must be an id, or a prefix of ids followed by *")
                }
                patterns.append(pattern)
            } else if try !options.read(parameter: item.name, item.value) {
                let topics = name == nil ? TopicKind.allCases.map(\.description) : []
                throw RequestHeaders.unknownParameter(item.name, StreamOption.allCases.map(\.rawValue) + topics)
            }
        }
        try options.checkSize()
        if let name {
            guard let pattern = TopicPattern(kind: .resource(name.kind), parsing: name.id) else { throw .notFound }
            let parts = StreamParts(TopicSelection(pattern), options.variant)
            return options.request(for: parts, lastEventID: lastEventID, endsWithTopic: true)
        }
        let parts = StreamParts(try selection(patterns, bounds), options.variant)
        return options.request(for: parts, lastEventID: lastEventID)
    }

    /// - Throws: 400 for no topics, or too many.
    static func selection(_ patterns: [TopicPattern], _ bounds: StreamBounds) throws(Problem) -> TopicSelection {
        guard !patterns.isEmpty else {
            let kinds = TopicKind.allCases.map(\.description).joined(separator: ", ")
            throw Problem(400, "Bad Request", "name at least one of \(kinds)")
        }
        guard patterns.count <= bounds.topics else { throw tooManyTopics(bounds) }
        return TopicSelection(patterns)
    }

    static func tooManyTopics(_ bounds: StreamBounds) -> Problem {
        Problem(400, "Bad Request", "more than \(bounds.topics) topics in one request (--max-request-topics)")
    }
}

extension StreamOptions {
    /// Makes the request from the options and topics.
    /// - Parameter header: `Last-Event-ID`.
    func request(
        for parts: StreamParts, lastEventID header: String?, endsWithTopic: Bool = false
    ) -> StreamRequest {
        let newerEventID = newerEventID.flatMap { $0.isEmpty ? nil : $0 }
        var request = StreamRequest(
            parts: parts, locale: locale.map(ReaderLocale.canonical), terms: terms, endsWithTopic: endsWithTopic,
            lastEventID: header ?? newerEventID ?? lastEventID)
        request.encoding = encoding(ofOneResource: endsWithTopic)
        return request
    }
}
