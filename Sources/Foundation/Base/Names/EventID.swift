// The ID of a named event, on streams and in stores.

/// The ID of a named event: its log's epoch, and its number there.
package struct EventID: Hashable, Sendable, CustomStringConvertible {
    package let epoch: String
    package let number: Int64

    package init(epoch: String, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Parses `epoch-number`; nil for any other text.
    package init?(_ text: String) {
        guard let dash = text.lastIndex(of: "-"), let number = Int64(text[text.index(after: dash)...]), number >= 0
        else { return nil }
        epoch = String(text[..<dash])
        self.number = number
    }

    package var description: String { "\(epoch)-\(number)" }
}
