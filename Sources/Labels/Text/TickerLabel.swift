// A ticker's label: the text around the one number that moves. The number is found once, when the label is set, and
// never looked for in the service's own output.

/// A label's static text with a place for its number.
public struct TickerLabel: Hashable, Sendable {
    /// The number found in the text; nil: there is none, and the number replaces the whole text.
    public let number: ExactDecimal?
    /// True where the found number has `,` between its groups, which is then kept in the output.
    public let isGrouped: Bool
    /// The text before the number. Valid UTF-8, escaped after `escapedForJSON()`.
    public var prefix: [UInt8]
    /// The text after the number.
    public var suffix: [UInt8]
    /// How the number is written: as it was found (decimals, grouping) until the owner decides otherwise.
    public var plan: NumberPlan
    /// A plural message in place of prefix and suffix.
    var message: PluralMessage?
    /// Whether it is a plural message: then its text depends on the number's form.
    package var isMessage: Bool { message != nil }

    /// Finds a number in `text`: a run of decimal digits of any script with at most one `.` inside, `,` between
    /// groups of exactly three digits, and `-` or U+2212 before it unless a letter or digit stands right before that.
    ///
    /// - Parameters:
    ///   - text: any text; it has no errors.
    ///   - index: which of the text's numbers moves; 0 is the first.
    public init(_ text: String, index: Int = 0) {
        var scanner = NumberScanner(text)
        var found = scanner.next()
        for _ in 0..<Swift.min(max(0, index), text.utf8.count) where found != nil { found = scanner.next() }
        number = found?.value
        isGrouped = found?.isGrouped ?? false
        let utf8 = Array(text.utf8)
        // proven: a number is found within the text that it is cut from.
        prefix = found.map { Array(utf8[..<$0.range.lowerBound]) } ?? []
        suffix = found.map { Array(utf8[$0.range.upperBound...]) } ?? []
        let decimals = found?.value.scale ?? 0
        plan = isGrouped ? .grouped(decimals: decimals) : .plain(decimals: decimals)
    }

    /// A label given in two parts: nothing is looked for in them.
    public init(prefix: String, suffix: String) {
        number = nil
        isGrouped = false
        self.prefix = Array(prefix.utf8)
        self.suffix = Array(suffix.utf8)
        plan = .plain(decimals: 0)
    }

    /// A plural message such as `{n, plural, one {# coin} other {# coins}}`.
    ///
    /// - Parameters:
    ///   - text: the message, with one argument.
    ///   - language: whose plural rules pick the form, a BCP 47 tag.
    /// - Throws: `LabelError` with the byte at fault.
    public init(message text: String, language: String = "en") throws(LabelError) {
        message = try PluralMessage(parsing: text, rule: PluralRule(language: language))
        number = nil
        isGrouped = false
        prefix = []
        suffix = []
        plan = .plain(decimals: 0)
    }

    /// True for a text that `init(message:language:)` is meant for: it has a plural argument.
    public static func isMessage(_ text: String) -> Bool {
        PluralMessage.isMessage(text)
    }

    /// How many numbers a text has: `index` must be smaller.
    public static func numberCount(in text: String) -> Int {
        NumberScanner(text).reduce(0) { count, _ in count + 1 }
    }

    /// The same label with every static part escaped for JSON strings, so that the frame path appends bytes only.
    public func escapedForJSON() -> TickerLabel {
        var label = self
        label.prefix = JSONText.escaped(prefix)
        label.suffix = JSONText.escaped(suffix)
        label.plan = plan.escapedForJSON()
        label.message = message?.escapedForJSON()
        return label
    }

    /// Bytes of its static parts.
    package var byteCount: Int {
        let forms = message?.byteCounts ?? (texts: 0, lists: 0)
        return prefix.count + suffix.count + forms.texts + forms.lists
    }

    /// Bytes of its static parts that it doesn't share with the label it is the escaped form of.
    package func byteCount(beside plain: TickerLabel) -> Int {
        // Escaping makes text longer, or leaves it where it lies.
        func own(_ bytes: Int, _ plain: Int) -> Int { bytes > plain ? bytes : 0 }
        let (forms, plainForms) = (
            message?.byteCounts ?? (texts: 0, lists: 0), plain.message?.byteCounts ?? (texts: 0, lists: 0)
        )
        return own(prefix.count, plain.prefix.count) + own(suffix.count, plain.suffix.count)
            + own(forms.texts, plainForms.texts) + forms.lists
    }

    /// Appends the label with `value` in it.
    public func append(_ value: Double, to bytes: inout [UInt8]) {
        if message != nil {
            message?.append(value, plan, to: &bytes)
            return
        }
        prefix.append(to: &bytes)
        plan.append(value, to: &bytes)
        suffix.append(to: &bytes)
    }

    /// Appends the label with exactly `value` in it.
    public func append(_ value: ExactDecimal, to bytes: inout [UInt8]) {
        if message != nil {
            message?.append(value, plan, to: &bytes)
            return
        }
        prefix.append(to: &bytes)
        plan.append(value, to: &bytes)
        suffix.append(to: &bytes)
    }

    /// The label's text with `value` in it.
    public func text(of value: ExactDecimal) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
