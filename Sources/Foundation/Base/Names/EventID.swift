// A named event's identity, on streams and in what is kept.

/// The identity of a named event: which log it is in, and its place there.
package struct EventID: Hashable, Sendable, CustomStringConvertible {
    package let epoch: String
    package let number: Int64

    package init(epoch: String, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Reads `epoch-number`; nil for anything else.
    package init?(_ text: String) {
        guard let dash = text.lastIndex(of: "-"), let number = Int64(text[text.index(after: dash)...]), number >= 0
        else { return nil }
        epoch = String(text[..<dash])
        self.number = number
    }

    package var description: String { "\(epoch)-\(number)" }
}
