// A number format as a client asks for it. It is only the wish; locale data turns it into a NumberPlan elsewhere.

/// What CLDR and ECMA-402 call a number format, as a value.
public struct NumberFormat: Hashable, Sendable {
    public enum Style: String, Hashable, Sendable, CaseIterable {
        case decimal, currency, percent, unit, compact
    }

    /// When group separators show.
    public enum GroupingUse: String, Hashable, Sendable, CaseIterable {
        /// As the locale has it: Spanish groups from 10 000.
        case auto
        /// Wherever there is a group.
        case always
        /// Only from five digits on.
        case min2
        case never
    }

    /// When a sign shows. Zero never has a minus, so `auto` and `negative` are the same here.
    public enum SignDisplay: String, Hashable, Sendable, CaseIterable {
        case auto, always, never, negative
        case exceptZero = "except-zero"
    }

    public enum CurrencyDisplay: String, Hashable, Sendable, CaseIterable {
        case symbol, code, name
        case narrowSymbol = "narrow-symbol"
    }

    public enum CurrencySign: String, Hashable, Sendable, CaseIterable {
        case standard
        /// Negative amounts in parentheses where the locale does so.
        case accounting
    }

    /// Lengths of unit names and of compact notation.
    public enum Width: String, Hashable, Sendable, CaseIterable {
        case short, long
    }

    /// A BCP 47 language tag, such as `de-CH` or `ar-u-nu-latn`.
    public var locale: String
    public var style: Style
    /// An ISO 4217 code; required by the currency style.
    public var currency: String?
    /// A CLDR unit such as `kilometer-per-hour`; required by the unit style.
    public var unit: String?
    public var grouping = GroupingUse.auto
    public var sign = SignDisplay.auto
    public var currencyDisplay = CurrencyDisplay.symbol
    public var currencySign = CurrencySign.standard
    public var unitDisplay = Width.short
    public var compactDisplay = Width.short
    /// 1...21
    public var minimumIntegerDigits: Int?
    /// 0...20
    public var minimumDecimals: Int?
    /// 0...20
    public var maximumDecimals: Int?
    public var rounding = RoundingRule.halfExpand

    public init(locale: String = "en-US", style: Style = .decimal, currency: String? = nil, unit: String? = nil) {
        self.locale = locale
        self.style = style
        self.currency = currency
        self.unit = unit
    }

    /// The decimals that a target written with `scale` decimals asks for: a decimal or a unit shows what was written,
    /// a percentage two less, and money and compact numbers what their locale data says (nil).
    public func decimals(inferredFrom scale: Int) -> Int? {
        switch style {
        case .decimal, .unit: scale
        case .percent: max(0, scale - 2)
        case .currency, .compact: nil
        }
    }
}

/// Why a format was refused: the field, by its name in the contract, and a sentence.
public struct NumberFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Field: String, Hashable, Sendable {
        case locale, currency, unit, minimumIntegerDigits, minimumDecimals, maximumDecimals
    }

    public let field: Field
    public let reason: String

    public init(_ field: Field, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    public var description: String { "\(field.rawValue): \(reason)" }
}
