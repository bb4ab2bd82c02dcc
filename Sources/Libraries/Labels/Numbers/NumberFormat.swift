// A number format as requested by a client. Locale data turns it into a NumberPlan elsewhere.

/// A number format in the terms of CLDR and ECMA-402.
public struct NumberFormat: Hashable, Sendable {
    /// What the number represents.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// A plain number.
        case decimal
        /// An amount of money: `1.234,50 €`.
        case currency
        /// A share of one: 0.42 is `42%`.
        case percent
        /// A quantity: `42 km/h`.
        case unit
        /// A plain number in compact notation: `1.2K`, `3 million`.
        case compact
        /// Seconds as a clock: `0:05`, `1:01:01`.
        case clock
        /// Seconds as a clock that always shows hours: `0:00:05`.
        case duration
    }

    /// How large and small numbers are written.
    public enum Notation: String, Hashable, Sendable, CaseIterable {
        /// All digits.
        case standard
        /// A short form: `1.2K`, `$1.2K`. Only for decimals, where it equals the compact style, and for currencies.
        case compact
        /// One digit before the point, and an exponent: `1.234E4`.
        case scientific
        /// Like scientific, with exponents that are multiples of three: `12.34E3`.
        case engineering
    }

    /// What happens to trailing zeros.
    public enum TrailingZeros: String, Hashable, Sendable, CaseIterable {
        /// Kept as the minimum of digits requires.
        case auto
        /// Removed if all decimals are zeros: `$5`, but `$5.50`.
        case stripIfInteger = "strip-if-integer"
    }

    /// When group separators are shown.
    public enum GroupingUse: String, Hashable, Sendable, CaseIterable {
        /// As in the locale: Spanish groups from 10 000.
        case auto
        /// For every group.
        case always
        /// Only from five digits on.
        case min2
        /// Never.
        case never
    }

    /// When a sign is shown. Numbers that round to zero never have a minus, so `auto` and `negative` are equal here, except
    /// in accounting: there `auto` and `always` mark even the smallest debt.
    public enum SignDisplay: String, Hashable, Sendable, CaseIterable {
        /// A minus before negative numbers.
        case auto
        /// Before every number, including zero.
        case always
        /// Never, not even before negative numbers.
        case never
        /// A minus before negative numbers.
        case negative
        /// Before every number except zero.
        case exceptZero = "except-zero"
    }

    /// How a currency is named.
    public enum CurrencyDisplay: String, Hashable, Sendable, CaseIterable {
        /// `US$`, or `$` where that is unambiguous.
        case symbol
        /// `USD`
        case code
        /// `US dollars`, in the plural form of the number.
        case name
        /// `$` for every kind of dollar.
        case narrowSymbol = "narrow-symbol"
    }

    /// How negative amounts are marked.
    public enum CurrencySign: String, Hashable, Sendable, CaseIterable {
        /// A minus.
        case standard
        /// Negative amounts in parentheses, if the locale does so; includes those that round to zero.
        case accounting
    }

    /// Lengths of unit names and of compact notation.
    public enum Width: String, Hashable, Sendable, CaseIterable {
        /// `km/h`, `1.2K`
        case short
        /// `kilometers per hour`, `1.2 thousand`
        case long
    }

    /// A BCP 47 language tag, such as `de-CH` or `ar-u-nu-latn`. Underscores may replace hyphens, as in `de_CH`.
    public var locale: String
    /// What the number represents.
    public var style: Style
    /// An ISO 4217 code; required by the currency style.
    public var currency: String?
    /// A CLDR unit such as `kilometer-per-hour`; required by the unit style.
    public var unit: String?
    /// When group separators are shown.
    public var grouping = GroupingUse.auto
    /// When a sign is shown.
    public var sign = SignDisplay.auto
    /// How the currency is named.
    public var currencyDisplay = CurrencyDisplay.symbol
    /// How negative amounts are marked.
    public var currencySign = CurrencySign.standard
    /// The length of the unit's name.
    public var unitDisplay = Width.short
    /// How large and small numbers are written.
    public var notation = Notation.standard
    /// The length of words in compact notation. With currencies they are always short.
    public var compactDisplay = Width.short
    /// Leading zeros are added up to this many digits before the point, 1...21; nil is 1.
    public var minimumIntegerDigits: Int?
    /// Trailing zeros are kept up to this many decimals, 0...20; nil is the style's default.
    public var minimumDecimals: Int?
    /// The most decimals shown, 0...20; nil is the style's default.
    public var maximumDecimals: Int?
    /// Zeros are added up to this many significant digits, 1...21; nil is 1 if there is a maximum. Significant digits
    /// replace decimals: a format has either.
    public var minimumSignificantDigits: Int?
    /// The most significant digits shown, 1...21, with zeros for the others before the point; nil is 21 if there is a
    /// minimum.
    public var maximumSignificantDigits: Int?
    /// What happens to trailing zeros.
    public var trailingZeros = TrailingZeros.auto
    /// How the last shown digit is rounded.
    public var rounding = RoundingRule.halfExpand

    /// Creates a format. It is only checked when it is compiled.
    public init(locale: String = "en-US", style: Style = .decimal, currency: String? = nil, unit: String? = nil) {
        self.locale = locale
        self.style = style
        self.currency = currency
        self.unit = unit
    }

    /// Returns the decimals for a target written with `scale` decimals: for a decimal or a unit those written, for a
    /// percentage two fewer. For money, compact numbers and exponents the locale data decides (nil).
    public func decimals(inferredFrom scale: Int) -> Int? {
        guard notation == .standard else { return nil }
        return switch style {
        case .decimal, .unit, .clock, .duration: scale
        case .percent: max(2, scale) - 2
        case .currency, .compact: nil
        }
    }

    /// Whether it writes `1.2K`, requested by either of two fields.
    package var isCompact: Bool { style == .compact || notation == .compact }
}

#if !hasFeature(Embedded)
    extension NumberFormat: Codable {}
    extension NumberFormat.Style: Codable {}
    extension NumberFormat.GroupingUse: Codable {}
    extension NumberFormat.SignDisplay: Codable {}
    extension NumberFormat.Notation: Codable {}
    extension NumberFormat.TrailingZeros: Codable {}
    extension NumberFormat.CurrencyDisplay: Codable {}
    extension NumberFormat.CurrencySign: Codable {}
    extension NumberFormat.Width: Codable {}
    extension RoundingRule: Codable {}
#endif

/// Why a format was rejected: the field, by its name in the API, and a sentence.
public struct NumberFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fields that can be rejected.
    public enum Field: String, Hashable, Sendable {
        /// The field with this name.
        case locale, currency, unit, notation, currencyDisplay
        /// The field with this name.
        case minimumIntegerDigits, minimumDecimals, maximumDecimals, minimumSignificantDigits, maximumSignificantDigits
    }

    /// The field at fault.
    public let field: Field
    /// What is wrong with it, as a sentence.
    public let reason: String

    /// Creates an error for a field.
    public init(_ field: Field, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    /// The field and the reason.
    public var description: String { "\(field.rawValue): \(reason)" }
}
