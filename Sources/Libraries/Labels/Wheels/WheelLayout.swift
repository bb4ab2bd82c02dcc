// Where the wheels of a plan's digits and the separators between them stand.

/// A plan's digits, columns and groups as small integers, so that a frame's wheels count no references.
struct WheelLayout: Sendable {
    let carry: DigitWheels.Carry
    private let maximumDecimals: Int
    private let minimumDecimals: Int
    private let minimumIntegerDigits: Int
    /// The power of ten of a value's units.
    private let places: Int
    private let grouping: NumberPlan.Grouping

    init(_ plan: NumberPlan, _ carry: DigitWheels.Carry) {
        self.carry = carry
        maximumDecimals = plan.maximumDecimals
        minimumDecimals = plan.minimumDecimals
        // As in `DigitRun`: without decimals, at least a zero is shown.
        minimumIntegerDigits = plan.minimumDecimals > 0 ? plan.minimumIntegerDigits : max(1, plan.minimumIntegerDigits)
        places = min(plan.maximumDecimals + plan.shift, 22)
        grouping = plan.grouping
    }

    /// The most wheels of a number of at most 19 digits, with one that enters.
    var mostWheels: Int { max(20, minimumIntegerDigits + 1) + maximumDecimals }

    /// Returns the digits that show a number, which is given in units of its last digit.
    func run(of units: DecimalUnits) -> DigitRun {
        DigitRun(
            units, maximumDecimals: maximumDecimals, minimumDecimals: minimumDecimals,
            minimumIntegerDigits: minimumIntegerDigits)
    }

    /// Returns a value in units of the last digit: 0 for one that isn't finite, nil beyond 2^52, where doubles have no
    /// fractions.
    func turned(_ value: Double) -> Double? {
        guard value.isFinite else { return 0 }
        let turned = value.magnitude * PowersOfTen.double(places)
        return turned < 0x1p52 ? turned : nil
    }

    /// Returns the wheels of a number.
    /// - Parameter turned: Units of the last digit; nil for a resting value.
    func wheels(of run: DigitRun, turned: Double?) -> ValueWheels {
        ValueWheels(run, turned: turned, columns(run, turned), carry, maximumDecimals: maximumDecimals)
    }

    /// Returns the columns before the point. One enters or leaves within the last unit before it is needed: a second column
    /// from 9 to 10.
    private func columns(_ run: DigitRun, _ turned: Double?) -> WheelColumns {
        guard let turned else { return WheelColumns(count: run.integerCount) }
        func edge(_ count: Int) -> Double { PowersOfTen.double(min(count + maximumDecimals, 22)) }
        // The text may already have rounded up.
        let isAhead = run.integerCount > minimumIntegerDigits && turned < edge(run.integerCount - 1)
        let count = isAhead ? run.integerCount - 1 : run.integerCount
        let entered = turned - (edge(count) - 1)
        return entered > 0 ? WheelColumns(count: count + 1, first: min(entered, 1)) : WheelColumns(count: count)
    }

    /// Returns the separator before a wheel; nil where there is none.
    /// - Parameters:
    ///   - columns: How many digits are before the point.
    ///   - presence: Returns the presence of the wheel at a place: a group separator has that of the column that requires it.
    @inline(__always)
    func separator(before wheel: DigitWheel, columns: Int, presence: (Int) -> Double) -> WheelSeparator? {
        if wheel.place == -1 { return WheelSeparator(text: .decimalSeparator, presence: wheel.presence) }
        guard grouping.primary > 0, wheel.place >= 0, wheel.place < columns - 1, grouping.starts(at: wheel.place + 1)
        else { return nil }
        let needed = max(wheel.place + 1, grouping.primary + grouping.minimum - 1)
        return needed < columns ? WheelSeparator(text: .groupSeparator, presence: presence(needed)) : nil
    }
}

/// The digits before the point.
struct WheelColumns: Sendable {
    var count: Int
    /// The presence of the first one.
    var first = 1.0

    func presence(_ place: Int) -> Double { place + 1 == count ? first : place < count ? 1 : 0 }
}

/// A separator between two wheels.
struct WheelSeparator: Sendable {
    var text: WheelPart.Fixed
    var presence: Double
}
