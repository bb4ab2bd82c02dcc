// The body of a request for a stream: what an address would name, for more topics than an address holds.

/// What a stream is to tell, by the fields' names; which topics a text names is looked at elsewhere.
package struct StreamWish: Sendable {
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
package enum StreamWishDecoder {
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
    package static func wish(
        _ body: [UInt8], fields: [String], parts most: Int, rates: ClosedRange<Double>
    ) throws(Problem) -> StreamWish {
        let document = try UpdateDecoder.document(body)
        var reader = try FieldReader(document, document.root, pointer: "")
        var wish = StreamWish()
        if let node = reader.take("parts") {
            wish.parts = try parts(node, document, fields: fields, most: most, pointer: reader.pointer(to: "parts"))
        } else {
            wish.parts = [try part(fields, &reader)]
        }
        wish.framesPerSecond = try reader.number("fps", in: rates)
        wish.heartbeat = try reader.integer("heartbeat", in: heartbeats)
        wish.once = try reader.bool("once") ?? false
        wish.locale = try reader.string("locale", longest: longestLocale)
        wish.lastEventID = try reader.string("lastEventID", longest: longestEventID)
        try reader.finish()
        return wish
    }

    /// A body that holds lists of topics and nothing else.
    package static func topics(_ body: [UInt8], fields: [String]) throws(Problem) -> [StreamWish.Topic] {
        let document = try UpdateDecoder.document(body)
        var reader = try FieldReader(document, document.root, pointer: "")
        var topics: [StreamWish.Topic] = []
        for field in fields { topics += try self.topics(field, &reader) }
        try reader.finish()
        return topics
    }

    private static func parts(
        _ node: JSONNode, _ document: JSONDocument, fields: [String], most: Int, pointer: String
    ) throws(Problem) -> [StreamWish.Part] {
        guard case .array(let nodes) = node.content, (1...most).contains(nodes.count) else {
            throw .field(pointer, "must be a list of 1 to \(most) parts")
        }
        var parts: [StreamWish.Part] = []
        for (index, node) in nodes.enumerated() {
            var reader = try FieldReader(document, node, pointer: "\(pointer)/\(index)")
            parts.append(try part(fields, &reader))
            try reader.finish()
        }
        return parts
    }

    private static func part(_ fields: [String], _ reader: inout FieldReader) throws(Problem) -> StreamWish.Part {
        var part = StreamWish.Part()
        part.pointer = reader.pointer
        for field in fields { part.topics += try topics(field, &reader) }
        part.form = try reader.choice("as", StreamWish.Form.self) ?? .json
        part.mode = try reader.choice("mode", StreamWish.Mode.self) ?? .frames
        part.wheels = try reader.choice("wheels", StreamWish.Wheels.self)
        part.stamp = try reader.bool("stamp") ?? false
        part.display = try display(&reader)
        return part
    }

    private static func display(_ reader: inout FieldReader) throws(Problem) -> StreamWish.Display {
        guard let node = reader.take("display") else { return .none }
        switch node.content {
        case .bool(let hasStrings): return hasStrings ? .strings : .none
        case .string("parts"): return .parts
        default: throw .field(reader.pointer(to: "display"), "must be true, false or parts")
        }
    }

    private static func topics(_ field: String, _ reader: inout FieldReader) throws(Problem) -> [StreamWish.Topic] {
        guard let node = reader.take(field) else { return [] }
        let pointer = reader.pointer(to: field)
        guard case .array(let nodes) = node.content else {
            throw .field(pointer, "must be a list of ids, not \(node.kind)")
        }
        var topics: [StreamWish.Topic] = []
        for (index, node) in nodes.enumerated() {
            guard case .string(let text) = node.content else {
                throw .field("\(pointer)/\(index)", "must be a string, not \(node.kind)")
            }
            topics.append(StreamWish.Topic(field: field, text: text, pointer: "\(pointer)/\(index)"))
        }
        return topics
    }
}
