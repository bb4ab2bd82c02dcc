// Wheels on their way from one number's digits to another's, as a stream sends them.

extension DigitWheels {
    /// Appends wheels on their way as a JSON array: strings are static text, `[place, position]` is a wheel, and
    /// `[place, position, presence]` one that enters or leaves.
    ///
    /// The label's static parts must have been escaped (`TickerLabel.escapedForJSON()`).
    ///
    /// - Parameters:
    ///   - wheels: where the wheels stand, from left to right.
    ///   - value: the number they go to; its sign and affixes are the ones shown.
    ///   - bytes: what is appended to.
    public func appendJSON(_ wheels: [DigitWheel], towards value: ExactDecimal, to bytes: inout [UInt8]) {
        let plan = label.plan
        let run = plan.units(of: value).run(in: plan)
        let signed = plan.plural?.affixes(for: run.operands) ?? plan.affixes
        let affixes = run.isZero ? signed.zero : value.isNegative ? signed.negative : signed.positive
        let integers = wheels.reduce(0) { max($0, $1.place + 1) }
        let isGrouped = plan.grouping.primary > 0 && integers >= plan.grouping.primary + plan.grouping.minimum
        var list = WheelList()
        list.append(text: label.prefix + affixes.prefix, to: &bytes)
        for wheel in wheels {
            if isGrouped, wheel.place + 1 < integers, wheel.place >= 0, plan.startsGroup(wheel.place + 1) {
                list.append(text: plan.groupSeparator, to: &bytes)
            }
            if wheel.place == -1 { list.append(text: plan.decimalSeparator, to: &bytes) }
            list.append(wheel, to: &bytes)
        }
        list.append(text: affixes.suffix + label.suffix, to: &bytes)
        list.close(to: &bytes)
    }
}
