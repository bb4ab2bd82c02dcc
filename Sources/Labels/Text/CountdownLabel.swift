// A schedule's label: how long it is until something happens. It knows seconds, not dates.

/// The text of a countdown.
///
/// Placeholders: `{clock}` (`1:05:09`), `{remaining}` (`1 h 5 min`), `{words}` (`1 hour, 5 minutes`), `{total}` (all
/// seconds), and `{days}` `{hours}` `{minutes}` `{seconds}` (the parts). A label without any keeps its text: its first
/// number becomes the seconds that are left, and where it has none the clock follows it.
public struct CountdownLabel: Hashable, Sendable {
    /// The names that may stand in braces.
    public enum Placeholder: String, Hashable, Sendable, CaseIterable {
        /// `1:05:09`
        case clock
        /// `1 h 5 min`
        case remaining
        /// `1 hour, 5 minutes`
        case words
        /// All seconds.
        case total
        /// Whole days.
        case days
        /// Hours of the day, 0...23.
        case hours
        /// Minutes of the hour, 0...59.
        case minutes
        /// Seconds of the minute, 0...59.
        case seconds
    }

    /// How counts and units are written.
    public var words = TimeWords.english
    private var template: Template<Placeholder>

    /// The clock alone.
    public static let standard = CountdownLabel(Template([(.clock, "")]))

    /// Takes a label apart.
    public init(parsing text: String) throws(LabelError) {
        let template = try Template<Placeholder>(parsing: text)
        if Placeholder.allCases.contains(where: template.contains) || text.isEmpty {
            self.init(text.isEmpty ? Self.standard.template : template)
            return
        }
        let label = TickerLabel(text)
        if label.number == nil {
            self.init(Template([(nil, text + " "), (.clock, "")]))
        } else {
            let prefix = String(decoding: label.prefix + label.style.symbol, as: UTF8.self)
            self.init(Template([(nil, prefix), (.total, String(decoding: label.suffix, as: UTF8.self))]))
        }
    }

    private init(_ template: Template<Placeholder>) {
        self.template = template
    }

    /// Bytes of its static text and its pieces.
    package var byteCount: Int { template.byteCount }

    /// The same label with its static text escaped for JSON strings.
    package func escapedForJSON() -> CountdownLabel {
        var label = self
        label.template = template.escapedForJSON()
        return label
    }

    /// Appends the label with what is left.
    public func append(_ span: TimeSpan, to bytes: inout [UInt8]) {
        for index in template.pieces.indices {
            switch template.pieces[index] {
            case .text(let start, let end): template.appendText(start, end, to: &bytes)
            case .placeholder(let placeholder): append(placeholder, span, to: &bytes)
            }
        }
    }

    /// The label's text with what is left.
    public func text(of span: TimeSpan) -> String {
        var bytes: [UInt8] = []
        append(span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ placeholder: Placeholder, _ span: TimeSpan, to bytes: inout [UInt8]) {
        switch placeholder {
        case .clock: span.append(.clock, in: words, to: &bytes)
        case .remaining: span.append(.units, in: words, to: &bytes)
        case .words: span.append(.words, in: words, to: &bytes)
        case .total: words.number.append(Double(span.totalSeconds), to: &bytes)
        case .days: words.number.append(Double(span.days), to: &bytes)
        case .hours: words.number.append(Double(span.hours), to: &bytes)
        case .minutes: words.number.append(Double(span.minutes), to: &bytes)
        case .seconds: words.number.append(Double(span.seconds), to: &bytes)
        }
    }
}
