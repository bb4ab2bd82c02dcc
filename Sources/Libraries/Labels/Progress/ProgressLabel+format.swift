// Templates with a format: removes text that the format writes itself.

extension ProgressLabel {
    /// Removes from the text around `{value}`, `{target}` and `{maximum}` what a format adds to numbers: the currency of
    /// `${value}`, the unit of `{value} km`, the percent sign of shares.
    package mutating func leave(toFormat format: NumberFormat) {
        let plan = showsShare ? percentStyle.signed : plan
        template = template.mappedTexts { text, before, behind in
            var text = text
            if let before, before.isNumber, let rest = text.withoutFormat(format, plan, isBehind: true) { text = rest }
            if let behind, behind.isNumber, let rest = text.withoutFormat(format, plan, isBehind: false) { text = rest }
            return text
        }
    }
}

extension ProgressLabel.Placeholder {
    /// Whether a format writes it.
    fileprivate var isNumber: Bool { self == .value || self == .target || self == .maximum }
}
