// A number format whose locale data were read: plans with any number of decimals follow from it without them.

public import Labels

/// A compiled format. Plans of it cost next to nothing.
public struct CompiledNumberFormat: Sendable {
    private let plan: NumberPlan
    private let minimumDecimals: Int?
    private let maximumDecimals: Int?
    /// Those of the style, where nobody fixes any.
    private let defaults: ClosedRange<Int>

    init(_ plan: NumberPlan, of format: NumberFormat, defaults: ClosedRange<Int>) {
        self.plan = plan
        self.defaults = defaults
        minimumDecimals = format.minimumDecimals
        maximumDecimals = format.maximumDecimals
    }

    /// The plan with a fixed number of decimals, which the format's own limits override; nil: those of the style.
    public func plan(decimals: Int?) -> NumberPlan {
        // The rules of ECMA-402 (SetNumberFormatDigitOptions), with the contract's fixed decimals between the format's own
        // limits and the defaults of the style.
        var plan = plan
        let wanted = decimals.map { $0...$0 } ?? defaults
        let minimum = minimumDecimals ?? min(wanted.lowerBound, maximumDecimals ?? .max)
        plan.decimals = maximumDecimals ?? max(wanted.upperBound, minimum)
        plan.minimumDecimals = minimum
        let isSignificant =
            plan.adaptive?.significant == nil && decimals == nil && minimumDecimals == nil && maximumDecimals == nil
        plan.compact = plan.compact.flatMap { CompactTable(forms: $0.forms, isSignificant: isSignificant) }
        return plan
    }
}
