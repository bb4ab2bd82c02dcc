// The body of a stream request: the same options as in a URL, with more topics than a URL can hold.

package import EventStream

/// Parses a stream's body. The caller parses the texts of topics.
package struct StreamBodyReader {
    /// A topic's text, with its kind and position.
    package struct Topic: Hashable, Sendable {
        package let kind: TopicKind
        package let text: String
        /// A JSON Pointer (RFC 6901).
        package let pointer: String
    }

    /// Topics, and the form in which they are sent.
    package struct Part: Sendable {
        package let topics: [Topic]
        package let variant: Variant
        /// A JSON Pointer (RFC 6901).
        package let pointer: String
    }

    /// At least one.
    package private(set) var parts: [Part] = []
    /// The options of the stream as a whole.
    package private(set) var options: StreamOptions

    private static let optionsOfPart = StreamOption.all(of: .part)
    private static let optionsOfStream = StreamOption.all(of: .stream)

    /// - Parameter tickRate: The maximum frame rate, in frames a second.
    /// - Throws: 400 or 422, naming the field.
    package init(_ body: [UInt8], tickRate: Int) throws(Problem) {
        options = StreamOptions(tickRate: tickRate)
        let document = try UpdateDecoder.document(body)
        var source = StreamFields(fields: try FieldReader(document, document.root, pointer: ""))
        if let node = source.fields.read("parts") {
            try readParts(node, document, pointer: source.fields.pointer(to: "parts"))
        } else {
            try readPart(&source)
        }
        try source.read(Self.optionsOfStream, into: &options)
        try source.fields.finish()
    }

    /// Parses a body that only has lists of topics.
    package static func topics(_ body: [UInt8]) throws(Problem) -> [Topic] {
        let document = try UpdateDecoder.document(body)
        var reader = try FieldReader(document, document.root, pointer: "")
        let topics = try topics(&reader)
        try reader.finish()
        return topics
    }

    private mutating func readParts(_ node: JSONNode, _ document: JSONDocument, pointer: String) throws(Problem) {
        let most = StreamParts.maximumCount
        guard case .array(let nodes) = node.content, (1...most).contains(nodes.count) else {
            throw .field(pointer, "must be a list of 1 to \(most) parts")
        }
        for (index, node) in nodes.enumerated() {
            var source = StreamFields(fields: try FieldReader(document, node, pointer: "\(pointer)/\(index)"))
            try readPart(&source)
            try source.fields.finish()
        }
    }

    private mutating func readPart(_ source: inout StreamFields) throws(Problem) {
        let topics = try Self.topics(&source.fields)
        // A part only uses the form of these.
        var options = options
        try source.read(Self.optionsOfPart, into: &options)
        parts.append(Part(topics: topics, variant: options.variant, pointer: source.fields.pointer))
    }

    private static func topics(_ reader: inout FieldReader) throws(Problem) -> [Topic] {
        var topics: [Topic] = []
        for kind in TopicKind.allCases {
            let field = kind.description
            guard let node = reader.read(field) else { continue }
            let pointer = reader.pointer(to: field)
            guard case .array(let nodes) = node.content else {
                throw .field(pointer, "must be a list of ids, not \(node.kind)")
            }
            for (index, node) in nodes.enumerated() {
                guard case .string(let text) = node.content else {
                    throw .field("\(pointer)/\(index)", "must be a string, not \(node.kind)")
                }
                topics.append(Topic(kind: kind, text: text, pointer: "\(pointer)/\(index)"))
            }
        }
        return topics
    }
}

/// The options of a body: fields.
private struct StreamFields: StreamOptionSource {
    var fields: FieldReader
    /// The name of the option being read.
    private var name = ""

    init(fields: FieldReader) { self.fields = fields }

    mutating func read(_ names: [StreamOption], into options: inout StreamOptions) throws(Problem) {
        for option in names {
            name = option.rawValue
            try option.read(&self, into: &options)
        }
    }

    /// Lines of JSON are requested by `Accept`.
    var forms: [StreamOptions.Form] { [.json, .text] }

    mutating func choice<Choice>(_ value: inout Choice, among choices: [Choice]) throws(Problem) {
        value = try choice(among: choices) ?? value
    }

    private mutating func choice<Choice>(among choices: [Choice]) throws(Problem) -> Choice? {
        guard let text = try fields.string(name) else { return nil }
        guard let choice = choices.first(where: { "\($0)" == text }) else {
            throw refusal("must be one of \(choices.map { "\($0)" }.joined(separator: ", "))")
        }
        return choice
    }

    mutating func flag(_ value: inout Bool) throws(Problem) { value = try fields.bool(name) ?? value }

    mutating func wheels(_ value: inout Variant.Wheels?) throws(Problem) {
        value = try choice(among: Variant.Wheels.allCases)
    }

    mutating func display(_ value: inout Variant.Display) throws(Problem) {
        guard let node = fields.read(name) else { return }
        switch node.content {
        case .bool(let hasStrings): value = hasStrings ? .strings : .none
        case .string("parts"): value = .parts
        default: throw refusal("must be true, false or parts")
        }
    }

    mutating func rate(_ value: inout Double?, in range: ClosedRange<Double>) throws(Problem) {
        value = try fields.number(name, in: range)
    }

    mutating func seconds(_ value: inout Int?, in range: ClosedRange<Int>) throws(Problem) {
        value = try fields.integer(name, in: range)
    }

    mutating func whole(_ value: inout Int?, in range: ClosedRange<Int>) throws(Problem) {
        value = try fields.integer(name, in: range)
    }

    mutating func text(_ value: inout String?, longest: Int) throws(Problem) {
        value = try fields.string(name, longest: longest)
    }

    private func refusal(_ reason: String) -> Problem { .field(fields.pointer(to: name), reason) }
}
