// The contents of a record: a small body that is written with every change, and large texts that don't change and are
// written once.

import Base
import Board
import Tween

/// A record as it is stored and loaded.
package struct RecordContents: Hashable, Sendable {
    /// In the compact form.
    package var body: [UInt8]
    /// Texts that the body refers to by number. A number keeps its text, so that a store can detect changes without
    /// comparing texts.
    package var parts: [UInt64: [UInt8]]

    package init(body: [UInt8], parts: [UInt64: [UInt8]] = [:]) {
        self.body = body
        self.parts = parts
    }
}

/// The number of a part, which identifies one of a record's texts.
enum RecordPart {
    /// The bytes from which on a text is a part of its own; for a smaller one this would cost more than writing it.
    static let threshold = 512

    static let defaults: UInt64 = 2
    static let definition: UInt64 = 3

    /// Returns the number of the update that waits with this animation.
    static func waiting(_ animation: UInt64) -> UInt64 { animation &<< 2 }

    /// Returns the number of the actions after this animation.
    static func then(_ animation: UInt64) -> UInt64 { animation &<< 2 | 1 }

    /// Returns the number of the actions when this animation is interrupted. Animations count from 1, so no number collides with
    /// those above.
    static func otherwise(_ animation: UInt64) -> UInt64 { animation &<< 2 | 2 }

    /// Returns the number of the milestones of this animation, if some have actions.
    static func milestones(_ animation: UInt64) -> UInt64 { animation &<< 2 | 3 }
}

/// Collects the parts of a record while its body is written.
struct RecordParts {
    private(set) var texts: [UInt64: [UInt8]] = [:]

    /// Appends a text that is an object or an array: a short one as the member itself, a long one as the number of a part.
    mutating func append(_ name: String, _ text: [UInt8], as number: UInt64, to record: inout some FieldWriter) {
        guard text.count >= RecordPart.threshold else {
            record.member(name, raw: text)
            return
        }
        texts[number] = text
        record.member(name, integer: Int64(bitPattern: number))
    }
}

/// A client's JSON in a record or one of its parts.
struct StoredText {
    let document: JSONDocument
    let node: JSONNode
    /// The JSON as it was written. A part is not copied.
    let source: [UInt8]
}

extension FieldReader {
    /// Takes a member that `RecordParts` wrote.
    /// - Parameter kind: What it describes; nil for actions and schedules.
    /// - Throws: A problem if it refers to a missing part, or to one that is no JSON.
    mutating func text(
        _ name: String, in parts: [UInt64: [UInt8]], of kind: ResourceKind? = nil
    ) throws(Problem) -> StoredText? {
        guard let node = read(name) else { return nil }
        var text: [UInt8]
        if let number = integer(node) {
            guard let part = parts[UInt64(bitPattern: number)] else {
                throw .field(pointer(to: name), "part \(number) is missing")
            }
            text = part
        } else {
            text = try source(of: node, name)
            if !document.hasOldTemplates { return StoredText(document: document, node: node, source: text) }
        }
        if document.hasOldTemplates { text = try StoredTemplates.renewed(text, of: kind) }
        let document = try UpdateDecoder.document(text, from: .stored)
        return StoredText(document: document, node: document.root, source: text)
    }
}

extension FieldReader {
    // Mutating, because the reader would otherwise be copied before the value is evaluated.
    mutating func required<Value>(_ value: Value?, _ name: String) throws(Problem) -> Value {
        guard let value else { throw .field(pointer(to: name), "is missing") }
        return value
    }

    /// Takes a 64-bit integer.
    mutating func integer64(_ name: String) throws(Problem) -> Int64 {
        guard let value = read(name).flatMap({ integer($0) }) else {
            throw .field(pointer(to: name), "must be an integer")
        }
        return value
    }

    mutating func instant(_ name: String) throws(Problem) -> Instant {
        Instant(nanoseconds: try integer64(name))
    }

    /// Takes an instant; nil if it is missing or of another type.
    mutating func optionalInstant(_ name: String) -> Instant? {
        read(name).flatMap { integer($0) }.map { Instant(nanoseconds: $0) }
    }

    private func integer(_ node: JSONNode) -> Int64? {
        if case .integer(let value) = node.content { value } else { nil }
    }
}
