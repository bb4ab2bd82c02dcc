// A schedule's label: the time until an event, in seconds, not dates.

/// The text of a countdown.
///
/// Placeholders: `{clock}` (`1:05:09`), `{remaining}` (`1 h 5 min`), `{words}` (`1 hour, 5 minutes`), `{total}` (all
/// seconds), and counts: `{days}` `{hours}` `{minutes}` `{seconds}`. Each includes larger units that the label doesn't show:
/// `{hours} h {minutes} min` of two days is `48 h 0 min`. `{minutes:02}` adds zeros, and `{days, plural, one {# day} other
/// {# days}}` picks words.
///
/// A label without placeholders keeps its text. Numbers next to units of time (`3 days left`, `2 h 30 min`) count those
/// units, and a clock (`0:00:00`) stays one. Otherwise its first number becomes the seconds left; without a number, the
/// clock follows the text.
public struct CountdownLabel: Hashable, Sendable {
    /// The names allowed in braces.
    public enum Placeholder: String, Hashable, Sendable, CaseIterable {
        /// `1:05:09`
        case clock
        /// `1 h 5 min`
        case remaining
        /// `1 hour, 5 minutes`
        case words
        /// All seconds.
        case total
        /// Days.
        case days
        /// Hours: without whole days if the label shows days, else all.
        case hours
        /// Minutes, in the same way.
        case minutes
        /// Seconds, in the same way.
        case seconds
    }

    /// The words for counts and units. Setting them also sets the label's own language: its units are recognised, and its
    /// messages use its plural rules.
    public var words: TimeWords {
        get { shown }
        set {
            shown = newValue
            guard newValue != language else { return }
            language = newValue
            read()
        }
    }

    /// Why its text can't be a countdown although it is readable: it counts an unsupported unit.
    package private(set) var refusal: LabelError?

    /// The text of a label without placeholders, else nil.
    private var plainText: String?
    private var template: Template<CountdownField>
    /// Its own language.
    private var language = TimeWords.english
    /// The language in which it is shown.
    private var shown = TimeWords.english

    /// Only the clock.
    public static let standard = CountdownLabel(Template([(.time(.clock), "")]))

    /// Parses a label.
    public init(parsing text: String) throws(LabelError) {
        guard !text.isEmpty else {
            self = .standard
            return
        }
        self.init(try Template(parsing: text))
        if !template.hasPlaceholders {
            plainText = String(decoding: template.literals, as: UTF8.self)
            read()
        }
    }

    private init(_ template: Template<CountdownField>) {
        self.template = template
    }

    /// Parses what depends on its language.
    private mutating func read() {
        if let plainText {
            (template, refusal) = WrittenTimes.read(plainText, in: language)
        } else {
            let rule = language.locale.isEmpty ? "en" : language.locale
            template = template.mapped { $0.speaking(rule) }
        }
    }

    /// Returns the label with numbers and times for a reader's language, and words in its own.
    package func shown(in words: TimeWords) -> CountdownLabel {
        var label = self
        label.shown = words
        return label
    }

    /// Bytes of its static text and its pieces.
    package var byteCount: Int { template.byteCount + (plainText?.utf8.count ?? 0) }

    /// Returns the label with its static text escaped for JSON strings.
    package func escapedForJSON() -> CountdownLabel {
        var label = self
        label.template = template.mapped(text: JSONText.escaped) { $0.escapedForJSON() }
        return label
    }

    /// Appends the label with the remaining time.
    public func append(_ span: TimeSpan, to bytes: inout [UInt8]) {
        for index in template.pieces.indices {
            switch template.pieces[index] {
            case .text(let start, let end): template.appendText(start, end, to: &bytes)
            case .placeholder(let field): append(field, span, to: &bytes)
            }
        }
    }

    /// Returns the label's text with the remaining time.
    public func text(of span: TimeSpan) -> String {
        var bytes: [UInt8] = []
        append(span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ field: CountdownField, _ span: TimeSpan, to bytes: inout [UInt8]) {
        switch field {
        case .time(let style): span.append(style, in: shown, to: &bytes)
        case .count(let unit, let digits):
            var plan = shown.number
            plan.minimumIntegerDigits = digits
            plan.append(Double(count(of: unit, in: span)), to: &bytes)
        case .message(let unit, _, let message):
            message.append(Double(count(of: unit, in: span)), shown.number, to: &bytes)
        case .written(let unit, let written): written.append(count(of: unit, in: span), shown.number, to: &bytes)
        case .clock(var plan):
            plan.digits = shown.number.digits
            plan.append(Double(span.totalSeconds), to: &bytes)
        }
    }

    /// Returns the whole units that no larger unit in the label shows.
    private func count(of unit: CountdownUnit?, in span: TimeSpan) -> Int {
        guard let unit else { return span.totalSeconds }
        let larger = CountdownUnit.allCases.first { $0.rawValue > unit.rawValue && shows($0) }
        return (larger.map { span.totalSeconds % $0.rawValue } ?? span.totalSeconds) / unit.rawValue
    }

    private func shows(_ unit: CountdownUnit) -> Bool {
        template.pieces.contains { piece in
            if case .placeholder(let field) = piece { field.unit == unit } else { false }
        }
    }
}
