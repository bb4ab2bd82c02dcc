// Writes JSON for answers and events by appending bytes. Frames use it too, so it stays simple.

package import Labels
package import Tween

/// An append-only JSON text. It inserts commas; the closures keep brackets balanced.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// - Parameter capacity: The bytes to reserve.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        members(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        elements(&self)
        close(UInt8(ascii: "]"))
    }

    /// Appends a member's name.
    /// - Parameter name: ASCII without escapes: names are the API's own.
    package mutating func name(_ name: String) {
        let (text, comma) = (name.utf8.span, needsComma)
        // Appended at once: half of all output is names.
        bytes.append(addingCapacity: text.count + Self.roomAroundName) { out in
            if comma { out.append(UInt8(ascii: ",")) }
            out.append(UInt8(ascii: "\""))
            for index in text.indices { out.append(text[index]) }
            out.append(UInt8(ascii: "\""))
            out.append(UInt8(ascii: ":"))
        }
        needsComma = false
    }

    /// A comma, two quotes and a colon.
    private static let roomAroundName = 4

    package mutating func string(_ text: some Collection<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        JSONText.appendEscaped(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        JSONText.appendEscaped(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Appends a string whose escaped contents the closure appends.
    package mutating func quoted(_ append: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Appends JSON that the closure appends.
    package mutating func raw(_ append: (inout [UInt8]) -> Void) {
        separate()
        append(&bytes)
        needsComma = true
    }

    /// Appends JSON text unchanged: a number as written, or a stored value.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    package mutating func number(_ value: Double) {
        separate()
        NumberText.append(value, to: &bytes)
        needsComma = true
    }

    /// Appends a number with its exact digits.
    package mutating func number(_ value: ExactDecimal) {
        separate()
        value.append(to: &bytes)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}

extension JSONWriter {
    package mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        raw((value ? "true" : "false").utf8)
    }

    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        raw { NumberText.append(Int64(value), to: &$0) }
    }

    /// Appends a number as a string, because doubles can't hold it.
    package mutating func member(_ name: String, quoted value: UInt64) {
        self.name(name)
        quoted { NumberText.append(value, to: &$0) }
    }

    /// Appends a date, as `Timestamp` writes it.
    package mutating func member(_ name: String, date: Instant) {
        self.name(name)
        quoted { Timestamp.append(date, to: &$0) }
    }

    package mutating func member(_ name: String, _ value: ExactDecimal) {
        self.name(name)
        number(value)
    }

    package mutating func member(_ name: String, _ value: Double) {
        self.name(name)
        number(value)
    }

    package mutating func member(_ name: String, raw json: some Sequence<UInt8>) {
        self.name(name)
        raw(json)
    }

    package mutating func member(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }

    package mutating func list(_ name: String, _ elements: (inout JSONWriter) -> Void) {
        self.name(name)
        array(elements)
    }
}
