// A stream that is asked for by a body: the same topics and forms as in a query, and as many as a body holds.

package import EventStream
package import Wire

/// Reads the body of `POST /v1/events` and of `PUT /v1/streams/{name}`.
package enum StreamBody {
    /// - Parameter lastEventID: The header of that name; it wins over the field.
    /// - Throws: 400 or 422, naming the field.
    package static func request(
        _ body: [UInt8], lastEventID: String?, _ bounds: StreamBounds
    ) throws(Problem) -> StreamRequest {
        let options = try StreamOptionsDecoder.options(
            body, fields: fields, parts: StreamParts.maximumCount,
            rates: StreamQuery.lowestRate...Double(bounds.tickRate))
        let topics = options.parts.reduce(0) { $0 + $1.topics.count }
        guard topics <= bounds.topics else { throw StreamQuery.tooManyTopics(bounds) }
        var parts: [StreamPart] = []
        for part in options.parts {
            guard !part.topics.isEmpty || part.pointer.isEmpty else {
                throw .field(part.pointer, "name at least one of \(fields.joined(separator: ", "))")
            }
            parts.append(StreamPart(try selection(part.topics, bounds), Variant(part)))
        }
        var request = StreamRequest(
            parts: StreamParts(parts), locale: options.locale.map(ReaderLocale.canonical),
            framesPerSecond: options.framesPerSecond, endsAfterCompletion: options.once,
            lastEventID: lastEventID ?? options.lastEventID)
        request.heartbeatSeconds = options.heartbeat
        return request
    }

    /// The topics that a body names, and nothing else: that of `POST /v1/tickets`.
    static func topics(_ body: [UInt8], _ bounds: StreamBounds) throws(Problem) -> TopicSelection {
        try selection(try StreamOptionsDecoder.topics(body, fields: fields), bounds)
    }

    private static let fields = TopicKind.allCases.map { "\($0)" }

    private static func selection(
        _ topics: [StreamOptions.Topic], _ bounds: StreamBounds
    ) throws(Problem) -> TopicSelection {
        var patterns: [TopicPattern] = []
        for topic in topics {
            let kind = TopicKind.allCases.first { "\($0)" == topic.field }
            guard let pattern = kind.flatMap({ TopicPattern(kind: $0, parsing: topic.text) }) else {
                throw .field(topic.pointer, "must be an id, or the start of one and *")
            }
            patterns.append(pattern)
        }
        return try StreamQuery.selection(patterns, bounds)
    }
}

extension Variant {
    fileprivate init(_ part: StreamOptions.Part) {
        self.init(
            text: part.form == .text, stamp: part.stamp, motion: part.mode == .motion,
            wheels: part.wheels.map(Wheels.init), display: Display(part.display))
    }
}

extension Variant.Display {
    fileprivate init(_ display: StreamOptions.Display) {
        self =
            switch display {
            case .none: .none
            case .strings: .strings
            case .parts: .parts
            }
    }
}

extension Variant.Wheels {
    fileprivate init(_ wheels: StreamOptions.Wheels) {
        self =
            switch wheels {
            case .odometer: .odometer
            case .continuous: .continuous
            case .up: .up
            case .down: .down
            case .shortest: .shortest
            case .strip: .strip
            }
    }
}
