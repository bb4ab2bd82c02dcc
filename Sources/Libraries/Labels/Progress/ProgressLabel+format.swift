// Templates with a format: removes text that the format writes itself.

extension ProgressLabel {
    /// Removes from the text around `{value}`, `{target}` and `{maximum}` what a format adds to numbers: the currency of
    /// `${value}`, the unit of `{value} km`, the percent sign of shares.
    package mutating func leave(toFormat format: NumberFormat) {
        let affixes = FormatAffixes(format, showsShare ? percentStyle.signed : plan)
        /// Returns a text beside a number without what the format writes there.
        func rest(of bytes: [UInt8], isBehind: Bool) -> [UInt8] {
            let text = TextScalars(String(decoding: bytes, as: UTF8.self))
            let number = isBehind ? 0 : text.count
            guard let found = affixes.match(around: number..<number, in: text, isSigned: true) else { return bytes }
            let range = text.offsets(found.range)
            return Array(isBehind ? bytes.dropFirst(range.upperBound) : bytes.prefix(range.lowerBound))
        }
        template = template.mappedTexts { text, before, behind in
            let text = before?.isNumber == true ? rest(of: text, isBehind: true) : text
            return behind?.isNumber == true ? rest(of: text, isBehind: false) : text
        }
    }
}

extension ProgressLabel.Placeholder {
    /// Whether a format writes it.
    fileprivate var isNumber: Bool { self == .value || self == .target || self == .maximum }
}
