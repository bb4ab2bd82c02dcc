// Where the wheels of a label's digits stand for a value. Digits come from the same rounding as the text that is sent,
// so that wheels at rest always show the text.

import Conversions

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

    /// Nil for labels whose digits don't stand for fixed places: compact notation and plural messages.
    public init?(_ label: TickerLabel, carry: Carry = .odometer) {
        guard label.plan.compact == nil, label.message == nil else { return nil }
        self.label = label
        self.carry = carry
    }

    /// Lays out a value on its way. `parts` is emptied and filled; its storage is reused.
    public func layOut(_ value: Double, into parts: inout [WheelPart]) {
        let plan = label.plan
        let value = value.isFinite ? value : 0
        let places = plan.maximumDecimals + plan.shift
        let units = DecimalUnits(
            rounding: value.magnitude, places: places, rule: plan.rounding, isNegative: value < 0)
        let turned = value.magnitude * PowersOfTen.double(min(places, 22))
        // Beyond 2^53 a double has no fraction of a unit left to turn a wheel by.
        layOut(units.run(in: plan), turned: turned < 0x1p53 ? turned : nil, into: &parts)
    }

    /// Lays out a value at rest: every wheel stands on its digit.
    public func layOut(_ value: ExactDecimal, into parts: inout [WheelPart]) {
        layOut(label.plan.units(of: value).run(in: label.plan), turned: nil, into: &parts)
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

    private func layOut(_ run: DigitRun, turned: Double?, into parts: inout [WheelPart]) {
        let plan = label.plan
        parts.removeAll(keepingCapacity: true)
        parts.append(.fixed(.prefix))
        parts.append(.fixed(.numberPrefix))
        let isGrouped = plan.grouping.primary > 0 && run.integerCount >= plan.grouping.primary + plan.grouping.minimum
        for index in 0..<run.integerCount {
            let remaining = run.integerCount - index
            if isGrouped, index > 0, plan.startsGroup(remaining) { parts.append(.fixed(.groupSeparator)) }
            parts.append(wheel(remaining - 1, digit: run[integer: index], turned))
        }
        if run.decimalCount > 0 { parts.append(.fixed(.decimalSeparator)) }
        for index in 0..<run.decimalCount {
            parts.append(wheel(-1 - index, digit: run[decimal: index], turned))
        }
        parts.append(.fixed(.numberSuffix))
        parts.append(.fixed(.suffix))
    }

    private func wheel(_ place: Int, digit: UInt8, _ turned: Double?) -> WheelPart {
        let order = place + label.plan.maximumDecimals
        guard let turned, order <= 16 else { return .wheel(DigitWheel(place: place, position: Double(digit))) }
        return .wheel(DigitWheel(place: place, position: position(order, turned)))
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
}

extension NumberPlan {
    /// `value` in whole units of this plan's last digit.
    func units(of value: ExactDecimal) -> DecimalUnits {
        DecimalUnits(
            rounding: value.coefficient.magnitude, scale: value.scale, places: maximumDecimals + shift, rule: rounding,
            isNegative: value.isNegative)
    }
}
