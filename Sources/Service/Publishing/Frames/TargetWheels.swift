// Digits that turn towards a motion's target, each wheel by itself, whatever numbers lie between.

import Board
import EventStream
import Labels
import Tween

/// The wheels of one motion.
struct TargetWheels {
    /// That of their run.
    let animation: UInt64
    private let start: Double
    private let end: Double
    private let transition: WheelTransition
    /// If the sign changes on the way, the wheels pass zero; otherwise 5 would reach -5 without turning.
    private let fromZero: WheelTransition?

    /// Creates the wheels of a run.
    /// - Parameters:
    ///   - last: The wheels before it, which may still turn; nil if they stood still, or none were sent.
    ///   - position: Where the number is.
    init(
        _ run: Run, after last: TargetWheels?, at position: Position, _ plan: NumberPlan, _ direction: WheelDirection
    ) {
        (animation, start, end) = (run.animation, position.double, run.request.target.double)
        var standing: [DigitWheel] = []
        if let last {
            last.layOut(at: start, into: &standing)
        } else {
            // They start on the digits shown.
            let shown: ExactDecimal? = if case .exact(let exact) = position { exact } else { ExactDecimal(start) }
            standing = WheelTransition(from: [], to: shown ?? run.request.target, plan, direction: direction)
                .wheels(at: 1)
        }
        let target = run.request.target
        guard start * end < 0 else {
            transition = WheelTransition(from: standing, to: target, plan, direction: direction)
            fromZero = nil
            return
        }
        transition = WheelTransition(from: standing, to: .zero, plan, direction: direction)
        fromZero = WheelTransition(from: transition.wheels(at: 1), to: target, plan, direction: direction)
    }

    /// Computes where the wheels are at a value. Empties and fills `wheels` to reuse its storage.
    func layOut(at value: Double, into wheels: inout [DigitWheel]) {
        guard let fromZero else {
            return transition.layOut(end == start ? 1 : (value - start) / (end - start), into: &wheels)
        }
        if value * end > 0 {
            fromZero.layOut(value / end, into: &wheels)
        } else {
            transition.layOut(1 - value / start, into: &wheels)
        }
    }
}

extension WheelDirection {
    /// Creates a direction; nil for wheels that follow the value.
    init?(_ style: Variant.Wheels) {
        switch style {
        case .odometer, .continuous: return nil
        case .up: self = .up
        case .down: self = .down
        case .shortest: self = .shortest
        case .strip: self = .strip
        }
    }
}
