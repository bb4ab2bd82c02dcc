// A label cut around its moving number.

/// Text with one number that moves; all else stays byte for byte.
public struct TickerLabel: Hashable, Sendable {
    /// The number found; nil when there is none: then the number replaces the whole text.
    public let number: ExactDecimal?
    /// Its groups of three digits were separated by `,`.
    public let isGrouped: Bool
    public private(set) var prefix: [UInt8]
    public private(set) var suffix: [UInt8]
    /// How the number is written; set by whoever knows the decimals in force.
    public var plan: NumberPlan

    /// - Parameter index: Which number of the label moves; 0 is the first.
    public init(_ text: String, index: Int = 0) {
        let bytes = Array(text.utf8)
        if let found = NumberScanner.number(index, in: text) {
            number = found.value
            isGrouped = found.isGrouped
            prefix = Array(bytes[..<found.range.lowerBound])
            suffix = Array(bytes[found.range.upperBound...])
        } else {
            number = nil
            isGrouped = false
            prefix = []
            suffix = []
        }
        plan = .plain(decimals: number?.scale ?? 0, grouped: isGrouped)
    }

    /// The same label with its static parts escaped for a JSON string.
    public func escapedForJSON() -> TickerLabel {
        var label = self
        label.prefix.removeAll()
        label.suffix.removeAll()
        JSONText.appendEscaped(prefix, to: &label.prefix)
        JSONText.appendEscaped(suffix, to: &label.suffix)
        return label
    }

    /// Appends the text with a value on its way.
    public func append(_ value: Double, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: prefix)
        plan.append(value, to: &bytes)
        bytes.append(contentsOf: suffix)
    }

    /// Appends the text with an exact value.
    public func append(_ value: ExactDecimal, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: prefix)
        plan.append(value, to: &bytes)
        bytes.append(contentsOf: suffix)
    }

    /// The text with an exact value.
    public func text(of value: ExactDecimal) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
