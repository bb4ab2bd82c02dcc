// Where the wheels of a label's digits stand for a value. Digits come from the same rounding as the text that is sent,
// so that wheels at rest always show the text.

import Base

/// Wheels that follow the value itself, as those of a counter do.
public struct DigitWheels: Hashable, Sendable {
    /// How lower wheels move higher ones.
    public enum Carry: String, Hashable, Sendable, CaseIterable {
        /// Every wheel turns all the time, each ten times slower than its neighbour.
        case continuous
        /// A wheel turns while its neighbour goes from 9 to 0, one at a time.
        case odometer
    }

    /// The label whose digits turn.
    public let label: TickerLabel
    /// How lower wheels move higher ones.
    public let carry: Carry

    /// Nil for labels without wheels: compact notation, significant digits, exponents and plural messages, whose digits
    /// don't stand for fixed places, and a last digit that is one character with what follows it, as in a keycap.
    public init?(_ label: TickerLabel, carry: Carry = .odometer) {
        guard label.hasWheels else { return nil }
        self.label = label
        self.carry = carry
    }

    /// Lays out a value on its way. `parts` is emptied and filled; its storage is reused.
    public func layOut(_ value: Double, into parts: inout [WheelPart]) {
        layOut(run(of: value), turned: turned(value), into: &parts)
    }

    /// Lays out a value at rest: every wheel stands on its digit.
    public func layOut(_ value: ExactDecimal, into parts: inout [WheelPart]) {
        layOut(run(of: value), turned: nil, into: &parts)
    }

    /// The digits of a value at rest, from left to right.
    public func digits(of value: ExactDecimal) -> [Int] {
        var parts: [WheelPart] = []
        layOut(value, into: &parts)
        return parts.compactMap { part in
            guard case .wheel(let wheel) = part else { return nil }
            return Int(saturating: wheel.position)
        }
    }

    /// What a fixed part says while a value is shown: sign, currency and plural form are those of its rounded digits, as in
    /// its text.
    public func text(of fixed: WheelPart.Fixed, for value: Double) -> String {
        String(decoding: text(of: fixed, affixes(of: run(of: value), isNegative: value < 0)), as: UTF8.self)
    }

    /// What a fixed part says while a value at rest is shown.
    public func text(of fixed: WheelPart.Fixed, for value: ExactDecimal) -> String {
        String(decoding: text(of: fixed, affixes(of: run(of: value), isNegative: value.isNegative)), as: UTF8.self)
    }

    // MARK: - Digits

    /// The digits that the text of a value has; zero stands in for what is not finite.
    func run(of value: Double) -> DigitRun {
        let plan = label.plan
        let units = DecimalUnits(
            rounding: value.isFinite ? value.magnitude : 0, places: plan.maximumDecimals + plan.shift,
            rule: plan.rounding, isNegative: value < 0)
        return units.run(in: plan)
    }

    /// The digits that the text of a value has.
    func run(of value: ExactDecimal) -> DigitRun { label.plan.units(of: value).run(in: label.plan) }

    /// How many units of the last digit a value has turned; nil beyond 2^52, where a double has no fraction of one left.
    func turned(_ value: Double) -> Double? {
        guard value.isFinite else { return 0 }
        let turned = value.magnitude * PowersOfTen.double(min(label.plan.maximumDecimals + label.plan.shift, 22))
        return turned < 0x1p52 ? turned : nil
    }

    /// - Parameter turned: Units of the last digit; nil for a value at rest.
    func layOut(_ run: DigitRun, turned: Double?, into parts: inout [WheelPart]) {
        let columns = columns(run, turned)
        begin(&parts)
        guard !standsAlone(run) else { return end(&parts) }
        for place in stride(from: columns.count - 1, through: -run.decimalCount, by: -1) {
            append(wheel(place, of: run, turned, columns), of: columns.count, presence: columns.presence, to: &parts)
        }
        end(&parts)
    }

    /// Whether a word stands in place of the digits, as in the Arabic `two days`.
    func standsAlone(_ run: DigitRun) -> Bool {
        label.plan.plural?.standsAlone(for: run.operands, isNegative: false) ?? false
    }

    private func wheel(_ place: Int, of run: DigitRun, _ turned: Double?, _ columns: Columns) -> DigitWheel {
        let presence = columns.presence(place)
        // One that enters stands on the 1 it will show: before that it would be a leading zero.
        guard presence == 1 else { return DigitWheel(place: place, position: 1, presence: presence) }
        let order = place + label.plan.maximumDecimals
        guard let turned, order <= 16 else {
            let digit = place >= 0 ? run[integer: run.integerCount - 1 - place] : run[decimal: -1 - place]
            return DigitWheel(place: place, position: Double(digit))
        }
        return DigitWheel(place: place, position: position(order, turned))
    }

    /// The position of the wheel that counts 10^order units, with `turned` units shown.
    private func position(_ order: Int, _ turned: Double) -> Double {
        let power = PowersOfTen.narrow(order)
        let whole = UInt64(saturating: turned)
        let fraction = turned - Double(whole)
        let digit = Double(whole / power % 10)
        // What the wheels below have turned, in units: exact integers plus the fraction.
        let below = Double(whole % power) + fraction
        let carried =
            switch carry {
            case .continuous: below / Double(power)
            // Only the last unit of a turn moves the next wheel: 9.25 below is a quarter, 99.25 as well.
            case .odometer: max(0, below - Double(power - 1))
            }
        return min(digit + carried, Double(10).nextDown)
    }

    // MARK: - Columns

    /// The digits before the point.
    private struct Columns {
        var count: Int
        /// How far the first one is there.
        var first = 1.0

        func presence(_ place: Int) -> Double { place + 1 == count ? first : place < count ? 1 : 0 }
    }

    /// A column enters or leaves within the last unit before the number that has it: a tenth column from 9 to 10.
    private func columns(_ run: DigitRun, _ turned: Double?) -> Columns {
        let plan = label.plan
        guard let turned else { return Columns(count: run.integerCount) }
        func edge(_ count: Int) -> Double { PowersOfTen.double(min(count + plan.maximumDecimals, 22)) }
        // The text has rounded up, or has not yet.
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

    /// Appends a wheel and the separator before it: a group's is there as far as the column that makes it needed.
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

    /// Lays out wheels on their way, as ``WheelTransition`` has them, and what stands between them. `parts` is emptied and
    /// filled; its storage is reused.
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
    /// Whether its digits stand for fixed places, and each for itself.
    package var hasWheels: Bool { plan.hasFixedPlaces && message == nil && !isLastDigitCombined }

    /// Whether its last digit is one character with the text behind it: a keycap's, or one with a combining mark.
    private var isLastDigitCombined: Bool {
        // No such mark begins with a lesser byte than U+0300 does.
        guard let first = suffix.first, first >= 0xCC, plan.affixes.positive.suffix.isEmpty else { return false }
        let next = String(decoding: suffix.prefix(4), as: UTF8.self).unicodeScalars.first
        return next.map { "0\(Character($0))".count == 1 } ?? false
    }
}

extension NumberPlan {
    /// `value` in whole units of this plan's last digit.
    func units(of value: ExactDecimal) -> DecimalUnits {
        DecimalUnits(
            rounding: value.coefficient.magnitude, scale: value.scale, places: maximumDecimals + shift, rule: rounding,
            isNegative: value.isNegative)
    }
}
