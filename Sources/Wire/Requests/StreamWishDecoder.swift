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

    package fileprivate(set) var topics: [Topic] = []
    package fileprivate(set) var framesPerSecond: Double?
    package fileprivate(set) var form = Form.json
    package fileprivate(set) var mode = Mode.frames
    package fileprivate(set) var wheels: Wheels?
    package fileprivate(set) var once = false
    package fileprivate(set) var stamp = false
    package fileprivate(set) var display = Display.none
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

    /// - Parameters:
    ///   - fields: The names of those that hold lists of topics.
    ///   - rates: The rates of frames that may be asked for, a second.
    /// - Throws: 400 or 422, naming the field.
    package static func wish(
        _ body: [UInt8], fields: [String], rates: ClosedRange<Double>
    ) throws(Problem) -> StreamWish {
        let document = try UpdateDecoder.document(body)
        var reader = try FieldReader(document, document.root, pointer: "")
        var wish = StreamWish()
        for field in fields { wish.topics += try topics(field, &reader) }
        wish.framesPerSecond = try reader.number("fps", in: rates)
        wish.form = try reader.choice("as", StreamWish.Form.self) ?? .json
        wish.mode = try reader.choice("mode", StreamWish.Mode.self) ?? .frames
        wish.wheels = try reader.choice("wheels", StreamWish.Wheels.self)
        wish.once = try reader.bool("once") ?? false
        wish.stamp = try reader.bool("stamp") ?? false
        wish.display = try display(&reader)
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
