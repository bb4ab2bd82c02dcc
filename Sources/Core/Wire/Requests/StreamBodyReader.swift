// The body of a request for a stream: what an address would name, for more topics than an address holds.

package import EventStream

/// Reads a stream's body; which topics its texts name is looked at elsewhere.
package struct StreamBodyReader {
    /// A topic's text, and what it is the text of.
    package struct Topic: Hashable, Sendable {
        package let kind: TopicKind
        package let text: String
        /// RFC 6901 pointer.
        package let pointer: String
    }

    /// Topics, and the form in which they are told.
    package struct Part: Sendable {
        package let topics: [Topic]
        package let variant: Variant
        /// RFC 6901 pointer.
        package let pointer: String
    }

    /// One at least.
    package private(set) var parts: [Part] = []
    /// Those of the stream as a whole.
    package private(set) var options: StreamOptions

    private static let optionsOfPart = StreamOption.all(of: .part)
    private static let optionsOfStream = StreamOption.all(of: .stream)

    /// - Parameter tickRate: The most frames a second there are.
    /// - Throws: 400 or 422, naming the field.
    package init(_ body: [UInt8], tickRate: Int) throws(Problem) {
        options = StreamOptions(tickRate: tickRate)
        let document = try UpdateDecoder.document(body)
        var source = StreamFields(fields: try FieldReader(document, document.root, pointer: ""))
        if let node = source.fields.take("parts") {
            try readParts(node, document, pointer: source.fields.pointer(to: "parts"))
        } else {
            try readPart(&source)
        }
        try source.read(Self.optionsOfStream, into: &options)
        try source.fields.finish()
    }

    /// A body that holds lists of topics and nothing else.
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
        // Of these the form counts alone.
        var options = options
        try source.read(Self.optionsOfPart, into: &options)
        parts.append(Part(topics: topics, variant: options.variant, pointer: source.fields.pointer))
    }

    private static func topics(_ reader: inout FieldReader) throws(Problem) -> [Topic] {
        var topics: [Topic] = []
        for kind in TopicKind.allCases {
            let field = kind.description
            guard let node = reader.take(field) else { continue }
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

/// Options as a body has them: fields.
private struct StreamFields: StreamOptionSource {
    var fields: FieldReader
    /// That of the option which is read.
    private var name = ""

    init(fields: FieldReader) { self.fields = fields }

    mutating func read(_ names: [StreamOption], into options: inout StreamOptions) throws(Problem) {
        for option in names {
            name = option.rawValue
            try option.read(&self, into: &options)
        }
    }

    /// Lines of JSON are asked for by `Accept`.
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
        guard let node = fields.take(name) else { return }
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

    mutating func text(_ value: inout String?, longest: Int) throws(Problem) {
        value = try fields.string(name, longest: longest)
    }

    private func refusal(_ reason: String) -> Problem { .field(fields.pointer(to: name), reason) }
}
