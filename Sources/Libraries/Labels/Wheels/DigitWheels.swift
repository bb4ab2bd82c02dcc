// The positions of a label's digit wheels for a value. Digits are rounded like the text, so wheels at rest always match it.

import Base

/// Wheels that follow the value itself, like a counter's.
public struct DigitWheels: Hashable, Sendable {
    /// How lower wheels move higher ones.
    public enum Carry: String, Hashable, Sendable, CaseIterable {
        /// Every wheel turns continuously, each ten times slower than the one on its right.
        case continuous
        /// A wheel turns only while the one on its right goes from 9 to 0.
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
        layOut(run(of: value), turned: turned(value), isNegative: value < 0, into: &parts)
    }

    /// Lays out a resting value: every wheel is on its digit.
    public func layOut(_ value: ExactDecimal, into parts: inout [WheelPart]) {
        layOut(run(of: value), turned: nil, isNegative: value.isNegative, into: &parts)
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

    // MARK: - Layout

    private var layout: WheelLayout { WheelLayout(label.plan, carry) }

    /// Returns the digits in a value's text; a value that isn't finite counts as zero.
    func run(of value: Double) -> DigitRun {
        let plan = label.plan
        return layout.run(
            of: DecimalUnits(
                rounding: value.isFinite ? value.magnitude : 0, places: plan.maximumDecimals + plan.shift,
                rule: plan.rounding, isNegative: value < 0))
    }

    /// Returns the digits in a value's text.
    func run(of value: ExactDecimal) -> DigitRun { layout.run(of: label.plan.units(of: value)) }

    /// Returns a value without its sign in units of the last digit; nil beyond 2^52, where doubles have no fractions.
    func turned(_ value: Double) -> Double? { layout.turned(value) }

    /// - Parameter turned: Units of the last digit; nil for a resting value.
    func layOut(_ run: DigitRun, turned: Double?, isNegative: Bool, into parts: inout [WheelPart]) {
        let layout = layout
        begin(&parts)
        defer { end(&parts) }
        guard !standsAlone(run, isNegative: isNegative) else { return }
        let wheels = layout.wheels(of: run, turned: turned)
        for wheel in wheels {
            if let separator = layout.separator(
                before: wheel, columns: wheels.columns.count, presence: wheels.columns.presence)
            {
                parts.append(.fixed(separator.text, presence: separator.presence))
            }
            parts.append(.wheel(wheel))
        }
    }

    /// Returns whether a word replaces the digits, as the Arabic word for `two days` does.
    func standsAlone(_ run: DigitRun, isNegative: Bool) -> Bool {
        label.plan.plural?.standsAlone(for: run.operands, isNegative: isNegative) ?? false
    }

    /// Lays out moving wheels, as from ``WheelTransition``, and the parts between them. `parts` is cleared and refilled,
    /// reusing its storage. Pass no wheels where a word replaces the digits.
    public func layOut(_ wheels: [DigitWheel], into parts: inout [WheelPart]) {
        let layout = layout
        begin(&parts)
        for wheel in wheels {
            if let separator = layout.separator(before: wheel, columns: wheels.columns, presence: wheels.presence) {
                parts.append(.fixed(separator.text, presence: separator.presence))
            }
            parts.append(.wheel(wheel))
        }
        end(&parts)
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
}

extension [DigitWheel] {
    /// How many digits are before the point.
    var columns: Int { reduce(0) { Swift.max($0, $1.place == .max ? .max : $1.place + 1) } }

    /// Returns the presence of the wheel at a place; 1 where there is none.
    func presence(_ place: Int) -> Double {
        first { $0.place == place }.map { Swift.min(Swift.max($0.presence, 0), 1) } ?? 1
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
