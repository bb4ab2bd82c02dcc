// A number format compiled to bytes: all that the frame path needs, without locale data. It rounds the decimal that people
// see (see DecimalUnits), writes an exponent only if requested, and never `-0`.

/// How one label's number is written.
public struct NumberPlan: Hashable, Sendable {
    /// The positions of group separators, counted from the point. Sizes are clamped to 0...1000.
    public struct Grouping: Hashable, Sendable {
        /// Digits in the group next to the point; 0 for no grouping.
        public var primary: Int { didSet { primary = Self.clamp(primary) } }
        /// Digits in all further groups; 0 if there are none.
        public var secondary: Int { didSet { secondary = Self.clamp(secondary) } }
        /// The fewest digits before the first separator, at least 1: 2 in Spanish, where grouping starts at 10 000.
        public var minimum: Int { didSet { minimum = max(1, Self.clamp(minimum)) } }

        /// No separators.
        public static let none = Grouping(primary: 0)
        /// Every three digits: `1,234,567`.
        public static let thousands = Grouping(primary: 3)

        /// Creates groups of `primary` digits next to the point and of `secondary` beyond, by default the same.
        public init(primary: Int, secondary: Int? = nil, minimum: Int = 1) {
            self.primary = Self.clamp(primary)
            self.secondary = Self.clamp(secondary ?? primary)
            self.minimum = max(1, Self.clamp(minimum))
        }

        private static func clamp(_ digits: Int) -> Int { min(max(digits, 0), 1_000) }

        /// Returns whether a group starts with the digit that has `remaining` digits left before the point, itself included.
        func starts(at remaining: Int) -> Bool {
            remaining == primary
                || (remaining > primary && secondary > 0 && (remaining - primary).isMultiple(of: secondary))
        }
    }

    /// The most digits after the point; the last one is rounded.
    public var maximumDecimals: Int { didSet { clampDecimals() } }
    /// Trailing zeros beyond this many digits are removed.
    public var minimumDecimals: Int { didSet { clampDecimals() } }
    /// Leading zeros are added up to this many digits before the point, 0...21; with 0 there is none before decimals: `.5`.
    public var minimumIntegerDigits = 1 {
        didSet { minimumIntegerDigits = min(max(minimumIntegerDigits, 0), 21) }
    }
    /// How the last shown digit is rounded.
    public var rounding = RoundingRule.halfExpand
    /// The positions of group separators.
    public var grouping = Grouping.none
    /// The digits of a script.
    public var digits = DigitSet.ascii
    /// UTF-8 before the decimals.
    public var decimalSeparator: [UInt8] = [ASCII.point]
    /// UTF-8 between groups.
    public var groupSeparator: [UInt8] = [ASCII.comma]
    /// The text around the digits, by sign.
    public var affixes = SignedAffixes.plain
    /// Whether a negative number that rounds to zero has the affixes of negative numbers, as in accounting.
    public var marksNegativeZero = false
    /// Decimal places by which the number is shifted before it is shown, 0...2: 2 for percent.
    public var shift = 0 { didSet { shift = min(max(shift, 0), 2) } }
    /// Affixes by the number's plural form, instead of `affixes`.
    public var plural: PluralAffixes?
    /// Compact notation (`1.2K`), instead of `affixes` and `plural`.
    public var compact: CompactTable?
    /// Seconds as a clock, with `groupSeparator` between its units. Setting it sets `grouping`.
    public var clock: ClockShape? {
        didSet {
            guard let clock else { return }
            grouping = clock.grouping
            groupSeparator = [ASCII.colon]
        }
    }
    /// Digits that depend on the number's size: significant ones, an exponent. Nil for the same decimals everywhere.
    public var adaptive: AdaptiveDigits? {
        get { adaptiveDigits.first }
        set { adaptiveDigits = newValue.map { [$0] } ?? [] }
    }
    /// At most one element. An array, since there are many plans and nearly all have none.
    private var adaptiveDigits: [AdaptiveDigits] = []

    /// The allowed number of decimals.
    public static let decimalRange = 0...20

    /// Returns a plan with fixed decimals, ASCII digits, `.`, no grouping, `-` before negative numbers.
    public static func plain(decimals: Int) -> NumberPlan {
        NumberPlan(decimals: decimals)
    }

    /// Returns a plan like `plain`, with `,` after every three digits.
    public static func grouped(decimals: Int) -> NumberPlan {
        var plan = NumberPlan(decimals: decimals)
        plan.grouping = .thousands
        return plan
    }

    /// Creates a plan with fixed decimals, clamped to 0...20; otherwise like ``plain(decimals:)``.
    public init(decimals: Int) {
        maximumDecimals = Self.clamp(decimals)
        minimumDecimals = Self.clamp(decimals)
    }

    /// The digits after the point of every frame. Setting it makes them fixed: trailing zeros are then kept.
    public var decimals: Int {
        get { maximumDecimals }
        set {
            minimumDecimals = 0
            maximumDecimals = newValue
            minimumDecimals = newValue
        }
    }

    /// Whether all numbers have their digits at the same places, and the same surrounding text.
    package var hasFixedPlaces: Bool { compact == nil && adaptiveDigits.isEmpty && clock == nil }

    /// The most digits after the point that can be shown, counted for the unshifted number of a percentage. If they depend
    /// on its size, the most shown for numbers from 1 upwards: one in compact notation.
    public var finestDecimals: Int {
        if let significant = adaptive?.significant { return min(22, significant.upperBound - 1 + shift) }
        return compact?.isSignificant == true ? 1 : min(22, max(0, maximumDecimals + shift))
    }

    /// Half a unit of the last digit that can be shown: a number that moves less has settled.
    public var halfUnit: Double { 0.5 / PowersOfTen.double(finestDecimals) }

    /// Returns the plan with every static part escaped for JSON strings.
    package func escapedForJSON() -> NumberPlan {
        var plan = self
        plan.decimalSeparator = JSONText.escaped(decimalSeparator)
        plan.groupSeparator = JSONText.escaped(groupSeparator)
        plan.affixes = affixes.escapedForJSON()
        plan.plural = plural?.escapedForJSON()
        plan.compact = compact?.escapedForJSON()
        plan.adaptive = adaptive?.escapedForJSON()
        return plan
    }

    private static func clamp(_ decimals: Int) -> Int {
        min(max(decimals, decimalRange.lowerBound), decimalRange.upperBound)
    }

    private mutating func clampDecimals() {
        let maximum = Self.clamp(maximumDecimals)
        if maximum != maximumDecimals { maximumDecimals = maximum }
        let minimum = min(Self.clamp(minimumDecimals), maximum)
        if minimum != minimumDecimals { minimumDecimals = minimum }
    }
}
