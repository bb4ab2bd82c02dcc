// The digit wheels of a ticker's label compiled for frames, with all text in one array of words. For the labels of
// `FrameLabel`; others write their wheels themselves.

/// A label's wheels, whose frames need no reference counting.
package struct FrameWheels: Sendable {
    /// The text around the digits for one sign, as JSON strings.
    private struct Around {
        var prefix: WordRange
        var suffix: WordRange

        init() { (prefix, suffix) = (WordRange(), WordRange()) }

        init(_ affixes: Affixes, _ words: inout [UInt64]) {
            prefix = words.adopt(quoted: affixes.prefix)
            suffix = words.adopt(quoted: affixes.suffix)
        }
    }

    private let layout: WheelLayout
    private let words: [UInt64]
    private let prefix: WordRange
    private let suffix: WordRange
    private let positive: Around
    private let negative: Around
    private let zero: Around
    private let decimalSeparator: WordRange
    private let groupSeparator: WordRange

    /// Wheels without any text.
    package static let none = FrameWheels()

    private init() {
        layout = WheelLayout(NumberPlan(decimals: 0), .odometer)
        (words, prefix, suffix) = ([], WordRange(), WordRange())
        (positive, negative, zero) = (Around(), Around(), Around())
        (decimalSeparator, groupSeparator) = (WordRange(), WordRange())
    }

    /// Nil for a label without wheels, or whose text around the digits depends on more than the rounded number's sign.
    /// - Parameter label: Escaped for JSON.
    package init?(_ label: TickerLabel, carry: DigitWheels.Carry) {
        let plan = label.plan
        guard label.hasWheels, plan.plural == nil, !plan.marksNegativeZero else { return nil }
        var words: [UInt64] = []
        prefix = words.adopt(quoted: label.prefix)
        suffix = words.adopt(quoted: label.suffix)
        positive = Around(plan.affixes.positive, &words)
        negative = Around(plan.affixes.negative, &words)
        zero = Around(plan.affixes.zero, &words)
        decimalSeparator = words.adopt(quoted: plan.decimalSeparator)
        groupSeparator = words.adopt(quoted: plan.groupSeparator)
        guard words.count <= FrameLabel.capacity else { return nil }
        self.words = words
        layout = WheelLayout(plan, carry)
    }

    /// The most bytes that a following value writes.
    package var room: Int { room(layout.mostWheels) }

    /// Returns the most bytes that this many wheels write.
    package func room(_ wheels: Int) -> Int {
        words.count * 8 + wheels * (WheelList.usualRoom + WheelList.room(textOf: Int(groupSeparator.count)))
            + WheelList.brackets + 6 * WheelList.room(textOf: 0)
    }

    /// Writes the wheels that follow a moving value as a JSON array, into a buffer of at least `room` bytes.
    /// - Parameter numbers: The numbers that the label shows for it.
    /// - Returns: The end position.
    package mutating func put(
        _ value: Double, showing numbers: FrameLabel.Numbers, into out: inout MutableRawSpan, at start: Int
    ) -> Int {
        let run = layout.run(of: DecimalUnits(units: UInt128(numbers.value.magnitude)))
        let wheels = layout.wheels(of: run, turned: layout.turned(value))
        return put(wheels, wheels.columns.count, wheels.columns.presence, numbers, into: &out, at: start)
    }

    /// Writes wheels that move from one number's digits to another's, into a buffer of at least `room(wheels.count)` bytes.
    /// - Parameters:
    ///   - wheels: The wheels' positions, from left to right.
    ///   - numbers: The numbers that the label shows meanwhile.
    /// - Returns: The end position.
    package mutating func put(
        _ wheels: [DigitWheel], showing numbers: FrameLabel.Numbers, into out: inout MutableRawSpan, at start: Int
    ) -> Int {
        put(wheels, wheels.columns, wheels.presence, numbers, into: &out, at: start)
    }

    @inline(__always)
    private func put(
        _ wheels: some Sequence<DigitWheel>, _ columns: Int, _ presence: (Int) -> Double,
        _ numbers: FrameLabel.Numbers, into out: inout MutableRawSpan, at start: Int
    ) -> Int {
        let around = numbers.value == 0 ? zero : numbers.value < 0 ? negative : positive
        let words = words.span
        var list = WheelList()
        var place = list.put(quoted: prefix, of: words, 1, into: &out, at: start)
        place = list.put(quoted: around.prefix, of: words, 1, into: &out, at: place)
        for wheel in wheels {
            if let separator = layout.separator(before: wheel, columns: columns, presence: presence) {
                let text = separator.text == .decimalSeparator ? decimalSeparator : groupSeparator
                place = list.put(quoted: text, of: words, separator.presence, into: &out, at: place)
            }
            place = list.put(wheel, into: &out, at: place)
        }
        place = list.put(quoted: around.suffix, of: words, 1, into: &out, at: place)
        place = list.put(quoted: suffix, of: words, 1, into: &out, at: place)
        return list.close(&out, at: place)
    }
}

extension [UInt64] {
    /// Adds a text as a JSON string; nothing for an empty one.
    /// - Parameter text: Escaped for JSON.
    fileprivate mutating func adopt(quoted text: [UInt8]) -> WordRange {
        text.isEmpty ? WordRange() : adopt(([ASCII.quote] + text + [ASCII.quote]).span)
    }
}
