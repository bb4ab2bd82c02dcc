// The cycles of a spring that repeats or runs backwards. Nearly all springs run once and don't need this.

extension Motion {
    /// The timing of its cycles. A spring's duration is its settling time.
    var timing: Timing {
        switch course {
        case .timed(let timing): timing
        case .spring(_, let delay, let endDelay, let cycles, _):
            Timing(
                duration: cycleDuration, delay: Self.seconds(delay), endDelay: Self.seconds(endDelay), cycles: cycles)
        }
    }

    /// Returns a spring's value at a share of one of its cycles, 0 to 1 in the spring's own direction.
    func springValue(_ spring: Spring, at share: Double, isFirst: Bool) -> Double {
        if share <= 0 { return from }
        if share >= 1 { return to }
        let run = run(of: spring, isFirst: isFirst)
        let rest = run.displacement(at: cycleDuration)
        let value = to + run.displacement(at: share * cycleDuration) - rest * share * share * (3 - 2 * share)
        return value.isFinite ? value : to
    }

    /// Returns the derivative of `springValue(_:at:isFirst:)` in units per second.
    func springVelocity(_ spring: Spring, at share: Double, isFirst: Bool) -> Double {
        guard share * cycleDuration >= 0, cycleDuration.isFinite else { return 0 }
        let run = run(of: spring, isFirst: isFirst)
        let rest = run.displacement(at: cycleDuration)
        return run.velocity(at: share * cycleDuration) - rest * 6 * share * (1 - share) / cycleDuration
    }

    /// Returns one cycle's run. Only the first one has the initial velocity.
    func run(of spring: Spring, isFirst: Bool) -> Oscillation {
        isFirst || oscillation.startVelocity == 0
            ? oscillation : Oscillation(spring, displacement: from - to, velocity: 0)
    }
}
