// Templates of progress labels: `{percent}%`, `{current} of {maximum}`.

/// A template that can't be read.
public struct LabelError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

/// A progress label cut into text and placeholders.
public struct ProgressLabel: Hashable, Sendable {
    /// What the placeholders show.
    public struct Values: Sendable {
        /// The value shown.
        public var value: Double
        /// The same at rest, exactly.
        public var exactCurrent: ExactDecimal?
        /// Nil while indeterminate.
        public var maximum: ExactDecimal?
        public var percent: Int?
        public var fraction: Double?
        /// Seconds since the motion began.
        public var elapsed = 0.0

        public init(value: Double) {
            self.value = value
        }
    }

    private enum Placeholder: String, Hashable {
        case value, current, maximum, percent, fraction, elapsed, rate, eta
    }

    private enum Part: Hashable {
        case text([UInt8])
        case placeholder(Placeholder)
    }

    private var parts: [Part] = []

    /// Braces that hold no known name are text; `{{` and `}}` are single braces.
    public init(parsing text: String) throws(LabelError) {
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == rest.first, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
                literal.append(rest.removeFirst())
            } else if byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) {
                let name = String(decoding: rest[..<end], as: UTF8.self)
                guard let placeholder = Placeholder(rawValue: name) else {
                    throw LabelError(description: "there is no placeholder {\(name)}; write {{ for a brace")
                }
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal.removeAll()
                parts.append(.placeholder(placeholder))
                rest = rest[(end + 1)...]
            } else {
                literal.append(byte)
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
    }

    /// The same template with its text escaped for a JSON string.
    public func escapedForJSON() -> ProgressLabel {
        var label = self
        label.parts = parts.map { part in
            guard case .text(let text) = part else { return part }
            var escaped: [UInt8] = []
            JSONText.appendEscaped(text, to: &escaped)
            return .text(escaped)
        }
        return label
    }

    /// Appends the text.
    public func append(_ values: Values, to bytes: inout [UInt8]) {
        for part in parts {
            switch part {
            case .text(let text): bytes.append(contentsOf: text)
            case .placeholder(let placeholder): append(placeholder, values, to: &bytes)
            }
        }
    }

    private func append(_ placeholder: Placeholder, _ values: Values, to bytes: inout [UInt8]) {
        switch placeholder {
        case .value, .current: append(values.exactCurrent, values.value, to: &bytes)
        case .maximum: values.maximum?.append(to: &bytes)
        case .percent:
            if let percent = values.percent { NumberPlan.plain(decimals: 0).append(ExactDecimal(integerLiteral: percent), to: &bytes) }
        case .fraction: if let fraction = values.fraction { NumberPlan.plain(decimals: 2).append(fraction, to: &bytes) }
        case .elapsed: bytes.append(contentsOf: TimeSpan(seconds: Int64(values.elapsed)).clock.utf8)
        case .rate, .eta: bytes.append(contentsOf: "\u{2013}".utf8)
        }
    }

    private func append(_ exact: ExactDecimal?, _ value: Double, to bytes: inout [UInt8]) {
        if let exact {
            exact.append(to: &bytes)
        } else {
            NumberPlan.plain(decimals: 0).append(value.rounded(.towardZero), to: &bytes)
        }
    }
}
