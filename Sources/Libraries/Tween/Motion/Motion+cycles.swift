// The cycles of a spring that is let go more than once, or runs backwards: not for the one plain run that nearly all are.

extension Motion {
    /// The timing that its cycles go by; a spring's has the time in which that settles for a duration.
    var timing: Timing {
        switch course {
        case .timed(let timing): timing
        case .spring(_, let delay, let endDelay, let cycles, _):
            Timing(
                duration: cycleDuration, delay: Self.seconds(delay), endDelay: Self.seconds(endDelay), cycles: cycles)
        }
    }

    /// The value of a spring at a share of one of its cycles, 0 to 1 in the spring's own direction.
    func springValue(_ spring: Spring, at share: Double, isFirst: Bool) -> Double {
        if share <= 0 { return from }
        if share >= 1 { return to }
        let run = run(of: spring, isFirst: isFirst)
        let rest = run.displacement(at: cycleDuration)
        let value = to + run.displacement(at: share * cycleDuration) - rest * share * share * (3 - 2 * share)
        return value.isFinite ? value : to
    }

    /// The derivative of `springValue(_:at:isFirst:)` in units per second.
    func springVelocity(_ spring: Spring, at share: Double, isFirst: Bool) -> Double {
        guard share * cycleDuration >= 0, cycleDuration.isFinite else { return 0 }
        let run = run(of: spring, isFirst: isFirst)
        let rest = run.displacement(at: cycleDuration)
        return run.velocity(at: share * cycleDuration) - rest * 6 * share * (1 - share) / cycleDuration
    }

    /// One cycle's run: the first one has the velocity at the start.
    private func run(of spring: Spring, isFirst: Bool) -> Oscillation {
        isFirst || oscillation.startVelocity == 0
            ? oscillation : Oscillation(spring, displacement: from - to, velocity: 0)
    }
}
