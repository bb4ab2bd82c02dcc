// A strict RFC 8259 reader. Its own because requests need what general decoders drop: numbers as they were written
// (for exact decimals), doubled names (refused), and where in the text a value stood.

/// Parsed JSON text and the bytes it came from. A class, because the reader of each object in it holds on to it.
package final class JSONDocument: Sendable {
    /// Where a text comes from, which decides what is asked of it.
    package enum Origin: Sendable {
        /// A client: every limit of the contract holds.
        case request
        /// A record. Its text was accepted once, whatever the limits were then, so it is read however they are now:
        /// only what can't be understood at all is an error.
        case stored

        /// The deepest nesting of arrays and objects. Records wrap what clients wrote in some levels of their own.
        package var maximumDepth: Int {
            switch self {
            case .request: 32
            case .stored: 64
            }
        }
    }

    package let bytes: [UInt8]
    package let root: JSONNode
    package let origin: Origin

    /// - Throws: `JSONError` where the text is not one JSON value.
    package init(_ bytes: [UInt8], from origin: Origin = .request) throws(JSONError) {
        var parser = JSONParser(bytes, maximumDepth: origin.maximumDepth)
        root = try parser.document()
        self.bytes = bytes
        self.origin = origin
    }

    /// A record in its compact form, read.
    init(record bytes: [UInt8], _ root: JSONNode) {
        self.bytes = bytes
        self.root = root
        origin = .stored
    }

    /// The text of a value as it was written. That of all the text is the text itself, not a copy.
    package func source(of node: JSONNode) -> [UInt8] {
        node.range == bytes.indices ? bytes : Array(bytes[node.range])
    }

    /// A number of a few digits, with or without a point, and no sign, which most numbers are; nil for any other. Digits and
    /// power of ten are doubles, so that their quotient is the double nearest to what is written.
    func shortNumber(at range: Range<Int>) -> Double? {
        guard range.count <= 15 else { return nil }
        var digits = 0
        var power = 1.0
        var hasPoint = false
        for place in range {
            let byte = bytes[place]
            if byte == UInt8(ascii: ".") {
                hasPoint = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            digits = digits &* 10 &+ Int(byte &- UInt8(ascii: "0"))
            if hasPoint { power *= 10 }
        }
        return hasPoint ? Double(digits) / power : Double(digits)
    }
}

/// One JSON value and where it stands in its document.
package struct JSONNode: Sendable {
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// The lexeme is the node's range.
        case number
        /// A number of a record, as are the next two.
        case double(Double)
        /// A string in JSON.
        case integer(Int64)
        /// A coefficient and the digits of it behind the point; a string in JSON.
        case exact(Int64, scale: UInt8)
        case string(String)
        case array([JSONNode])
        /// Members in their order; names are unique.
        case object([JSONMember])
    }

    package let content: Content
    /// Empty for what is no JSON, but a value of a record.
    package let range: Range<Int>

    /// What kind of value it is, in words for an error.
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .number, .double: "a number"
        case .integer: "an integer"
        case .exact: "a decimal"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A name and its value. A struct and no tuple: the runtime looks up what an array of tuples is each time it makes one.
package struct JSONMember: Sendable {
    package let name: String
    /// That of its name in records; nil where they have no such name.
    let key: UInt8?
    package let value: JSONNode
}

/// Where and why a text is not JSON.
package struct JSONError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case syntax(String)
        /// A name stands twice in one object.
        case duplicate(name: String)
    }

    package let reason: Reason
    /// Byte offset in the text.
    package let offset: Int
}
