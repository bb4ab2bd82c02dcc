// Progress in a label: the number is the completed amount, and a template makes the text.

import Labels

/// A template and its maximum, for the way to one target.
struct ProgressText: Hashable, Sendable {
    private var template: ProgressLabel
    private let maximum: ExactDecimal
    private var target: ExactDecimal

    /// - Parameter decimals: Digits after the point of `{value}` and `{target}`.
    init(_ template: ProgressLabel, maximum: ExactDecimal, target: ExactDecimal, decimals: Int) {
        self.template = template
        self.template.plan.decimals = decimals
        self.template.maximumPlan.decimals = maximum.scale
        self.maximum = maximum
        self.target = target
    }

    /// Returns the same progress on its way to another target.
    func moved(to target: ExactDecimal, decimals: Int) -> ProgressText {
        var other = self
        other.target = target
        other.template.plan.decimals = decimals
        return other
    }

    /// Returns the text of a moving number.
    func text(of value: Double) -> String { template.text(of: values(value)) }

    /// Returns the text of a number at rest, with all its digits.
    func text(of value: ExactDecimal) -> String {
        var values = values(value.double)
        values.exactCurrent = value
        values.percent = ProgressMath.percent(current: value, maximum: maximum)
        return template.text(of: values)
    }

    private func values(_ value: Double) -> ProgressLabel.Values {
        let end = ProgressMath.percent(current: target, maximum: maximum)
        var values = ProgressLabel.Values(
            value: value, maximum: maximum,
            percent: ProgressMath.percent(of: value, maximum: maximum.double, end: target.double, endPercent: end),
            fraction: ProgressMath.fraction(of: value, maximum: maximum.double))
        values.target = target
        return values
    }
}
