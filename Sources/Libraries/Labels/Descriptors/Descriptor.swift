// The strings that display a resource, in one place for JSON, SSE, the viewer and the command line.

/// A value with all display strings of one resource.
public protocol Descriptor: Hashable, Sendable {
    /// Names and strings in a fixed order, without unknown ones.
    var fields: [(name: String, text: String)] { get }
}

extension Descriptor {
    /// Appends the strings as a JSON object.
    package func appendJSON(to bytes: inout [UInt8]) {
        bytes.append(ASCII.openBrace)
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(ASCII.comma) }
            bytes.append(ASCII.quote)
            // Names are ASCII and need no escaping.
            bytes.append(field.name.utf8.span)
            bytes.append(ASCII.quote)
            bytes.append(ASCII.colon)
            bytes.append(ASCII.quote)
            JSONText.appendEscaped(field.text, to: &bytes)
            bytes.append(ASCII.quote)
        }
        bytes.append(ASCII.closeBrace)
    }

    static func present(_ fields: [(String, String?)]) -> [(name: String, text: String)] {
        var present: [(name: String, text: String)] = []
        present.reserveCapacity(fields.count)
        for case let (name, text?) in fields { present.append((name, text)) }
        return present
    }
}
