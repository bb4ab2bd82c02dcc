// A number format compiled to bytes: everything the frame path needs, and no locale data behind it.
// Formatting rounds the decimal that people see (see DecimalUnits), writes an exponent only if told to, and never `-0`.

/// How one label's number is written.
public struct NumberPlan: Hashable, Sendable {
    /// Where group separators stand, counted from the point.
    public struct Grouping: Hashable, Sendable {
        /// Digits in the group next to the point; 0 means no grouping.
        public var primary: Int
        /// Digits in all further groups.
        public var secondary: Int
        /// Digits that must stand before the first separator: 2 in Spanish, where grouping starts at 10 000.
        public var minimum: Int

        /// No separators.
        public static let none = Grouping(primary: 0)
        /// Every three digits: `1,234,567`.
        public static let thousands = Grouping(primary: 3)

        /// Groups of `primary` digits next to the point and of `secondary` further on; the same unless it is given.
        public init(primary: Int, secondary: Int? = nil, minimum: Int = 1) {
            self.primary = max(0, primary)
            self.secondary = max(0, secondary ?? primary)
            self.minimum = max(1, minimum)
        }
    }

    /// The most digits after the point; the last one is where rounding happens.
    public var maximumDecimals: Int { didSet { clampDecimals() } }
    /// Zeros at the end beyond this many digits are left out.
    public var minimumDecimals: Int { didSet { clampDecimals() } }
    /// Leading zeros fill up to this many digits before the point, 0...21; with 0 there is none before decimals: `.5`.
    public var minimumIntegerDigits = 1 {
        didSet { minimumIntegerDigits = min(max(minimumIntegerDigits, 0), 21) }
    }
    /// How the last digit shown is rounded.
    public var rounding = RoundingRule.halfExpand
    /// Where group separators stand.
    public var grouping = Grouping.none
    /// The digits of a script.
    public var digits = DigitSet.ascii
    /// UTF-8 between the units and the decimals.
    public var decimalSeparator: [UInt8] = [ASCII.point]
    /// UTF-8 between groups.
    public var groupSeparator: [UInt8] = [ASCII.comma]
    /// What stands around the digits, by sign.
    public var affixes = SignedAffixes.plain
    /// What is rounded to zero and was below it has the affixes of negative numbers, as accountants have it.
    public var marksNegativeZero = false
    /// Decimal places that the number moves before it is shown: 2 for percent.
    public var shift = 0
    /// Affixes that follow the plural form of the number, in place of `affixes`.
    public var plural: PluralAffixes?
    /// Compact notation (`1.2K`), in place of `affixes` and `plural`.
    public var compact: CompactTable?
    /// Seconds are shown as a clock has them, with `groupSeparator` between its units and `grouping` as the shape has it.
    public var clock: ClockShape? {
        didSet {
            guard let clock else { return }
            grouping = clock.grouping
            groupSeparator = [ASCII.colon]
        }
    }
    /// Digits that depend on the number's size: significant ones, an exponent. Nil: the same decimals for each.
    public var adaptive: AdaptiveDigits? {
        get { adaptiveDigits.first }
        set { adaptiveDigits = newValue.map { [$0] } ?? [] }
    }
    /// One or none: there are many plans, and nearly all have none.
    private var adaptiveDigits: [AdaptiveDigits] = []

    /// The largest number of decimals a plan shows.
    public static let decimalRange = 0...20

    /// Fixed decimals, ASCII digits, `.`, no grouping, `-` before negative numbers.
    public static func plain(decimals: Int) -> NumberPlan {
        NumberPlan(decimals: decimals)
    }

    /// As `plain`, with `,` after every three digits.
    public static func grouped(decimals: Int) -> NumberPlan {
        var plan = NumberPlan(decimals: decimals)
        plan.grouping = .thousands
        return plan
    }

    /// Fixed decimals, held in 0...20; all else as in ``plain(decimals:)``.
    public init(decimals: Int) {
        maximumDecimals = Self.clamp(decimals)
        minimumDecimals = Self.clamp(decimals)
    }

    /// The digits after the point of every frame. Setting it fixes them: zeros at the end are then kept.
    public var decimals: Int {
        get { maximumDecimals }
        set {
            minimumDecimals = 0
            maximumDecimals = newValue
            minimumDecimals = newValue
        }
    }

    /// Whether each number has its digits at the same places, and the same text around them.
    package var hasFixedPlaces: Bool { compact == nil && adaptiveDigits.isEmpty && clock == nil }

    /// The most digits after the point that can show, of the number itself where the plan writes a percentage. Where they
    /// depend on its size, the finest that shows from 1 upwards counts: one in compact notation.
    public var finestDecimals: Int {
        if let significant = adaptive?.significant { return min(22, significant.upperBound - 1 + shift) }
        return compact?.isSignificant == true ? 1 : min(22, max(0, maximumDecimals + shift))
    }

    /// Half a unit of the last digit that can show: what moves by less has settled.
    public var halfUnit: Double { 0.5 / PowersOfTen.double(finestDecimals) }

    /// The same plan with every static part escaped for JSON strings.
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
