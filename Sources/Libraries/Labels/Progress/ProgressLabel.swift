// A progress label: a template with named placeholders, parsed once. Frames only append bytes.

/// A template such as `"{value} of {maximum}"`.
///
/// Placeholders: `{current}` or `{value}` (the shown value), `{target}` (where it moves), `{maximum}`, `{percent}` (an
/// integer), `{fraction}` (two decimals, truncated), `{bar}` (ten columns of block characters), `{elapsed}`, `{rate}` (per
/// second), and the remaining time as `{eta}` (`5:09`), `{remaining}` (`5 min 9 s`) or `{words}` (`5 minutes, 9 seconds`).
/// Unknown values, such as the percent without a maximum, are written as `–`. `{{` and `}}` are literal braces; a single brace
/// and an unknown name are errors.
public struct ProgressLabel: Hashable, Sendable {
    /// The values of a frame.
    public struct Values: Hashable, Sendable {
        /// The shown, moving value.
        public var value: Double
        /// The exact value, set when nothing moves; then it is written instead.
        public var exactCurrent: ExactDecimal?
        /// The target of the value; nil when nothing moves.
        public var target: ExactDecimal?
        /// The target as a percentage of the maximum, with the decimals that the label shows.
        package var targetPercent: Double?
        /// The maximum; nil if indeterminate.
        public var maximum: ExactDecimal?
        /// The shown maximum while it moves to `maximum`; nil for `maximum` itself.
        public var maximumOnTheWay: Double?
        /// The percentage, see `ProgressMath`; nil if indeterminate.
        public var percent: Int?
        /// The percentage with the decimals that the label shows, truncated; nil for `percent`.
        public var percentWithDecimals: Double?
        /// value / maximum; nil if indeterminate.
        public var fraction: Double?
        /// Seconds since the start.
        public var elapsed: Double?
        /// Units per second.
        public var rate: Double?
        /// Seconds left.
        public var eta: Double?

        /// Creates the values of a frame; omitted ones are unknown.
        public init(
            value: Double, exactCurrent: ExactDecimal? = nil, maximum: ExactDecimal? = nil, percent: Int? = nil,
            fraction: Double? = nil, elapsed: Double? = nil, rate: Double? = nil, eta: Double? = nil
        ) {
            self.value = value
            self.exactCurrent = exactCurrent
            self.maximum = maximum
            self.percent = percent
            self.fraction = fraction
            self.elapsed = elapsed
            self.rate = rate
            self.eta = eta
        }
    }

    /// The names allowed in braces.
    public enum Placeholder: String, Hashable, Sendable, CaseIterable {
        /// The shown value; `{current}` is the same.
        case value
        /// Where the value moves, or rests.
        case target
        /// The maximum.
        case maximum
        /// An integer, truncated.
        case percent
        /// Two decimals, truncated.
        case fraction
        /// The fraction as ten columns of block characters.
        case bar
        /// The time since the start.
        case elapsed
        /// Units per second.
        case rate
        /// The remaining time as a clock.
        case eta
        /// The remaining time: `5 min 9 s`.
        case remaining
        /// The remaining time: `5 minutes, 9 seconds`.
        case words
    }

    /// How `{value}` and `{target}` are written.
    public var plan = NumberPlan.plain(decimals: 0)
    /// How `{maximum}` is written.
    public var maximumPlan = NumberPlan.plain(decimals: 0)
    /// How `{percent}` is written.
    package var percentStyle = PercentStyle.whole
    /// Whether `{percent}` is written with its sign, since the template has none.
    package var signsPercent = false
    /// Whether `{value}`, `{target}` and `{maximum}` are written as percentages of the maximum.
    package var showsShare = false
    /// How `{elapsed}` and `{eta}` are written.
    public var timeStyle = TimeSpan.Style.clock
    /// The words of times, and the digits of clocks.
    public var timeWords = TimeWords.english
    var template: Template<Placeholder>

    /// `"{percent}%"`
    public static let standard = ProgressLabel(Template([(.percent, "%")]))

    /// A percentage with its style's sign.
    package static let signedPercent: ProgressLabel = {
        var label = ProgressLabel(Template([(.percent, "")]))
        label.signsPercent = true
        return label
    }()

    /// Returns the label, in words, of a progress without a maximum.
    package static func indeterminate(in words: TimeWords) -> ProgressLabel {
        ProgressLabel(Template([(nil, words.phrases.working)]))
    }

    /// Parses a template.
    public init(parsing template: String) throws(LabelError) {
        self.init(try Template(parsing: template))
    }

    private init(_ template: Template<Placeholder>) {
        self.template = template
    }

    /// Whether the text changes with time alone, so that it needs frames while nothing moves.
    public var followsTime: Bool {
        contains(.elapsed) || showsPace
    }

    /// Whether it shows the rate or the remaining time.
    package var showsPace: Bool { contains(.rate) || showsTimeLeft }

    private var showsTimeLeft: Bool { contains(.eta) || contains(.remaining) || contains(.words) }

    /// Whether it shows anything that is unknown without a maximum.
    package var needsMaximum: Bool {
        contains(.percent) || contains(.fraction) || contains(.bar) || contains(.maximum) || showsTimeLeft
            || showsShare && (contains(.value) || contains(.target))
    }

    /// Returns whether the template has this placeholder.
    public func contains(_ placeholder: Placeholder) -> Bool {
        template.contains(placeholder)
    }

    /// Bytes of its static text and its pieces.
    package var byteCount: Int { template.byteCount }

    /// Returns the label with its static text escaped for JSON strings.
    package func escapedForJSON() -> ProgressLabel {
        var label = self
        label.plan = plan.escapedForJSON()
        label.maximumPlan = maximumPlan.escapedForJSON()
        label.percentStyle = percentStyle.escapedForJSON()
        label.template = template.escapedForJSON()
        return label
    }

    /// A piece of the label.
    package enum Piece {
        case text([UInt8])
        case placeholder(Placeholder)
    }

    /// The label's pieces from left to right.
    package var pieces: [Piece] {
        template.pieces.map { piece in
            switch piece {
            // proven: pieces are ranges of their own literals.
            case .text(let start, let end): .text(Array(template.literals[start..<end]))
            case .placeholder(let placeholder): .placeholder(placeholder)
            }
        }
    }

    /// Returns how a number that follows the value or the maximum is written (percentages as percent). Nil for the target
    /// and for anything that follows time.
    package func writing(of placeholder: Placeholder) -> NumberPlan? {
        switch placeholder {
        case .value: showsShare ? percentStyle.signed : plan
        case .maximum: maximumPlan
        case .percent: signsPercent ? percentStyle.signed : percentStyle.number
        case .fraction: fractionPlan
        case .target, .bar, .elapsed, .rate, .eta, .remaining, .words: nil
        }
    }

    /// Returns how the value, or an integer that follows it, is written. Nil for anything constant or dependent on time, and
    /// for percentages with decimals.
    package func plan(of placeholder: Placeholder) -> NumberPlan? {
        switch placeholder {
        case .value: showsShare ? nil : plan
        case .percent:
            percentStyle.decimals > 0 ? nil : signsPercent ? percentStyle.signed : percentStyle.number
        case .fraction: fractionPlan
        case .target, .maximum, .bar, .elapsed, .rate, .eta, .remaining, .words: nil
        }
    }

    /// Appends the label with these values.
    public func append(_ values: Values, to bytes: inout [UInt8]) {
        for index in template.pieces.indices {
            switch template.pieces[index] {
            case .text(let start, let end): template.appendText(start, end, to: &bytes)
            case .placeholder(let placeholder): append(placeholder, values, to: &bytes)
            }
        }
    }

    /// Returns the label's text with these values.
    public func text(of values: Values) -> String {
        var bytes: [UInt8] = []
        append(values, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the label's text when nothing moves: the percentage is exact, and 100 only when it is done.
    ///
    /// - Parameters:
    ///   - current: the completed amount.
    ///   - maximum: the total amount, over 0; nil if unknown.
    ///   - elapsed: seconds since the start.
    ///   - rate: units per second.
    ///   - eta: seconds left.
    public func text(
        current: ExactDecimal, of maximum: ExactDecimal?, elapsed: Double? = nil, rate: Double? = nil,
        eta: Double? = nil
    ) -> String {
        text(
            of: Values(
                value: current.double, exactCurrent: current, maximum: maximum,
                percent: maximum.map { ProgressMath.percent(current: current, maximum: $0) },
                fraction: maximum.map { $0.coefficient > 0 ? current.double / $0.double : 0 }, elapsed: elapsed,
                rate: rate, eta: eta))
    }

    /// Like ``text(current:of:elapsed:rate:eta:)-(ExactDecimal,_,_,_,_)``, for integers.
    public func text(
        current: Int, of maximum: Int?, elapsed: Double? = nil, rate: Double? = nil, eta: Double? = nil
    ) -> String {
        text(
            current: ExactDecimal(current), of: maximum.map { ExactDecimal($0) }, elapsed: elapsed, rate: rate,
            eta: eta)
    }

    private func append(_ placeholder: Placeholder, _ values: Values, to bytes: inout [UInt8]) {
        switch placeholder {
        case .value: return appendValue(values, to: &bytes)
        case .target: return appendTarget(values, to: &bytes)
        case .maximum:
            if showsShare, values.maximum != nil { return percentStyle.signed.append(100, to: &bytes) }
            if let maximum = values.maximumOnTheWay { return maximumPlan.append(maximum, to: &bytes) }
            if let maximum = values.maximum { return maximumPlan.append(maximum, to: &bytes) }
        case .percent:
            if let percent = values.shownPercent {
                return (signsPercent ? percentStyle.signed : percentStyle.number).append(percent, to: &bytes)
            }
        case .fraction:
            if let fraction = values.fraction { return fractionPlan.append(fraction, to: &bytes) }
        case .bar:
            if let fraction = values.fraction {
                return bytes.append(contentsOf: TextBar.ofLabels.text(of: fraction).utf8)
            }
        case .elapsed:
            if let elapsed = values.elapsed {
                return TimeSpan(elapsed: elapsed).append(timeStyle, in: timeWords, to: &bytes)
            }
        case .rate:
            if let rate = values.rate { return plan(forRate: rate).append(rate, to: &bytes) }
        case .eta: return appendTimeLeft(values, timeStyle, to: &bytes)
        case .remaining: return appendTimeLeft(values, .units, to: &bytes)
        case .words: return appendTimeLeft(values, .words, to: &bytes)
        }
        bytes.append(contentsOf: Self.unknown)
    }

    private func appendValue(_ values: Values, to bytes: inout [UInt8]) {
        if showsShare {
            guard let percent = values.shownPercent else { return bytes.append(contentsOf: Self.unknown) }
            percentStyle.signed.append(percent, to: &bytes)
        } else if let exact = values.exactCurrent {
            plan.append(exact, to: &bytes)
        } else {
            plan.append(values.value, to: &bytes)
        }
    }

    /// Returns what `{target}` shows while the value moves there.
    /// - Parameter percent: Of the maximum; nil if unknown.
    package func writtenTarget(_ target: ExactDecimal, percent: Double?) -> [UInt8] {
        var values = Values(value: target.double)
        (values.target, values.targetPercent) = (target, percent)
        var bytes: [UInt8] = []
        appendTarget(values, to: &bytes)
        return bytes
    }

    private func appendTarget(_ values: Values, to bytes: inout [UInt8]) {
        guard let target = values.target else { return appendValue(values, to: &bytes) }
        guard showsShare else { return plan.append(target, to: &bytes) }
        guard let percent = values.targetPercent else { return bytes.append(contentsOf: Self.unknown) }
        percentStyle.signed.append(percent, to: &bytes)
    }

    private func appendTimeLeft(_ values: Values, _ style: TimeSpan.Style, to bytes: inout [UInt8]) {
        guard let eta = values.eta else { return bytes.append(contentsOf: Self.unknown) }
        TimeSpan(remaining: eta).append(style, in: timeWords, to: &bytes)
    }

    /// Returns the plan for a rate. Rates below ten have one decimal; 9.96 counts as ten, since it would be shown as that.
    func plan(forRate rate: Double) -> NumberPlan { inLocale(rate < 9.95 ? Self.tenths : Self.whole) }

    private var fractionPlan: NumberPlan { inLocale(Self.hundredths) }

    /// Returns a plan with the digits, separators and minus of percentages.
    private func inLocale(_ plan: NumberPlan) -> NumberPlan {
        guard percentStyle !== PercentStyle.whole else { return plan }
        var written = plan
        written.digits = percentStyle.number.digits
        written.decimalSeparator = percentStyle.number.decimalSeparator
        written.affixes = percentStyle.number.affixes
        return written
    }

    /// Shown for unknown values.
    package static let unknown = Array("–".utf8)
    private static let whole = NumberPlan.plain(decimals: 0)
    private static let tenths = NumberPlan.plain(decimals: 1)
    private static let hundredths: NumberPlan = {
        var plan = NumberPlan.plain(decimals: 2)
        plan.rounding = .trunc
        return plan
    }()
}

extension ProgressLabel.Values {
    /// The percentage with the shown digits.
    package var shownPercent: Double? { percentWithDecimals ?? percent.map(Double.init) }
}

extension ProgressLabel.Placeholder: TemplatePlaceholder {
    static func read(_ text: String, at brace: Int) throws(LabelError) -> Self {
        try named(text == "current" ? Self.value.rawValue : text, at: brace)
    }
}
