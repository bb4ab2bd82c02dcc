// The positions of a label's digit wheels for a value. Digits are rounded like the text, so wheels at rest always match it.

import Base

/// Wheels that follow the value itself, like a counter's.
public struct DigitWheels: Hashable, Sendable {
    /// How lower wheels move higher ones.
    public enum Carry: String, Hashable, Sendable, CaseIterable {
        /// Every wheel turns continuously, each ten times slower than its neighbour.
        case continuous
        /// A wheel only turns while its neighbour goes from 9 to 0.
        case odometer
    }

    /// The label with the digits.
    public let label: TickerLabel
    /// How lower wheels move higher ones.
    public let carry: Carry

    /// Nil for labels without wheels: compact notation, significant digits, exponents and plural messages, whose digits have
    /// no fixed places, and a last digit that forms one character with what follows, as in a keycap.
    public init?(_ label: TickerLabel, carry: Carry = .odometer) {
        guard label.hasWheels else { return nil }
        self.label = label
        self.carry = carry
    }

    /// Lays out a moving value. `parts` is cleared and refilled, reusing its storage.
    public func layOut(_ value: Double, into parts: inout [WheelPart]) {
        layOut(run(of: value), turned: turned(value), into: &parts)
    }

    /// Lays out a resting value: every wheel is on its digit.
    public func layOut(_ value: ExactDecimal, into parts: inout [WheelPart]) {
        layOut(run(of: value), turned: nil, into: &parts)
    }

    /// Returns the digits of a resting value, from left to right.
    public func digits(of value: ExactDecimal) -> [Int] {
        var parts: [WheelPart] = []
        layOut(value, into: &parts)
        return parts.compactMap { part in
            guard case .wheel(let wheel) = part else { return nil }
            return Int(saturating: wheel.position)
        }
    }

    /// Returns the text of a fixed part for a value. Sign, currency and plural form depend on the rounded digits, as in its
    /// text.
    public func text(of fixed: WheelPart.Fixed, for value: Double) -> String {
        String(decoding: text(of: fixed, affixes(of: run(of: value), isNegative: value < 0)), as: UTF8.self)
    }

    /// Returns the text of a fixed part for a resting value.
    public func text(of fixed: WheelPart.Fixed, for value: ExactDecimal) -> String {
        String(decoding: text(of: fixed, affixes(of: run(of: value), isNegative: value.isNegative)), as: UTF8.self)
    }

    // MARK: - Digits

    /// Returns the digits in a value's text; a value that isn't finite counts as zero.
    func run(of value: Double) -> DigitRun {
        let plan = label.plan
        let units = DecimalUnits(
            rounding: value.isFinite ? value.magnitude : 0, places: plan.maximumDecimals + plan.shift,
            rule: plan.rounding, isNegative: value < 0)
        return units.run(in: plan)
    }

    /// Returns the digits in a value's text.
    func run(of value: ExactDecimal) -> DigitRun { label.plan.units(of: value).run(in: label.plan) }

    /// Returns a value in units of the last digit; nil beyond 2^52, where doubles have no fractions.
    func turned(_ value: Double) -> Double? {
        guard value.isFinite else { return 0 }
        let turned = value.magnitude * PowersOfTen.double(min(label.plan.maximumDecimals + label.plan.shift, 22))
        return turned < 0x1p52 ? turned : nil
    }

    /// - Parameter turned: Units of the last digit; nil for a resting value.
    func layOut(_ run: DigitRun, turned: Double?, into parts: inout [WheelPart]) {
        let columns = columns(run, turned)
        begin(&parts)
        guard !standsAlone(run) else { return end(&parts) }
        for place in stride(from: columns.count - 1, through: -run.decimalCount, by: -1) {
            append(wheel(place, of: run, turned, columns), of: columns.count, presence: columns.presence, to: &parts)
        }
        end(&parts)
    }

    /// Returns whether a word replaces the digits, as in the Arabic `two days`.
    func standsAlone(_ run: DigitRun) -> Bool {
        label.plan.plural?.standsAlone(for: run.operands, isNegative: false) ?? false
    }

    private func wheel(_ place: Int, of run: DigitRun, _ turned: Double?, _ columns: Columns) -> DigitWheel {
        let presence = columns.presence(place)
        // An entering wheel is on the 1 that it will show; a 0 would be a leading zero.
        guard presence == 1 else { return DigitWheel(place: place, position: 1, presence: presence) }
        let order = place + label.plan.maximumDecimals
        guard let turned, order <= 16 else {
            let digit = place >= 0 ? run[integer: run.integerCount - 1 - place] : run[decimal: -1 - place]
            return DigitWheel(place: place, position: Double(digit))
        }
        return DigitWheel(place: place, position: position(order, turned))
    }

    /// Returns the position of the wheel for 10^order units, with `turned` units shown.
    private func position(_ order: Int, _ turned: Double) -> Double {
        let power = PowersOfTen.narrow(order)
        let whole = UInt64(saturating: turned)
        let fraction = turned - Double(whole)
        let digit = Double(whole / power % 10)
        // The turn of the wheels below, in units: exact integers plus the fraction.
        let below = Double(whole % power) + fraction
        let carried =
            switch carry {
            case .continuous: below / Double(power)
            // Only the last unit of a turn moves the next wheel: with 9.25 below by a quarter, and with 99.25 too.
            case .odometer: max(0, below - Double(power - 1))
            }
        return min(digit + carried, Double(10).nextDown)
    }

    // MARK: - Columns

    /// The digits before the point.
    private struct Columns {
        var count: Int
        /// The presence of the first one.
        var first = 1.0

        func presence(_ place: Int) -> Double { place + 1 == count ? first : place < count ? 1 : 0 }
    }

    /// Returns the columns. One enters or leaves within the last unit before it is needed: a second column from 9 to 10.
    private func columns(_ run: DigitRun, _ turned: Double?) -> Columns {
        let plan = label.plan
        guard let turned else { return Columns(count: run.integerCount) }
        func edge(_ count: Int) -> Double { PowersOfTen.double(min(count + plan.maximumDecimals, 22)) }
        // The text may already have rounded up.
        let isAhead = run.integerCount > plan.minimumIntegerDigits && turned < edge(run.integerCount - 1)
        let count = isAhead ? run.integerCount - 1 : run.integerCount
        let entered = turned - (edge(count) - 1)
        return entered > 0 ? Columns(count: count + 1, first: min(entered, 1)) : Columns(count: count)
    }

    private func begin(_ parts: inout [WheelPart]) {
        parts.removeAll(keepingCapacity: true)
        parts.append(.fixed(.prefix))
        parts.append(.fixed(.numberPrefix))
    }

    private func end(_ parts: inout [WheelPart]) {
        parts.append(.fixed(.numberSuffix))
        parts.append(.fixed(.suffix))
    }

    /// Appends a wheel and the separator before it. A group separator has the presence of the column that requires it.
    private func append(
        _ wheel: DigitWheel, of columns: Int, presence: (Int) -> Double, to parts: inout [WheelPart]
    ) {
        let grouping = label.plan.grouping
        if grouping.primary > 0, wheel.place >= 0, wheel.place + 1 < columns,
            label.plan.startsGroup(wheel.place + 1)
        {
            let needed = max(wheel.place + 1, grouping.primary + grouping.minimum - 1)
            if needed < columns { parts.append(.fixed(.groupSeparator, presence: presence(needed))) }
        }
        if wheel.place == -1 { parts.append(.fixed(.decimalSeparator, presence: wheel.presence)) }
        parts.append(.wheel(wheel))
    }

    /// Lays out moving wheels, as from ``WheelTransition``, and the parts between them. `parts` is cleared and refilled,
    /// reusing its storage.
    public func layOut(_ wheels: [DigitWheel], into parts: inout [WheelPart]) {
        let count = wheels.reduce(0) { max($0, $1.place == .max ? .max : $1.place + 1) }
        begin(&parts)
        for wheel in wheels {
            append(
                wheel, of: count,
                presence: { place in wheels.first { $0.place == place }.map { min(max($0.presence, 0), 1) } ?? 1 },
                to: &parts)
        }
        end(&parts)
    }
}

extension TickerLabel {
    /// Whether its digits have fixed places, and are separate characters.
    package var hasWheels: Bool { plan.hasFixedPlaces && message == nil && !isLastDigitCombined }

    /// Whether its last digit forms one character with the text after it: a keycap, or a combining mark.
    private var isLastDigitCombined: Bool {
        // Such marks begin with a byte of at least that of U+0300.
        guard let first = suffix.first, first >= 0xCC, plan.affixes.positive.suffix.isEmpty else { return false }
        let next = String(decoding: suffix.prefix(4), as: UTF8.self).unicodeScalars.first
        return next.map { "0\(Character($0))".count == 1 } ?? false
    }
}

extension NumberPlan {
    /// Returns `value` in whole units of this plan's last digit.
    func units(of value: ExactDecimal) -> DecimalUnits {
        DecimalUnits(
            rounding: value.coefficient.magnitude, scale: value.scale, places: maximumDecimals + shift, rule: rounding,
            isNegative: value.isNegative)
    }
}
