// A progress label: a template with named placeholders, taken apart once. Frames append bytes only.

/// A template such as `"{value} of {maximum}"`.
///
/// Placeholders: `{value}` (the value shown), `{current}` (where it goes), `{maximum}`, `{percent}` (an integer), `{fraction}`
/// (two decimals, truncated), `{elapsed}`, `{rate}` (per second), and the time left as `{eta}` (`5:09`), `{remaining}`
/// (`5 min 9 s`) or `{words}` (`5 minutes, 9 seconds`). What isn't known, such as the percent without a maximum, is
/// written as `–`. `{{` and `}}` are literal braces; a brace without its partner and an unknown name are errors.
public struct ProgressLabel: Hashable, Sendable {
    /// What a frame shows.
    public struct Values: Hashable, Sendable {
        /// The value shown on the way.
        public var value: Double
        /// The exact value, set when nothing moves: then it is what is written.
        public var exactCurrent: ExactDecimal?
        /// Where the value goes; nil: nothing moves, and it is there.
        public var target: ExactDecimal?
        /// That as a percentage of the maximum, with the decimals that the label shows.
        package var targetPercent: Double?
        /// Nil: indeterminate.
        public var maximum: ExactDecimal?
        /// The maximum shown while it changes to `maximum`; nil: `maximum` itself.
        public var maximumOnTheWay: Double?
        /// See `ProgressMath`; nil when indeterminate.
        public var percent: Int?
        /// The percent with the decimals that the label shows, truncated; nil: `percent`.
        public var percentWithDecimals: Double?
        /// value / maximum; nil when indeterminate.
        public var fraction: Double?
        /// Seconds since the start.
        public var elapsed: Double?
        /// Units per second.
        public var rate: Double?
        /// Seconds left.
        public var eta: Double?

        /// What a frame shows; what isn't given isn't known.
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

    /// The names that may stand in braces.
    public enum Placeholder: String, Hashable, Sendable, CaseIterable {
        /// The value shown.
        case value
        /// Where it goes.
        case current
        /// The maximum.
        case maximum
        /// A whole number, truncated.
        case percent
        /// Two decimals, truncated.
        case fraction
        /// The time since the start.
        case elapsed
        /// Units per second.
        case rate
        /// The time left, as a clock.
        case eta
        /// The time left: `5 min 9 s`.
        case remaining
        /// The time left: `5 minutes, 9 seconds`.
        case words
    }

    /// How `{value}` and `{current}` are written.
    public var plan = NumberPlan.plain(decimals: 0)
    /// How `{maximum}` is written.
    public var maximumPlan = NumberPlan.plain(decimals: 0)
    /// How `{percent}` is written.
    package var percentStyle = PercentStyle.whole
    /// `{percent}` has its sign: the template has none.
    package var signsPercent = false
    /// `{value}`, `{current}` and `{maximum}` are written as percentages of the maximum.
    package var showsShare = false
    /// How `{elapsed}` and `{eta}` are written.
    public var timeStyle = TimeSpan.Style.clock
    /// The words of times, and the digits of clocks.
    public var timeWords = TimeWords.english
    var template: Template<Placeholder>

    /// `"{percent}%"`
    public static let standard = ProgressLabel(Template([(.percent, "%")]))

    /// A percentage with the sign that its style has.
    package static let signedPercent: ProgressLabel = {
        var label = ProgressLabel(Template([(.percent, "")]))
        label.signsPercent = true
        return label
    }()

    /// What a progress without a known maximum shows, in words.
    package static func indeterminate(in words: TimeWords) -> ProgressLabel {
        ProgressLabel(Template([(nil, words.phrases.working)]))
    }

    /// Takes a template apart.
    public init(parsing template: String) throws(LabelError) {
        self.init(try Template(parsing: template))
    }

    private init(_ template: Template<Placeholder>) {
        self.template = template
    }

    /// True where the text changes with time alone: it then needs frames while nothing moves.
    public var followsTime: Bool {
        contains(.elapsed) || showsPace
    }

    /// Whether it shows how fast it goes, or how long it will take.
    package var showsPace: Bool { contains(.rate) || showsTimeLeft }

    private var showsTimeLeft: Bool { contains(.eta) || contains(.remaining) || contains(.words) }

    /// Whether it shows something that nobody knows without a maximum.
    package var needsMaximum: Bool {
        contains(.percent) || contains(.fraction) || contains(.maximum) || showsTimeLeft
            || showsShare && (contains(.value) || contains(.current))
    }

    /// Whether the template has this placeholder.
    public func contains(_ placeholder: Placeholder) -> Bool {
        template.contains(placeholder)
    }

    /// Bytes of its static text and its pieces.
    package var byteCount: Int { template.byteCount }

    /// The same label with its static text escaped for JSON strings.
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

    /// The label from left to right.
    package var pieces: [Piece] {
        template.pieces.map { piece in
            switch piece {
            // proven: pieces are ranges of their own literals.
            case .text(let start, let end): .text(Array(template.literals[start..<end]))
            case .placeholder(let placeholder): .placeholder(placeholder)
            }
        }
    }

    /// How a number that follows the value or the maximum is written, one of percents as percents; nil for what follows time,
    /// and for where the value goes.
    package func writing(of placeholder: Placeholder) -> NumberPlan? {
        switch placeholder {
        case .value: showsShare ? percentStyle.signed : plan
        case .maximum: maximumPlan
        case .percent: signsPercent ? percentStyle.signed : percentStyle.number
        case .fraction: fractionPlan
        case .current, .elapsed, .rate, .eta, .remaining, .words: nil
        }
    }

    /// How a whole number that follows the value is written, or the value itself; nil for what follows time, for what
    /// stands still, and for percentages with decimals.
    package func plan(of placeholder: Placeholder) -> NumberPlan? {
        switch placeholder {
        case .value: showsShare ? nil : plan
        case .percent:
            percentStyle.decimals > 0 ? nil : signsPercent ? percentStyle.signed : percentStyle.number
        case .fraction: fractionPlan
        case .current, .maximum, .elapsed, .rate, .eta, .remaining, .words: nil
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

    /// The label's text with these values.
    public func text(of values: Values) -> String {
        var bytes: [UInt8] = []
        append(values, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The label's text where nothing moves: the percentage is exact, and 100 only when it is done.
    ///
    /// - Parameters:
    ///   - current: how much is done.
    ///   - maximum: how much there is to do, over 0; nil: nobody knows.
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

    /// As ``text(current:of:elapsed:rate:eta:)-(ExactDecimal,_,_,_,_)``, for whole numbers.
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
        case .current: return appendTarget(values, to: &bytes)
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

    /// What `{current}` shows while the value goes there.
    /// - Parameter percent: Of the maximum; nil where it is unknown.
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

    /// Rates below ten have one decimal; 9.96 counts as ten, since that is what it would show.
    func plan(forRate rate: Double) -> NumberPlan { inLocale(rate < 9.95 ? Self.tenths : Self.whole) }

    private var fractionPlan: NumberPlan { inLocale(Self.hundredths) }

    /// A plan with the digits, the separators and the minus that percentages have.
    private func inLocale(_ plan: NumberPlan) -> NumberPlan {
        guard percentStyle !== PercentStyle.whole else { return plan }
        var written = plan
        written.digits = percentStyle.number.digits
        written.decimalSeparator = percentStyle.number.decimalSeparator
        written.affixes = percentStyle.number.affixes
        return written
    }

    /// Stands for what isn't known.
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
    /// The percent with the digits that are shown.
    package var shownPercent: Double? { percentWithDecimals ?? percent.map(Double.init) }
}

extension ProgressLabel.Placeholder: TemplatePlaceholder {}
