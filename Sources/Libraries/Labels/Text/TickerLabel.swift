// A ticker's label: the text around its moving number. The number is found once, when the label is set, and never searched
// for in the service's own output.

/// A label's static text with a place for its number.
public struct TickerLabel: Hashable, Sendable {
    /// The number found in the text; nil if there is none, and the number replaces the whole text.
    public internal(set) var number: ExactDecimal?
    /// The text before the number. Valid UTF-8, escaped after `escapedForJSON()`.
    public var prefix: [UInt8]
    /// The text after the number.
    public var suffix: [UInt8]
    /// How the number is written: by default as it was found. A currency symbol or percent sign before the found number
    /// stays, unless the plan has its own currency or unit.
    public var plan: NumberPlan {
        didSet { if style !== WrittenStyle.plain { plan = style.completing(plan) } }
    }
    /// A plural message instead of prefix and suffix.
    var message: PluralMessage?
    /// Whether it is a plural message, so that its text depends on the number's form.
    package var isMessage: Bool { message != nil }
    /// The rule by which a message's words depend on a count; nil if they don't, and for other labels.
    package var messageRule: PluralRule? { message?.isCardinal == true ? message?.rule : nil }
    /// What a message subtracts from its number for `#` and for its category.
    package var messageOffset: UInt64 { message?.offset ?? 0 }
    /// A language with the rule for a message's ordinals; nil if it has none.
    package var messageOrdinals: String? { message?.ordinal?.language }
    /// A message's forms by name (see ``PluralMessage/named``): the texts around the numbers, and for each number whether
    /// the offset is subtracted. Empty for other labels.
    package var messageForms: [(name: String, texts: [[UInt8]], shifts: [Bool])] {
        message?.named.map { ($0.name, $0.form.texts, $0.form.shifts) } ?? []
    }

    /// How the found number was written, which applies to others in its place.
    package internal(set) var style = WrittenStyle.plain

    /// Finds a number in `text` and how it is written (digits, separators, leading zeros and sign), and writes others in the
    /// same way.
    ///
    /// - Parameters:
    ///   - text: any text is valid. A number longer than 38 digits counts as text.
    ///   - index: which of the text's numbers moves; 0 is the first.
    public init(_ text: String, index: Int = 0) {
        var scanner = NumberScanner(text)
        var left = index
        var found = scanner.next()
        while let number = found, left > 0 || number.value == nil {
            if number.value != nil { left -= 1 }
            found = scanner.next()
        }
        self.init(text, around: found)
    }

    /// Finds a number in `text` like ``init(_:index:)``, and rejects what can't be read.
    ///
    /// - Parameters:
    ///   - text: a label, with or without a number.
    ///   - index: which of its numbers moves; 0 is the first.
    /// - Throws: `LabelError` for an index that is too high, and for a number of more than 38 digits.
    package init(reading text: String, index: Int) throws(LabelError) { try self.init(text, index, by: nil) }

    /// - Parameter format: What its format writes; nil if it has none.
    init(_ text: String, _ index: Int, by format: FormatAffixes?) throws(LabelError) {
        var scanner = NumberScanner(text, format: format)
        var found = scanner.next()
        var count = found == nil ? 0 : 1
        while count <= index, found != nil {
            found = scanner.next()
            if found != nil { count += 1 }
        }
        guard found != nil || index == 0 else { throw LabelError(.noSuchNumber(count: count), at: text.utf8.count) }
        if let found, found.value == nil { throw LabelError(.tooManyDigits, at: found.range.lowerBound) }
        self.init(text, around: found)
    }

    private init(_ text: String, around found: WrittenNumber?) {
        number = found?.value
        style = found?.style ?? .plain
        prefix = found.map { Array(text.utf8.prefix($0.range.lowerBound)) } ?? []
        suffix = found.map { Array(text.utf8.dropFirst($0.range.upperBound)) } ?? []
        plan = style.plan(decimals: number?.scale ?? 0)
    }

    /// Creates a label from two parts, without searching for numbers.
    public init(prefix: String, suffix: String) {
        number = nil
        self.prefix = Array(prefix.utf8)
        self.suffix = Array(suffix.utf8)
        plan = .plain(decimals: 0)
    }

    /// Creates a text that doesn't depend on the number.
    package init(words: String) {
        message = PluralMessage(words: words)
        number = nil
        prefix = []
        suffix = []
        plan = .plain(decimals: 0)
    }

    /// Creates a message with one argument in ICU's syntax: `{n} left`, `{n, plural, one {# coin} other {# coins}}`, `{n,
    /// selectordinal, one {#st} two {#nd} few {#rd} other {#th}} place`.
    ///
    /// - Parameters:
    ///   - text: the message, with one argument.
    ///   - language: the language whose plural rules pick the form, a BCP 47 tag.
    /// - Throws: `LabelError` with the byte at fault.
    public init(message text: String, language: String = "en") throws(LabelError) {
        message = try PluralMessage(parsing: text, language: language)
        number = nil
        prefix = []
        suffix = []
        plan = .plain(decimals: 0)
    }

    /// Returns whether a text is meant for `init(message:language:)`: it has an argument in braces.
    public static func isMessage(_ text: String) -> Bool {
        PluralMessage.isMessage(text)
    }

    /// Returns whether a text contains a number or is a message of one; otherwise the number replaces the text.
    package static func showsNumber(_ text: String) -> Bool {
        var scanner = NumberScanner(text)
        return scanner.next() != nil || isMessage(text)
    }

    /// Returns how many numbers a text has; `index` must be smaller.
    public static func numberCount(in text: String) -> Int {
        NumberScanner(text).reduce(0) { count, _ in count + 1 }
    }

    /// Returns the label with every static part escaped for JSON strings, so that the frame path only appends bytes.
    package func escapedForJSON() -> TickerLabel {
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
        return prefix.count + suffix.count + forms.texts + forms.lists + style.byteCount
    }

    /// Returns the bytes of its static parts that it doesn't share with the unescaped label.
    package func byteCount(beside plain: TickerLabel) -> Int {
        // Escaping makes text longer, or leaves it shared.
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

    /// Returns the label's text with `value` in it.
    public func text(of value: ExactDecimal) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
