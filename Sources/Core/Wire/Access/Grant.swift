// The rights of a token as text, in the token file, the claims of a JWT or a ticket. The topic patterns are parsed elsewhere.

package import Labels
import Tween

/// A token's rights: topic patterns, and whether it may administer.
package struct Grant: Hashable, Sendable {
    /// A pattern as it was written, with its position.
    package struct Topic: Hashable, Sendable {
        /// `ticker=shop-*`, or `*`.
        package var text: String
        /// RFC 6901 pointer.
        package var pointer: String
    }

    /// Numbers to which may only be added.
    package struct Addition: Hashable, Sendable {
        package var topics: [Topic]
        /// The most that one update adds.
        package var atMost: ExactDecimal
    }

    /// The maximum number of patterns in one list.
    package static let maximumTopics = 1_000

    package var publish: [Topic] = []
    package var subscribe: [Topic] = []
    package var add: [Addition] = []
    package var isAdmin = false

    package init() {}

    /// Reads the members of a grant; the caller reads the object's others.
    init(_ reader: inout FieldReader) throws(Problem) {
        publish = try Self.topics("publish", &reader)
        subscribe = try Self.topics("subscribe", &reader)
        add = try Self.additions(&reader)
        isAdmin = try reader.bool("admin") ?? false
    }

    private static func additions(_ reader: inout FieldReader) throws(Problem) -> [Addition] {
        guard let node = reader.read("add") else { return [] }
        let pointer = reader.pointer(to: "add")
        guard case .array(let nodes) = node.content, nodes.count <= maximumTopics else {
            throw .field(pointer, "must be a list of at most \(maximumTopics) objects with `topics` and `atMost`")
        }
        var additions: [Addition] = []
        for (index, node) in nodes.enumerated() {
            var inner = try FieldReader(reader.document, node, pointer: "\(pointer)/\(index)")
            let atMost = try inner.decimal("atMost") ?? ExactDecimal(1)
            guard atMost > .zero else { throw .field(inner.pointer(to: "atMost"), "must be more than 0") }
            additions.append(Addition(topics: try topics("topics", &inner), atMost: atMost))
            try inner.finish()
        }
        return additions
    }

    private static func topics(_ name: String, _ reader: inout FieldReader) throws(Problem) -> [Topic] {
        let texts = try reader.strings(name, most: maximumTopics)
        return texts.enumerated().map { Topic(text: $1, pointer: "\(reader.pointer(to: name))/\($0)") }
    }
}

extension FieldReader {
    /// Takes a list of strings; empty if it is missing.
    mutating func strings(_ name: String, most: Int) throws(Problem) -> [String] {
        guard let node = read(name) else { return [] }
        let pointer = pointer(to: name)
        guard case .array(let nodes) = node.content else {
            throw .field(pointer, "must be a list of strings, not \(node.kind)")
        }
        guard nodes.count <= most else { throw .field(pointer, "must have at most \(most) entries") }
        var texts: [String] = []
        for (index, node) in nodes.enumerated() {
            guard case .string(let text) = node.content else {
                throw .field("\(pointer)/\(index)", "must be a string, not \(node.kind)")
            }
            texts.append(text)
        }
        return texts
    }

    /// Takes a date; nil if it is missing.
    mutating func date(_ name: String) throws(Problem) -> Instant? {
        guard let text = try string(name) else { return nil }
        guard let date = Timestamp.instant(text) else {
            throw .field(pointer(to: name), "must be a date such as 2027-01-31T12:00:00Z")
        }
        return date
    }
}
