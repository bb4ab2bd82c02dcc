// What a record is made of: a small body that is written with every change, and the heavy texts in it, which don't change
// and are written once.

import Board
import Tween

/// A record as it goes to a store and comes back.
package struct RecordContents: Hashable, Sendable {
    /// In the compact form.
    package var body: [UInt8]
    /// Texts that the body names by number. A number means the same text for as long as the text lasts, so that whoever
    /// keeps records can tell what has changed without looking into it.
    package var parts: [UInt64: [UInt8]]

    package init(body: [UInt8], parts: [UInt64: [UInt8]] = [:]) {
        self.body = body
        self.parts = parts
    }
}

/// The number of a part: which of a record's texts it is.
enum RecordPart {
    /// From so many bytes on a text is a part of its own: below it costs more to keep track of than to write.
    static let threshold = 512

    static let defaults: UInt64 = 2
    static let definition: UInt64 = 3

    /// The update that waits under this name.
    static func waiting(_ animation: UInt64) -> UInt64 { animation &<< 2 }

    /// What follows the motion of this name.
    static func then(_ animation: UInt64) -> UInt64 { animation &<< 2 | 1 }

    /// What follows it where it is cut off. Animations count from 1: their parts are none of those above.
    static func otherwise(_ animation: UInt64) -> UInt64 { animation &<< 2 | 2 }
}

/// Collects the parts of a record while its body is written.
struct RecordParts {
    private(set) var texts: [UInt64: [UInt8]] = [:]

    /// Appends a text that is an object or an array: where it is light as the member itself, else as the number of a part.
    mutating func append(_ name: String, _ text: [UInt8], as number: UInt64, to record: inout some FieldWriter) {
        guard text.count >= RecordPart.threshold else {
            record.member(name, raw: text)
            return
        }
        texts[number] = text
        record.member(name, integer: Int64(bitPattern: number))
    }
}

/// A client's JSON in a record, wherever it lies.
struct StoredText {
    let document: JSONDocument
    let node: JSONNode
    /// The JSON as it was written. That of a part is the part itself: nothing is copied.
    let source: [UInt8]
}

extension FieldReader {
    /// Takes a member that `RecordParts` wrote.
    /// - Throws: A problem when it names a part that isn't there, or one that is no JSON.
    mutating func text(_ name: String, in parts: [UInt64: [UInt8]]) throws(Problem) -> StoredText? {
        guard let node = take(name) else { return nil }
        guard let number = integer(node) else {
            return StoredText(document: document, node: node, source: try source(of: node, name))
        }
        guard let part = parts[UInt64(bitPattern: number)] else {
            throw .field(pointer(to: name), "part \(number) is missing")
        }
        let document = try UpdateDecoder.document(part, from: .stored)
        return StoredText(document: document, node: document.root, source: part)
    }
}

extension FieldReader {
    // Mutating, for a copy of the reader would be made before the value is looked for.
    mutating func required<Value>(_ value: Value?, _ name: String) throws(Problem) -> Value {
        guard let value else { throw .field(pointer(to: name), "is missing") }
        return value
    }

    /// An integer of 64 bits.
    mutating func integer64(_ name: String) throws(Problem) -> Int64 {
        guard let value = take(name).flatMap({ integer($0) }) else {
            throw .field(pointer(to: name), "must be an integer")
        }
        return value
    }

    mutating func instant(_ name: String) throws(Problem) -> Instant {
        Instant(nanoseconds: try integer64(name))
    }

    /// nil where there is none, or something else.
    mutating func optionalInstant(_ name: String) -> Instant? {
        take(name).flatMap { integer($0) }.map { Instant(nanoseconds: $0) }
    }

    private func integer(_ node: JSONNode) -> Int64? {
        if case .integer(let value) = node.content { value } else { nil }
    }
}
