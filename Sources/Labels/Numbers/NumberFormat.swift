public struct NumberFormat: Hashable, Sendable {
    public enum Style: String, Hashable, Sendable, CaseIterable { case decimal, currency, percent, unit, compact }
    public var locale: String
    public var style: Style
    public init(locale: String = "en-US", style: Style = .decimal) {
        self.locale = locale
        self.style = style
    }
    public var infersDecimals: Bool { style == .decimal || style == .unit }
}
