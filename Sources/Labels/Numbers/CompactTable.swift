// Compact notation as a table: for every power of ten how far the number shrinks and what is written beside it.

/// The forms of compact notation (`1.2K`, `3 million`), one for each magnitude.
public struct CompactTable: Hashable, Sendable {
    /// How numbers of one magnitude are shown.
    public struct Form: Hashable, Sendable {
        /// Decimal places that the number is moved to the right: 3 for thousands.
        public var shift: Int
        /// What stands around the digits, by the plural form of what is shown.
        public var affixes: PluralAffixes

        /// A form that moves numbers by `shift` decimal places.
        public init(shift: Int, affixes: PluralAffixes) {
            self.shift = shift
            self.affixes = affixes
        }
    }

    /// Forms for 10^0, 10^1, … ; numbers beyond use the last. Never empty.
    public let forms: [Form]
    /// True: as Intl does by default, two significant digits or all integer digits, whichever shows more, in place of
    /// the plan's decimals.
    public let isSignificant: Bool

    /// Nil without forms.
    public init?(forms: [Form], isSignificant: Bool) {
        guard !forms.isEmpty else { return nil }
        self.forms = forms
        self.isSignificant = isSignificant
    }

    private init(unchecked forms: [Form], isSignificant: Bool) {
        self.forms = forms
        self.isSignificant = isSignificant
    }

    /// Each form's affixes changed in the same way.
    func mapped(_ change: (SignedAffixes) -> SignedAffixes) -> CompactTable {
        let mapped = forms.map { Form(shift: $0.shift, affixes: $0.affixes.mapped(change)) }
        return CompactTable(unchecked: mapped, isSignificant: isSignificant)
    }

    func escapedForJSON() -> CompactTable {
        // Nearly all tables stay as they are, and are then shared by all labels that have them.
        let escaped = forms.map { Form(shift: $0.shift, affixes: $0.affixes.escapedForJSON()) }
        return escaped == forms ? self : CompactTable(unchecked: escaped, isSignificant: isSignificant)
    }

    /// The form for a number whose first digit stands for 10^magnitude.
    func form(_ magnitude: Int) -> Form {
        forms[min(max(0, magnitude), forms.count - 1)]
    }
}

/// A magnitude on its way into compact notation.
enum CompactNumber {
    case double(Double)
    case exact(ExactDecimal)

    /// The exponent of the first digit, as for 1234: 3; 0 for anything below 10.
    var magnitude: Int {
        switch self {
        case .double(let value):
            guard value >= 1 else { return 0 }
            // Cutting off is exact on both paths, so 999.9999999999999 stays in the hundreds.
            return max(0, DecimalUnits(rounding: value, places: 0, rule: .trunc, isNegative: false).count - 1)
        case .exact(let value):
            return max(0, units(places: 0, rule: .trunc, isNegative: value.isNegative).count - 1)
        }
    }

    func units(places: Int, rule: RoundingRule, isNegative: Bool) -> DecimalUnits {
        switch self {
        case .double(let value):
            DecimalUnits(rounding: value, places: places, rule: rule, isNegative: isNegative)
        case .exact(let value):
            DecimalUnits(
                rounding: value.coefficient.magnitude, scale: value.scale, places: places, rule: rule,
                isNegative: isNegative)
        }
    }
}

extension NumberPlan {
    /// Appends a magnitude in compact notation; the plan must have a table.
    func appendCompact(_ number: CompactNumber, isNegative: Bool, to bytes: inout [UInt8]) {
        guard let compact else { return }
        let magnitude = number.magnitude
        var form = compact.form(magnitude)
        var (units, decimals) = rounded(number, magnitude: magnitude, form: form, isNegative: isNegative)
        // 999 950 rounds to 1000 thousand, which is a million: the next form takes over. It does
        // with the same shift, too: Arabic has another word for ten thousand than for nine.
        let grown = units.count - decimals + form.shift - 1
        if grown > magnitude {
            form = compact.form(grown)
            (units, decimals) = rounded(number, magnitude: grown, form: form, isNegative: isNegative)
        }
        let run = DigitRun(
            units, maximumDecimals: decimals,
            minimumDecimals: min(decimals, compact.isSignificant ? 0 : minimumDecimals),
            minimumIntegerDigits: minimumIntegerDigits)
        append(
            run, within: form.affixes.affixes(for: run.operands), isNegative: isNegative,
            to: &bytes)
    }

    private func rounded(
        _ number: CompactNumber, magnitude: Int, form: CompactTable.Form, isNegative: Bool
    ) -> (DecimalUnits, decimals: Int) {
        let decimals = compact?.isSignificant == true ? significantDecimals(number, magnitude, form) : maximumDecimals
        let units = number.units(places: decimals - form.shift, rule: rounding, isNegative: isNegative)
        return (units, decimals)
    }

    /// Decimals that leave two significant digits: one for 1.2, none for 12, more below one (0.012).
    private func significantDecimals(_ number: CompactNumber, _ magnitude: Int, _ form: CompactTable.Form) -> Int {
        let integers = magnitude - form.shift + 1
        if integers >= 2 { return 0 }
        guard form.shift == 0, magnitude == 0 else { return 1 }
        // Below one, zeros after the point don't count as significant.
        var decimals = 1
        while decimals < Self.decimalRange.upperBound {
            let digits = number.units(places: decimals, rule: .trunc, isNegative: false).count
            if digits >= 2 { break }
            decimals += 1
        }
        return decimals
    }
}
