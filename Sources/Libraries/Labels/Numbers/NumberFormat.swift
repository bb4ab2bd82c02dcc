// A number format as a client asks for it. It is only the wish; locale data turns it into a NumberPlan elsewhere.

/// What CLDR and ECMA-402 call a number format, as a value.
public struct NumberFormat: Hashable, Sendable {
    /// What the number stands for.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// A number alone.
        case decimal
        /// An amount of money: `1.234,50 €`.
        case currency
        /// A share of one: 0.42 is `42%`.
        case percent
        /// A quantity: `42 km/h`.
        case unit
        /// A number alone in compact notation: `1.2K`, `3 million`.
        case compact
        /// Seconds as a clock: `0:05`, `1:01:01`.
        case clock
        /// Seconds as a clock that always has hours: `0:00:05`.
        case duration
    }

    /// How large and small numbers are written.
    public enum Notation: String, Hashable, Sendable, CaseIterable {
        /// All of their digits.
        case standard
        /// A short form: `1.2K`, `$1.2K`. Of decimals, where it is the compact style, and of currencies.
        case compact
        /// One digit before the point, and an exponent: `1.234E4`.
        case scientific
        /// As scientific, with exponents that are multiples of three: `12.34E3`.
        case engineering
    }

    /// What becomes of zeros at the end.
    public enum TrailingZeros: String, Hashable, Sendable, CaseIterable {
        /// As many are kept as the minimum of digits says.
        case auto
        /// None where all digits after the point are zeros: `$5`, but `$5.50`.
        case stripIfInteger = "strip-if-integer"
    }

    /// When group separators show.
    public enum GroupingUse: String, Hashable, Sendable, CaseIterable {
        /// As the locale has it: Spanish groups from 10 000.
        case auto
        /// Wherever there is a group.
        case always
        /// Only from five digits on.
        case min2
        /// Nowhere.
        case never
    }

    /// When a sign shows. What rounds to zero never has a minus, so `auto` and `negative` are the same here, but in
    /// accounting: there `auto` and `always` mark the smallest debt.
    public enum SignDisplay: String, Hashable, Sendable, CaseIterable {
        /// A minus before negative numbers.
        case auto
        /// Before every number, zero included.
        case always
        /// Not even before negative numbers.
        case never
        /// A minus before negative numbers.
        case negative
        /// Before every number but zero.
        case exceptZero = "except-zero"
    }

    /// How a currency is named.
    public enum CurrencyDisplay: String, Hashable, Sendable, CaseIterable {
        /// `US$`, or `$` where that is clear.
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
        /// Negative amounts in parentheses where the locale does so, those that round to zero as well.
        case accounting
    }

    /// Lengths of unit names and of compact notation.
    public enum Width: String, Hashable, Sendable, CaseIterable {
        /// `km/h`, `1.2K`
        case short
        /// `kilometers per hour`, `1.2 thousand`
        case long
    }

    /// A BCP 47 language tag, such as `de-CH` or `ar-u-nu-latn`; underscores do for its hyphens, as in `de_CH`.
    public var locale: String
    /// What the number stands for.
    public var style: Style
    /// An ISO 4217 code; required by the currency style.
    public var currency: String?
    /// A CLDR unit such as `kilometer-per-hour`; required by the unit style.
    public var unit: String?
    /// When group separators show.
    public var grouping = GroupingUse.auto
    /// When a sign shows.
    public var sign = SignDisplay.auto
    /// How the currency is named.
    public var currencyDisplay = CurrencyDisplay.symbol
    /// How negative amounts are marked.
    public var currencySign = CurrencySign.standard
    /// How long the unit's name is.
    public var unitDisplay = Width.short
    /// How large and small numbers are written.
    public var notation = Notation.standard
    /// How long the words of compact notation are. Beside currencies they are short.
    public var compactDisplay = Width.short
    /// Leading zeros fill up to this many digits before the point, 1...21; nil: 1.
    public var minimumIntegerDigits: Int?
    /// Zeros at the end are kept up to this many decimals, 0...20; nil: as the style has it.
    public var minimumDecimals: Int?
    /// The most decimals shown, 0...20; nil: as the style has it.
    public var maximumDecimals: Int?
    /// Zeros fill up to this many digits from the first that isn't zero, 1...21; nil: 1 beside a maximum. Significant
    /// digits stand in place of decimals: a format has either.
    public var minimumSignificantDigits: Int?
    /// The most digits shown from the first that isn't zero, 1...21, zeros in place of the others before the point; nil: 21
    /// beside a minimum.
    public var maximumSignificantDigits: Int?
    /// What becomes of zeros at the end.
    public var trailingZeros = TrailingZeros.auto
    /// How the last digit shown is rounded.
    public var rounding = RoundingRule.halfExpand

    /// A format; nothing is checked before it is compiled.
    public init(locale: String = "en-US", style: Style = .decimal, currency: String? = nil, unit: String? = nil) {
        self.locale = locale
        self.style = style
        self.currency = currency
        self.unit = unit
    }

    /// The decimals that a target written with `scale` decimals asks for: a decimal or a unit shows what was written,
    /// a percentage two less, and money, compact numbers and those with an exponent what their locale data says (nil).
    public func decimals(inferredFrom scale: Int) -> Int? {
        guard notation == .standard else { return nil }
        return switch style {
        case .decimal, .unit, .clock, .duration: scale
        case .percent: max(0, scale - 2)
        case .currency, .compact: nil
        }
    }

    /// Whether it writes `1.2K`, whichever of two fields says so.
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

/// Why a format was refused: the field, by its name in the contract, and a sentence.
public struct NumberFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fields that can be refused.
    public enum Field: String, Hashable, Sendable {
        /// The field of that name.
        case locale, currency, unit, notation, currencyDisplay
        /// The field of that name.
        case minimumIntegerDigits, minimumDecimals, maximumDecimals, minimumSignificantDigits, maximumSignificantDigits
    }

    /// The field at fault.
    public let field: Field
    /// What is wrong with it, as a sentence.
    public let reason: String

    /// A refusal of a field.
    public init(_ field: Field, _ reason: String) {
        self.field = field
        self.reason = reason
    }

    /// The field and the reason.
    public var description: String { "\(field.rawValue): \(reason)" }
}
