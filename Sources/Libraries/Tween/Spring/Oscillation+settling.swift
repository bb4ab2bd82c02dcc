// When a spring's run is over: the exact last moment outside a tolerance, from its extrema and a bracketed search.

extension Oscillation {
    /// Returns the seconds from which the displacement stays within `tolerance`; infinite if it never does.
    func settlingTime(tolerance: Double) -> Double {
        if start == 0, startVelocity == 0 { return 0 }
        guard tolerance > 0, decay > 0 else { return .infinity }
        return discriminant > 0 ? swingingSettlingTime(tolerance) : creepingSettlingTime(tolerance)
    }

    /// For oscillating springs. Extrema are half a period apart and shrink steadily, so the last one outside decides.
    private func swingingSettlingTime(_ tolerance: Double) -> Double {
        let amplitude = hypotenuse(start, drive / frequency)
        guard amplitude > tolerance else { return 0 }
        let envelopeTime = logarithm(amplitude / tolerance) / decay
        guard envelopeTime.isFinite else { return .infinity }
        let halfPeriod = Double.pi / frequency
        let phase = firstSwing
        var index = ((envelopeTime - phase) / halfPeriod).rounded(.down)
        // Extrema are sqrt(1 - z²) of the envelope, so few lie between the envelope's time and the last one outside. The
        // limit is for springs that oscillate so often that a double can't count it.
        for _ in 0..<64 where index >= 0 {
            let extremum = phase + index * halfPeriod
            if displacement(at: extremum).magnitude > tolerance {
                return lastCrossing(of: tolerance, from: extremum, to: extremum + halfPeriod)
            }
            index -= 1
        }
        guard index < 0 else { return envelopeTime }
        return start.magnitude > tolerance ? lastCrossing(of: tolerance, from: 0, to: phase) : 0
    }

    /// For overdamped springs. There is at most one extremum; after it the displacement only shrinks.
    private func creepingSettlingTime(_ tolerance: Double) -> Double {
        let extremum = singleExtremum
        let startsOutside = start.magnitude > tolerance
        if let extremum, displacement(at: extremum).magnitude <= tolerance {
            return startsOutside ? lastCrossing(of: tolerance, from: 0, to: extremum) : 0
        }
        if extremum == nil, !startsOutside { return 0 }
        let low = extremum ?? 0
        var step = -1 / slowRate
        while displacement(at: low + step).magnitude > tolerance, step.isFinite { step *= 2 }
        return step.isFinite ? lastCrossing(of: tolerance, from: low, to: low + step) : .infinity
    }

    /// Returns the times at which the velocity is 0, in order, the first of those within these seconds. A spring that
    /// oscillates turns at equal intervals, any other at most once.
    func turns(from low: Double, to high: Double, atMost limit: Int) -> [Double] {
        guard discriminant > 0 else {
            guard let extremum = singleExtremum, extremum >= low, extremum <= high else { return [] }
            return [extremum]
        }
        let halfPeriod = Double.pi / frequency
        var times: [Double] = []
        var index = max(((low - firstSwing) / halfPeriod).rounded(.up), 0)
        while times.count < limit, firstSwing + index * halfPeriod <= high {
            times.append(firstSwing + index * halfPeriod)
            index += 1
        }
        return times
    }

    /// The time of the first turn of an oscillating spring.
    private var firstSwing: Double {
        let phase = arcTangent(startVelocity * frequency, pull) / frequency
        return phase < 0 ? phase + .pi / frequency : phase
    }

    /// The time after the start at which an overdamped spring turns, if it does.
    private var singleExtremum: Double? {
        let ratio = startVelocity / pull
        guard ratio.isFinite, ratio > 0 else { return nil }
        let x = ratio * frequency
        if x < 1e-8 { return ratio }
        return x < 1 ? hyperbolicArcTangent(x) / frequency : nil
    }

    /// Returns where |y| falls through the tolerance between a time outside and one inside. Uses Newton's method within that
    /// span, and bisection where it would leave it: six steps instead of fifty for bisection alone.
    private func lastCrossing(of tolerance: Double, from outside: Double, to inside: Double) -> Double {
        var (low, high) = (outside, inside)
        let late = inside * Self.lateness
        var time = low + (high - low) / 2
        for _ in 0..<Self.maximumSteps {
            if !(time > low && time < high) { time = low + (high - low) / 2 }
            guard time > low, time < high else { break }
            let value = displacement(at: time)
            let excess = value.magnitude - tolerance
            if excess > 0 { low = time } else { high = time }
            let slope = velocity(at: time)
            let crossing = time - excess / (value < 0 ? -slope : slope)
            if excess <= 0, (time - crossing).magnitude <= 2 * late { break }
            // Slightly later, so that the search can stop on the inside.
            time = crossing + late
        }
        return high
    }

    /// How late a crossing may be reported, as a share of the time.
    private static let lateness = 1e-14
    private static let maximumSteps = 100
}
