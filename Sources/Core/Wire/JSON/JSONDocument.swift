// A strict RFC 8259 reader. General decoders drop what requests need: numbers as written (for exact decimals), duplicate
// names (rejected), and positions in the text.

/// Parsed JSON text with its bytes. A class, because the reader of each object in it retains it.
package final class JSONDocument: Sendable {
    /// The source of a text, which determines the limits that apply.
    package enum Origin: Sendable {
        /// A client: every limit of the API applies.
        case request
        /// A record. Its text was accepted once, so today's limits do not apply: only what can't be understood at all is an
        /// error.
        case stored

        /// The maximum nesting of arrays and objects. Records wrap client JSON in some levels of their own.
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

    /// - Throws: `JSONError` if the text is not one JSON value.
    package init(_ bytes: [UInt8], from origin: Origin = .request) throws(JSONError) {
        var parser = JSONParser(bytes, maximumDepth: origin.maximumDepth)
        root = try parser.document()
        self.bytes = bytes
        self.origin = origin
    }

    /// Creates the document of a parsed record in the compact form.
    init(record bytes: [UInt8], _ root: JSONNode) {
        self.bytes = bytes
        self.root = root
        origin = .stored
    }

    /// Returns the text of a value as it was written; for the root this is no copy.
    package func source(of node: JSONNode) -> [UInt8] {
        node.range == bytes.indices ? bytes : Array(bytes[node.range])
    }

    /// Parses a number of up to 15 characters without sign or exponent, as most are; nil for any other. Digits and power of
    /// ten are exact doubles, so their quotient is the nearest double.
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

/// A JSON value with its position in the document.
package struct JSONNode: Sendable {
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// The text is the node's range.
        case number
        /// A record's number; `integer` and `exact` are a record's, too.
        case double(Double)
        /// A string in JSON.
        case integer(Int64)
        /// A coefficient and its number of decimals; a string in JSON.
        case exact(Int64, scale: UInt8)
        case string(String)
        case array([JSONNode])
        /// Members in their order; names are unique.
        case object([JSONMember])
    }

    package let content: Content
    /// Empty for a record's value that is not JSON.
    package let range: Range<Int>

    /// The kind of the value, in words for an error.
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

/// A name and its value. A struct, because the runtime looks up the type of an array of tuples each time it creates one.
package struct JSONMember: Sendable {
    package let name: String
    /// The key of its name in records; nil for other names.
    let key: UInt8?
    package let value: JSONNode
}

/// Where and why a text is not JSON.
package struct JSONError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case syntax(String)
        /// A name occurs twice in one object.
        case duplicate(name: String)
    }

    package let reason: Reason
    /// Byte offset in the text.
    package let offset: Int
}
