// The wheels as JSON for streams, with the text and digits of the label's own plan, in any script.

extension DigitWheels {
    /// Appends a moving value's parts as a JSON array: strings are static text, `[place, position]` is a wheel. A third
    /// number, `[place, position, presence]`, marks one that enters or leaves, and `[text, presence]` such a separator.
    ///
    /// The label's static parts must have been escaped (`TickerLabel.escapedForJSON()`). `parts` is scratch space.
    package func appendJSON(_ value: Double, _ parts: inout [WheelPart], to bytes: inout [UInt8]) {
        let run = run(of: value)
        layOut(run, turned: turned(value), isNegative: value < 0, into: &parts)
        appendJSON(parts, affixes(of: run, isNegative: value < 0), to: &bytes)
    }

    /// Appends the parts of a resting value that is only known as a double: every wheel is on its digit.
    package func appendJSON(resting value: Double, _ parts: inout [WheelPart], to bytes: inout [UInt8]) {
        let run = run(of: value)
        layOut(run, turned: nil, isNegative: value < 0, into: &parts)
        appendJSON(parts, affixes(of: run, isNegative: value < 0), to: &bytes)
    }

    /// Appends the parts of a resting value.
    package func appendJSON(_ value: ExactDecimal, _ parts: inout [WheelPart], to bytes: inout [UInt8]) {
        let run = run(of: value)
        layOut(run, turned: nil, isNegative: value.isNegative, into: &parts)
        appendJSON(parts, affixes(of: run, isNegative: value.isNegative), to: &bytes)
    }

    /// Appends wheels that move from one number's digits to another's.
    ///
    /// - Parameters:
    ///   - wheels: the wheels' positions, from left to right.
    ///   - value: the number shown as text meanwhile, which provides sign and affixes.
    ///   - parts: scratch space.
    ///   - bytes: the output.
    package func appendJSON(
        _ wheels: [DigitWheel], showing value: Double, _ parts: inout [WheelPart], to bytes: inout [UInt8]
    ) {
        let run = run(of: value)
        layOut(standsAlone(run, isNegative: value < 0) ? [] : wheels, into: &parts)
        appendJSON(parts, affixes(of: run, isNegative: value < 0), to: &bytes)
    }

    func affixes(of run: DigitRun, isNegative: Bool) -> Affixes {
        let signed = label.plan.plural?.affixes(for: run.operands, isNegative: isNegative) ?? label.plan.affixes
        return label.plan.affixes(signed, isZero: run.isZero, isNegative: isNegative)
    }

    private func appendJSON(_ parts: [WheelPart], _ affixes: Affixes, to bytes: inout [UInt8]) {
        let room = parts.reduce(WheelList.brackets) { room, part in
            switch part {
            case .fixed(let fixed, _): room + WheelList.room(textOf: text(of: fixed, affixes).count)
            case .wheel(let wheel): room + WheelList.room(wheel)
            }
        }
        bytes.append(room: room) { out, start in
            var (list, place) = (WheelList(), start)
            for part in parts {
                switch part {
                case .fixed(let fixed, let presence):
                    place = list.put(text: text(of: fixed, affixes), presence, into: &out, at: place)
                case .wheel(let wheel): place = list.put(wheel, into: &out, at: place)
                }
            }
            return list.close(&out, at: place)
        }
    }

    func text(of fixed: WheelPart.Fixed, _ affixes: Affixes) -> [UInt8] {
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
