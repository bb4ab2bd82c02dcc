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
        let texts = [label.prefix, affixes.prefix, plan.decimalSeparator, affixes.suffix, label.suffix]
        let separator = WheelList.room(plan.groupSeparator)
        var room = texts.reduce(WheelList.brackets) { $0 + WheelList.room($1) }
        for wheel in wheels { room += separator + WheelList.room(wheel) }
        bytes.append(room: room) { out, start in
            var list = WheelList()
            var place = list.put(text: label.prefix, affixes.prefix, into: &out, at: start)
            for wheel in wheels {
                if isGrouped, wheel.place + 1 < integers, wheel.place >= 0, plan.startsGroup(wheel.place + 1) {
                    place = list.put(text: plan.groupSeparator, into: &out, at: place)
                }
                if wheel.place == -1 { place = list.put(text: plan.decimalSeparator, into: &out, at: place) }
                place = list.put(wheel, into: &out, at: place)
            }
            place = list.put(text: affixes.suffix, label.suffix, into: &out, at: place)
            return list.close(&out, at: place)
        }
    }
}
