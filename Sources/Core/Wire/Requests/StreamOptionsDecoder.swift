// The body of a request for a stream: what an address would name, for more topics than an address holds.

/// What a stream is to tell, by the fields' names; which topics a text names is looked at elsewhere.
package struct StreamOptions: Sendable {
    /// The form that frames come in.
    package enum Form: String, CaseIterable, Sendable {
        case json, text
    }

    /// Frames, or one event an update in place of them.
    package enum Mode: String, CaseIterable, Sendable {
        case frames, motion
    }

    /// How the wheels of digits are told.
    package enum Wheels: String, CaseIterable, Sendable {
        case odometer, continuous, up, down, shortest, strip
    }

    /// Which strings of a descriptor frames have: none, all of them, and the parts of a text.
    package enum Display: Sendable {
        case none, strings, parts
    }

    /// A topic's text, and what it is the text of.
    package struct Topic: Hashable, Sendable {
        package let field: String
        package let text: String
        /// RFC 6901 pointer.
        package let pointer: String
    }

    /// Topics, and the form in which they are told.
    package struct Part: Sendable {
        package fileprivate(set) var topics: [Topic] = []
        package fileprivate(set) var form = Form.json
        package fileprivate(set) var mode = Mode.frames
        package fileprivate(set) var wheels: Wheels?
        package fileprivate(set) var stamp = false
        package fileprivate(set) var display = Display.none
        /// RFC 6901 pointer.
        package fileprivate(set) var pointer = ""
    }

    /// One at least.
    package fileprivate(set) var parts: [Part] = []
    package fileprivate(set) var framesPerSecond: Double?
    package fileprivate(set) var heartbeat: Int?
    package fileprivate(set) var once = false
    /// The reader's; nil: as things were posted.
    package fileprivate(set) var locale: String?
    package fileprivate(set) var lastEventID: String?
}

/// Decodes a stream's body.
package enum StreamOptionsDecoder {
    /// The longest id of an event, in bytes.
    private static let longestEventID = 256
    /// The longest tag of a locale, in bytes.
    private static let longestLocale = 64
    /// Seconds of silence before a heartbeat that may be asked for.
    package static let heartbeats = 1...60

    /// - Parameters:
    ///   - fields: The names of those that hold lists of topics.
    ///   - most: Parts that there may be.
    ///   - rates: The rates of frames that may be asked for, a second.
    /// - Throws: 400 or 422, naming the field.
    package static func options(
        _ body: [UInt8], fields: [String], parts most: Int, rates: ClosedRange<Double>
    ) throws(Problem) -> StreamOptions {
        let document = try UpdateDecoder.document(body)
        var reader = try FieldReader(document, document.root, pointer: "")
        var options = StreamOptions()
        if let node = reader.take("parts") {
            options.parts = try parts(node, document, fields: fields, most: most, pointer: reader.pointer(to: "parts"))
        } else {
            options.parts = [try part(fields, &reader)]
        }
        options.framesPerSecond = try reader.number("fps", in: rates)
        options.heartbeat = try reader.integer("heartbeat", in: heartbeats)
        options.once = try reader.bool("once") ?? false
        options.locale = try reader.string("locale", longest: longestLocale)
        options.lastEventID = try reader.string("lastEventID", longest: longestEventID)
        try reader.finish()
        return options
    }

    /// A body that holds lists of topics and nothing else.
    package static func topics(_ body: [UInt8], fields: [String]) throws(Problem) -> [StreamOptions.Topic] {
        let document = try UpdateDecoder.document(body)
        var reader = try FieldReader(document, document.root, pointer: "")
        var topics: [StreamOptions.Topic] = []
        for field in fields { topics += try self.topics(field, &reader) }
        try reader.finish()
        return topics
    }

    private static func parts(
        _ node: JSONNode, _ document: JSONDocument, fields: [String], most: Int, pointer: String
    ) throws(Problem) -> [StreamOptions.Part] {
        guard case .array(let nodes) = node.content, (1...most).contains(nodes.count) else {
            throw .field(pointer, "must be a list of 1 to \(most) parts")
        }
        var parts: [StreamOptions.Part] = []
        for (index, node) in nodes.enumerated() {
            var reader = try FieldReader(document, node, pointer: "\(pointer)/\(index)")
            parts.append(try part(fields, &reader))
            try reader.finish()
        }
        return parts
    }

    private static func part(_ fields: [String], _ reader: inout FieldReader) throws(Problem) -> StreamOptions.Part {
        var part = StreamOptions.Part()
        part.pointer = reader.pointer
        for field in fields { part.topics += try topics(field, &reader) }
        part.form = try reader.choice("as", StreamOptions.Form.self) ?? .json
        part.mode = try reader.choice("mode", StreamOptions.Mode.self) ?? .frames
        part.wheels = try reader.choice("wheels", StreamOptions.Wheels.self)
        part.stamp = try reader.bool("stamp") ?? false
        part.display = try display(&reader)
        return part
    }

    private static func display(_ reader: inout FieldReader) throws(Problem) -> StreamOptions.Display {
        guard let node = reader.take("display") else { return .none }
        switch node.content {
        case .bool(let hasStrings): return hasStrings ? .strings : .none
        case .string("parts"): return .parts
        default: throw .field(reader.pointer(to: "display"), "must be true, false or parts")
        }
    }

    private static func topics(_ field: String, _ reader: inout FieldReader) throws(Problem) -> [StreamOptions.Topic] {
        guard let node = reader.take(field) else { return [] }
        let pointer = reader.pointer(to: field)
        guard case .array(let nodes) = node.content else {
            throw .field(pointer, "must be a list of ids, not \(node.kind)")
        }
        var topics: [StreamOptions.Topic] = []
        for (index, node) in nodes.enumerated() {
            guard case .string(let text) = node.content else {
                throw .field("\(pointer)/\(index)", "must be a string, not \(node.kind)")
            }
            topics.append(StreamOptions.Topic(field: field, text: text, pointer: "\(pointer)/\(index)"))
        }
        return topics
    }
}
