// Wheels that turn directly from one number's digits to another's, independently of the numbers in between.

import Base

/// A change of digits, wheel by wheel. Digits are aligned at the point; those that only one number has enter or leave
/// without turning.
public struct WheelTransition: Hashable, Sendable {
    private struct Turn: Hashable, Sendable {
        let place: Int
        let start: Double
        let travel: Double
        /// Its presence at the start.
        let presence: Double
        /// Whether it is present at the end.
        let stays: Bool
    }

    private let turns: [Turn]
    /// The largest position that a wheel turns to; nil if it goes round.
    private let limit: Double?

    /// Creates a change from wheels' current positions to a number's digits.
    ///
    /// - Parameters:
    ///   - old: the wheels' positions, from left to right; a transition's own wheels if it is interrupted.
    ///   - new: the new number.
    ///   - plan: how that number is written.
    ///   - direction: the direction in which the wheels turn.
    public init(from old: [DigitWheel], to new: ExactDecimal, _ plan: NumberPlan, direction: WheelDirection) {
        let run = plan.units(of: new).run(in: plan)
        var turns: [Turn] = []
        let old = old.filter { Self.places.contains($0.place) && $0.presence > 0 }
        let highest = max(run.integerCount - 1, old.map { $0.place }.max() ?? 0)
        let lowest = min(-plan.maximumDecimals, old.map { $0.place }.min() ?? 0)
        for place in stride(from: highest, through: lowest, by: -1) {
            let wheel = old.first { $0.place == place }
            let isShown = place < run.integerCount && place >= -run.decimalCount
            if isShown {
                let index = run.integerCount - 1 - place
                let digit = place >= 0 ? run[integer: index] : run[decimal: -1 - place]
                turns.append(Self.turn(place, from: wheel, to: Int(digit), direction))
            } else if let wheel {
                turns.append(
                    Turn(
                        place: place, start: Self.wrapped(wheel.position), travel: 0, presence: min(wheel.presence, 1),
                        stays: false))
            }
        }
        self.turns = turns
        limit = direction == .strip ? 9 : nil
    }

    /// The possible places of a wheel; the largest double has 309 digits. Others are ignored.
    private static let places = -400...400

    /// Creates a change between two resting numbers.
    public init(from old: ExactDecimal, to new: ExactDecimal, _ plan: NumberPlan, direction: WheelDirection) {
        let start = WheelTransition(from: [], to: old, plan, direction: direction)
        self.init(from: start.wheels(at: 1), to: new, plan, direction: direction)
    }

    /// Returns the wheels at an eased progress of 0...1. Beyond it they overshoot, as springs do; a strip stops at its ends.
    public func wheels(at progress: Double) -> [DigitWheel] {
        var wheels: [DigitWheel] = []
        layOut(progress, into: &wheels)
        return wheels
    }

    /// Writes the wheels into an array, which is cleared and refilled, reusing its storage.
    package func layOut(_ progress: Double, into wheels: inout [DigitWheel]) {
        // NaN counts as the end.
        let progress = progress.isNaN ? 1 : progress
        let way = min(max(progress, 0), 1)
        wheels.removeAll(keepingCapacity: true)
        for turn in turns {
            // A wheel that has left is omitted; an entering one is present from the start, if only as a place.
            if !turn.stays, way == 1 { continue }
            let position = turn.start + turn.travel * progress
            wheels.append(
                DigitWheel(
                    place: turn.place, position: Self.wrapped(limit.map { min(max(position, 0), $0) } ?? position),
                    presence: turn.presence + ((turn.stays ? 1 : 0) - turn.presence) * way))
        }
    }

    private static func turn(_ place: Int, from wheel: DigitWheel?, to digit: Int, _ direction: WheelDirection) -> Turn
    {
        guard let wheel else {
            return Turn(place: place, start: Double(digit), travel: 0, presence: 0, stays: true)
        }
        let start = wrapped(wheel.position)
        let old = Int(saturating: start)
        // If interrupted between two digits, the part of the step already made is subtracted.
        let travel = Double(direction.travel(from: old, to: digit)) - (start - Double(old))
        return Turn(place: place, start: start, travel: travel, presence: min(wheel.presence, 1), stays: true)
    }

    /// Returns the position on a wheel of ten digits, 0 ≤ … < 10, after any number of turns; 0 for infinite or NaN
    /// positions.
    private static func wrapped(_ position: Double) -> Double {
        guard position < 0 || position >= 10 else { return position.isNaN ? 0 : position }
        let rest = position.truncatingRemainder(dividingBy: 10)
        let turned = rest < 0 ? rest + 10 : rest
        // Just below zero the sum rounds to ten; for infinity it is NaN.
        return turned < 10 ? turned : 0
    }
}
