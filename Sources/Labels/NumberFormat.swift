// The contract's `format` as a value; compiled elsewhere, with locale data.

/// How a number is written, as CLDR has it.
public struct NumberFormat: Hashable, Sendable {
    public enum Style: String, Hashable, Sendable, CaseIterable { case decimal, currency, percent, unit, compact }

    public var locale: String
    public var style: Style
    public init(locale: String = "en-US", style: Style = .decimal) {
        self.locale = locale
        self.style = style
    }
    /// Without decimals of its own a plain number takes those of its target; money and percentages have customs.
    public var infersDecimals: Bool { style == .decimal || style == .unit }
}
