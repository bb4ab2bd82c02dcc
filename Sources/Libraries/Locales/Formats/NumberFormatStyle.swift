// A compiled number format as Foundation's format style: value.formatted(style), Text(value, format: style).

public import Labels

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A number format as a format style, compiled when it is created.
public struct NumberFormatStyle: FormatStyle, Sendable {
    /// The requested format.
    public let numberFormat: NumberFormat
    private let decimals: Int?
    private let plan: NumberPlan

    /// Creates a style. As slow as ``NumberPlanCompiler/plan(for:decimals:)``, which describes the parameters.
    ///
    /// - Throws: the field at fault.
    public init(_ format: NumberFormat, decimals: Int? = nil) throws(NumberFormatError) {
        plan = try NumberPlanCompiler.plan(for: format, decimals: decimals)
        numberFormat = format
        self.decimals = decimals
    }

    /// Returns the number in this format. As with Foundation's styles, infinity is `∞ €` and NaN `NaN €`, or the locale's word.
    public func format(_ value: Double) -> String {
        guard !value.isFinite, let tag = try? LocaleTag.preferred(numberFormat.locale) else {
            return plan.text(of: value)
        }
        return plan.text(around: FormatSampler.word(for: value, in: LocaleTag.locale(tag)), isNegative: value < 0)
    }

    private enum CodingKeys: String, CodingKey {
        case numberFormat, decimals
    }

    /// Reads the format, and compiles it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            container.decode(NumberFormat.self, forKey: .numberFormat),
            decimals: container.decodeIfPresent(Int.self, forKey: .decimals))
    }

    /// Writes the format, not its compiled form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(numberFormat, forKey: .numberFormat)
        try container.encodeIfPresent(decimals, forKey: .decimals)
    }
}
