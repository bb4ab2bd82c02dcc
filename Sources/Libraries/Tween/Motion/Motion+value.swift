// A motion's value and velocity at a moment. This is the hot path: no allocation, no closure, no existential.

extension Motion {
    /// Returns the value at an instant: `from` before it moves, exactly the `destination` once it has arrived.
    @inline(__always)
    public func value(at instant: Instant) -> Double {
        value(atTime: isPlain ? playback.time(at: instant) : elapsed(at: instant))
    }

    /// Returns the velocity at an instant, in units per second of the timeline; 0 while nothing moves.
    public func velocity(at instant: Instant) -> Double {
        guard playback.hold == nil, playback.rate != 0 else { return 0 }
        return velocity(atTime: elapsed(at: instant)) * playback.rate
    }

    /// Returns the value at an own time.
    @inline(__always)
    func value(atTime time: Double) -> Double {
        let value = freeValue(atTime: time)
        return overshoot == .allow ? value : held(value, at: time)
    }

    /// Applies the overshoot rule to a value.
    func held(_ value: Double, at time: Double) -> Double {
        time - delay >= arrival ? to : min(max(value, range.lowerBound), range.upperBound)
    }

    /// Returns the value at an own time, without the overshoot rule.
    @inline(__always)
    private func freeValue(atTime time: Double) -> Double {
        switch course {
        case .timed(let timing):
            return isPlain ? plainValue(timing, at: time) : resolvedValue(timing, at: time)
        case .spring:
            guard isPlain else { return resolvedValue(timing, at: time) }
            let elapsed = time - delay
            if elapsed >= activeDuration || time >= movementEnd { return to }
            if elapsed <= 0 { return from }
            let value = to + oscillation.displacement(at: elapsed)
            // If the ends are further apart than a double's range, the closed form has no finite value.
            return value.isFinite ? value : to
        }
    }

    /// Returns the value of one forward cycle.
    @inline(__always)
    private func plainValue(_ timing: Timing, at time: Double) -> Double {
        let elapsed = time - timing.delay
        // Both conditions, since the sum and the difference round differently.
        if elapsed >= timing.duration || time >= movementEnd { return to }
        if elapsed < 0 || elapsed == 0 && playback.rate < 0 { return from }
        let progress = elapsed / timing.duration
        if case .none = velocityMatch.form { return blend(timing.easing.value(at: progress)) }
        return blend(velocityMatch.value(at: progress, of: timing.easing)) + velocityMatch.aside(at: elapsed)
    }

    /// Returns the value with any cycles, in the order of the timing model.
    private func resolvedValue(_ timing: Timing, at time: Double) -> Double {
        let phase = timing.phase(at: time, isReversed: playback.rate < 0)
        let position = timing.position(at: time, in: phase)
        guard phase == .active else {
            // An easing may end elsewhere, but a motion never does.
            if position.directed == 0 { return from }
            return position.directed == 1 ? to : cycleValue(timing, at: position.directed, isFirst: false)
        }
        let isFirst = position.iteration == timing.iterationStart.rounded(.down)
        let value = cycleValue(timing, at: position.directed, isFirst: isFirst)
        return isFirst && velocityMatch.form != .none ? value + velocityMatch.aside(at: time - timing.delay) : value
    }

    /// Returns the value at a share of a cycle, 0 to 1 after applying its direction.
    func cycleValue(_ timing: Timing, at share: Double, isFirst: Bool) -> Double {
        if let keyframes { return keyframes.value(at: share, from: from) }
        if case .spring(let spring, _, _, _, _) = course { return springValue(spring, at: share, isFirst: isFirst) }
        guard isFirst, velocityMatch.form != .none else { return blend(timing.easing.value(at: share)) }
        return blend(velocityMatch.value(at: share, of: timing.easing))
    }

    /// Returns the value at an eased progress. Exact at both ends, and between them for progress between 0 and 1.
    @inline(__always)
    func blend(_ progress: Double) -> Double { interpolated(from: from, to: to, at: progress) }

    /// Returns the velocity at an own time, in units per second of own time.
    func velocity(atTime time: Double) -> Double {
        if overshoot != .allow, time - delay >= arrival || !range.contains(freeValue(atTime: time)) { return 0 }
        let velocity =
            if isPlain, case .spring = course { plainSpringVelocity(at: time - delay) } else {
                resolvedVelocity(timing, at: time)
            }
        // An easing can be vertical for a moment, but an infinite velocity can't be handed over.
        return velocity.isFinite ? velocity : 0
    }

    private func plainSpringVelocity(at elapsed: Double) -> Double {
        elapsed >= 0 && elapsed < activeDuration ? oscillation.velocity(at: elapsed) : 0
    }

    private func resolvedVelocity(_ timing: Timing, at time: Double) -> Double {
        let phase = timing.phase(at: time, isReversed: playback.rate < 0)
        guard phase == .active else { return 0 }
        let position = timing.position(at: time, in: phase)
        guard !position.isResting else { return 0 }
        let sign: Double = position.isForwards ? 1 : -1
        let isFirst = position.iteration == timing.iterationStart.rounded(.down)
        let aside = isFirst ? velocityMatch.asideVelocity(at: time - timing.delay) : 0
        if case .spring(let spring, _, _, _, _) = course {
            return sign * springVelocity(spring, at: position.directed, isFirst: isFirst) + aside
        }
        if let keyframes {
            return sign * keyframes.slope(at: position.directed, from: from) / timing.duration + aside
        }
        let scale = sign * (to - from) / timing.duration
        guard isFirst, velocityMatch.form != .none else { return scale * timing.easing.slope(at: position.directed) }
        return scale * velocityMatch.slope(at: position.directed, of: timing.easing) + aside
    }
}
