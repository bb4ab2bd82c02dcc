// Compact notation as a table: for every power of ten, how far the number shrinks and its affixes.

/// The forms of compact notation (`1.2K`, `3 million`), one for each magnitude.
public struct CompactTable: Hashable, Sendable {
    /// How numbers of one magnitude are shown.
    public struct Form: Hashable, Sendable {
        /// Decimal places by which the number shrinks, 0...38: 3 for thousands.
        public var shift: Int { didSet { shift = Self.clamp(shift) } }
        /// The text around the digits, by the plural form of the shown number.
        public var affixes: PluralAffixes

        /// Creates a form that shrinks numbers by `shift` decimal places.
        public init(shift: Int, affixes: PluralAffixes) {
            self.shift = Self.clamp(shift)
            self.affixes = affixes
        }

        private static func clamp(_ shift: Int) -> Int { min(max(shift, 0), ExactDecimal.maximumDigits) }
    }

    /// Forms for 10^0, 10^1, … ; larger numbers use the last. Never empty.
    public let forms: [Form]
    /// Whether to show two significant digits or all integer digits, whichever is more, as Intl does by default, instead of
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

    /// Returns a table with each form's affixes changed in the same way.
    package func mapped(_ change: (SignedAffixes) -> SignedAffixes) -> CompactTable {
        let mapped = forms.map { Form(shift: $0.shift, affixes: $0.affixes.mapped(change)) }
        return CompactTable(unchecked: mapped, isSignificant: isSignificant)
    }

    func escapedForJSON() -> CompactTable {
        // Nearly all tables stay unchanged, and all labels that use them share one.
        let escaped = forms.map { Form(shift: $0.shift, affixes: $0.affixes.escapedForJSON()) }
        return escaped == forms ? self : CompactTable(unchecked: escaped, isSignificant: isSignificant)
    }

    /// Returns the form of a number whose first digit counts 10^magnitude.
    func form(_ magnitude: Int) -> Form {
        forms[min(max(0, magnitude), forms.count - 1)]
    }
}
