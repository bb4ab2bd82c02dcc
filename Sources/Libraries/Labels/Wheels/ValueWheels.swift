// The wheels of one number, from left to right. They follow the number itself, like a counter's.

import Base

/// A number's wheels.
struct ValueWheels: Sequence, IteratorProtocol {
    let columns: WheelColumns
    private let run: DigitRun
    private let carry: DigitWheels.Carry
    private let maximumDecimals: Int
    /// Whether the wheels show units, and not the digits of `run`.
    private let isTurning: Bool
    /// The place of the next wheel.
    private var place: Int
    /// The units of the next wheel and those below: an exact integer and a fraction.
    private var rest: UInt64
    private let fraction: Double

    /// - Parameter turned: Units of the last digit; nil for a resting value.
    init(
        _ run: DigitRun, turned: Double?, _ columns: WheelColumns, _ carry: DigitWheels.Carry, maximumDecimals: Int
    ) {
        (self.run, self.columns, self.carry, self.maximumDecimals) = (run, columns, carry, maximumDecimals)
        isTurning = turned != nil
        place = columns.count - 1
        rest = UInt64(saturating: turned ?? 0)
        fraction = (turned ?? 0) - Double(rest)
        let whole = PowersOfTen.narrow(Swift.max(0, Swift.min(place + maximumDecimals, Self.highestOrder) + 1))
        if rest >= whole { rest %= whole }
    }

    /// Units below 2^52 have no digit of a higher order.
    private static let highestOrder = 16

    mutating func next() -> DigitWheel? {
        guard place >= -run.decimalCount else { return nil }
        defer { place -= 1 }
        let order = place + maximumDecimals
        let position =
            isTurning && order <= Self.highestOrder
            ? turn(PowersOfTen.narrow(order))
            : Double(place >= 0 ? run[integer: run.integerCount - 1 - place] : run[decimal: -1 - place])
        let presence = columns.presence(place)
        // An entering wheel is on the 1 that it will show; a 0 would be a leading zero.
        return DigitWheel(place: place, position: presence == 1 ? position : 1, presence: presence)
    }

    /// Returns the position of the wheel for `power` units, and leaves the units below.
    private mutating func turn(_ power: UInt64) -> Double {
        let digit = rest / power
        rest -= digit * power
        let carried: Double
        switch carry {
        case .continuous: carried = (Double(rest) + fraction) / Double(power)
        case .odometer:
            // Only the last unit of a turn moves the next wheel: with 9.25 below by a quarter, and with 99.25 too.
            guard rest == power - 1 else { return Double(digit) }
            carried = Double(rest) + fraction - Double(power - 1)
        }
        return Swift.min(Double(digit) + carried, Double(10).nextDown)
    }
}
