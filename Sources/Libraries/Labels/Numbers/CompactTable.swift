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
    package func mapped(_ change: (SignedAffixes) -> SignedAffixes) -> CompactTable {
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
