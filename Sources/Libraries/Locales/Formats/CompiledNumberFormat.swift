// A number format with its locale data: plans with any number of decimals follow without reading them again.

public import Labels

/// A compiled format. Making plans from it is cheap.
public struct CompiledNumberFormat: Sendable {
    private let plan: NumberPlan
    private let minimumDecimals: Int?
    private let maximumDecimals: Int?
    /// The style's default decimals.
    private let defaults: ClosedRange<Int>

    init(_ plan: NumberPlan, of format: NumberFormat, defaults: ClosedRange<Int>) {
        self.plan = plan
        self.defaults = defaults
        minimumDecimals = format.minimumDecimals
        maximumDecimals = format.maximumDecimals
    }

    /// Returns the plan with a fixed number of decimals, which the format's own limits override; nil uses the style's
    /// default.
    public func plan(decimals: Int?) -> NumberPlan {
        // The rules of ECMA-402 (SetNumberFormatDigitOptions), with the API's fixed decimals taking precedence over the
        // style's defaults, but not over the format's own limits.
        var plan = plan
        let wanted = decimals.map { $0...$0 } ?? defaults
        let minimum = minimumDecimals ?? min(wanted.lowerBound, maximumDecimals ?? .max)
        plan.decimals = maximumDecimals ?? max(wanted.upperBound, minimum)
        plan.minimumDecimals = minimum
        // As `Intl.NumberFormat` does: two significant digits, unless somebody chose others or decimals.
        let isSignificant =
            plan.adaptive?.significant == nil && decimals == nil && minimumDecimals == nil && maximumDecimals == nil
        plan.compact = plan.compact.flatMap { CompactTable(forms: $0.forms, isSignificant: isSignificant) }
        return plan
    }
}
