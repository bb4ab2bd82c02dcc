// A stream's query parameters: which topics, how often, in which form.

import Base
package import Board
package import EventStream
package import Wire

/// Reads the parameters of `/v1/events` and of a resource's own stream.
package enum StreamQuery {
    /// The lowest rate of frames, a second, that may be asked for; the highest is the tick rate.
    static let lowestRate = 0.1

    /// - Parameters:
    ///   - name: The resource whose own stream it is; nil for `/v1/events`.
    ///   - lastEventID: The header of that name; it wins over the parameter, which stands in for a first connect.
    /// - Throws: 400 or 422, naming the parameter.
    package static func request(
        _ items: [(name: String, value: String)], of name: ResourceName?, lastEventID: String?, _ bounds: StreamBounds
    ) throws(Problem) -> StreamRequest {
        var patterns: [TopicPattern] = []
        var options = Options(tickRate: bounds.tickRate, takesTopics: name == nil)
        // Who takes a parameter out of an address may leave its `&`.
        for item in items where !(item.name.isEmpty && item.value.isEmpty) {
            if name == nil, let kind = topicKind(item.name) {
                guard let pattern = TopicPattern(kind: kind, parsing: item.value) else {
                    throw .field("?" + item.name, "must be an id, or the start of one and *")
                }
                patterns.append(pattern)
            } else {
                try options.read(item)
            }
        }
        if let name {
            guard let pattern = TopicPattern(kind: .resource(name.kind), parsing: name.id) else { throw .notFound }
            patterns = [pattern]
        }
        var request = StreamRequest(
            parts: StreamParts(try selection(patterns, bounds), options.variant), locale: options.locale,
            framesPerSecond: options.framesPerSecond, endsAfterCompletion: options.endsAfterCompletion,
            endsWithTopic: name != nil,
            lastEventID: lastEventID ?? options.newerEventID ?? options.lastEventID)
        request.heartbeatSeconds = options.heartbeat
        request.isLines = options.form == .ndjson
        return request
    }

    /// - Throws: 400 where nothing is named, or too much.
    static func selection(_ patterns: [TopicPattern], _ bounds: StreamBounds) throws(Problem) -> TopicSelection {
        guard !patterns.isEmpty else {
            throw Problem(400, "Bad Request", "name at least one of ticker, progress, schedule, notification")
        }
        guard patterns.count <= bounds.topics else { throw tooManyTopics(bounds) }
        return TopicSelection(patterns)
    }

    static func tooManyTopics(_ bounds: StreamBounds) -> Problem {
        Problem(400, "Bad Request", "more than \(bounds.topics) topics of one request (--max-request-topics)")
    }

    private static func topicKind(_ name: String) -> TopicKind? {
        switch name {
        case "ticker": .ticker
        case "progress": .progress
        case "schedule": .schedule
        case "notification": .notification
        default: nil
        }
    }

    /// What frames are sent as.
    private enum Form: String {
        case json, text
        /// Lines of JSON, events included.
        case ndjson
    }

    /// What can be asked for besides topics.
    private enum Parameter: String, CaseIterable {
        case framesPerSecond = "fps"
        case heartbeat
        case form = "as"
        case mode, once, stamp, display, wheels, locale, lastEventID
        /// The same, as polyfills of EventSource send it by themselves when they come back.
        case lastEventIDOfPolyfills = "lastEventId"
    }

    /// Names under which the id of the last event may come.
    static let lastEventIDs = Set([Parameter.lastEventID, .lastEventIDOfPolyfills].map(\.rawValue))

    private struct Options {
        let tickRate: Int
        let takesTopics: Bool
        var form = Form.json
        var isStamped = false
        var framesPerSecond: Double?
        var heartbeat: Int?
        var endsAfterCompletion = false
        var lastEventID: String?
        /// Of a reader that has come back: the page's own stands for its first connection.
        var newerEventID: String?
        var isMotion = false
        var wheels: Variant.Wheels?
        var display = Variant.Display.none
        var locale: String?

        init(tickRate: Int, takesTopics: Bool) {
            self.tickRate = tickRate
            self.takesTopics = takesTopics
        }

        var variant: Variant {
            Variant(text: form == .text, stamp: isStamped, motion: isMotion, wheels: wheels, display: display)
        }

        private static let decimal = Array("0123456789.+-eE".utf8)

        mutating func read(_ item: (name: String, value: String)) throws(Problem) {
            guard let parameter = Parameter(rawValue: item.name) else {
                let topics = takesTopics ? TopicKind.allCases.map(\.description) : []
                throw RequestHeaders.unknownParameter(item.name, Parameter.allCases.map(\.rawValue) + topics)
            }
            switch parameter {
            case .framesPerSecond:
                // Only as JSON has it: Swift reads hexadecimal, too.
                guard item.value.utf8.allSatisfy(Self.decimal.contains), let rate = Double(item.value),
                    (StreamQuery.lowestRate...Double(tickRate)).contains(rate)
                else {
                    throw .field("?fps", "must be frames a second, \(StreamQuery.lowestRate) to \(tickRate)")
                }
                framesPerSecond = rate
            case .heartbeat:
                let range = StreamOptionsDecoder.heartbeats
                guard let seconds = Int(item.value), range.contains(seconds) else {
                    throw .field("?heartbeat", "must be whole seconds, \(range.lowerBound) to \(range.upperBound)")
                }
                heartbeat = seconds
            case .form:
                guard let form = Form(rawValue: item.value) else { throw .field("?as", "must be json, text or ndjson") }
                self.form = form
            case .mode:
                guard item.value == "motion" || item.value == "frames" else {
                    throw .field("?mode", "must be frames or motion")
                }
                isMotion = item.value == "motion"
            case .once: endsAfterCompletion = try flag(item)
            case .stamp: isStamped = try flag(item)
            case .display: display = try Self.display(item.value)
            case .wheels: wheels = try Self.wheels(item.value)
            case .locale: locale = ReaderLocale.canonical(item.value)
            case .lastEventID: lastEventID = item.value
            case .lastEventIDOfPolyfills: newerEventID = item.value.isEmpty ? nil : item.value
            }
        }

        private static func wheels(_ text: String) throws(Problem) -> Variant.Wheels? {
            switch text {
            case "", "1", "true", "odometer": return .odometer
            case "continuous": return .continuous
            case "up": return .up
            case "down": return .down
            case "shortest": return .shortest
            case "strip": return .strip
            case "0", "false": return nil
            default: throw .field("?wheels", "must be odometer, continuous, up, down, shortest or strip")
            }
        }

        private static func display(_ text: String) throws(Problem) -> Variant.Display {
            switch text {
            case "", "1", "true": return .strings
            case "parts": return .parts
            case "0", "false": return .none
            default: throw .field("?display", "must be true, false or parts")
            }
        }

        private func flag(_ item: (name: String, value: String)) throws(Problem) -> Bool {
            switch item.value {
            case "", "1", "true": return true
            case "0", "false": return false
            default: throw .field("?" + item.name, "takes no value")
            }
        }
    }
}
