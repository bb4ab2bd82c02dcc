// The wheels as a stream sends them. Text and digits are those of the label's own plan, in any script.

extension DigitWheels {
    /// Appends a value's parts as a JSON array: strings are static text, `[place, position]` is a wheel.
    ///
    /// The label's static parts must have been escaped (`TickerLabel.escapedForJSON()`). `parts` is scratch space.
    public func appendJSON(_ value: Double, _ parts: inout [WheelPart], to bytes: inout [UInt8]) {
        layOut(value, into: &parts)
        let units = DecimalUnits(
            rounding: value.isFinite ? value.magnitude : 0, places: label.plan.maximumDecimals + label.plan.shift,
            rule: label.plan.rounding, isNegative: value < 0)
        appendJSON(parts, units.run(in: label.plan), isNegative: value < 0, to: &bytes)
    }

    /// The same for a value at rest.
    public func appendJSON(_ value: ExactDecimal, _ parts: inout [WheelPart], to bytes: inout [UInt8]) {
        layOut(value, into: &parts)
        appendJSON(parts, label.plan.units(of: value).run(in: label.plan), isNegative: value.isNegative, to: &bytes)
    }

    private func appendJSON(_ parts: [WheelPart], _ run: DigitRun, isNegative: Bool, to bytes: inout [UInt8]) {
        let signed = label.plan.plural?.affixes(for: run.operands) ?? label.plan.affixes
        let affixes = run.isZero ? signed.zero : isNegative ? signed.negative : signed.positive
        let room = parts.reduce(WheelList.brackets) { room, part in
            switch part {
            case .fixed(let fixed): room + WheelList.room(text(of: fixed, affixes))
            case .wheel(let wheel): room + WheelList.room(wheel)
            }
        }
        bytes.append(room: room) { out, start in
            var (list, place) = (WheelList(), start)
            for part in parts {
                switch part {
                case .fixed(let fixed): place = list.put(text: text(of: fixed, affixes), into: &out, at: place)
                case .wheel(let wheel): place = list.put(wheel, into: &out, at: place)
                }
            }
            return list.close(&out, at: place)
        }
    }

    private func text(of fixed: WheelPart.Fixed, _ affixes: Affixes) -> [UInt8] {
        switch fixed {
        case .prefix: label.prefix
        case .suffix: label.suffix
        case .numberPrefix: affixes.prefix
        case .numberSuffix: affixes.suffix
        case .decimalSeparator: label.plan.decimalSeparator
        case .groupSeparator: label.plan.groupSeparator
        }
    }
}
