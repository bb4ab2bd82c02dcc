// One run of a spring: the closed form with its precomputed coefficients. Time is an argument; nothing is stepped.

/// The displacement from the target of a spring released with a velocity.
///
/// y(t) = y0 C(t) + a S(t) and y'(t) = v0 C(t) - b S(t) with a = v0 + z w y0 and b = z w v0 + w² y0, where C and S are the
/// damped cosine and the damped sine over its frequency; the same in all three regimes.
struct Oscillation: Hashable, Sendable {
    let start: Double
    let startVelocity: Double
    let drive: Double
    let pull: Double
    /// z w, the rate at which the envelope decays.
    let decay: Double
    /// w² (1 - z²): over 0 it oscillates, under 0 it is overdamped.
    let discriminant: Double
    /// The root of the discriminant's magnitude.
    let frequency: Double
    /// The slower decay rate of an overdamped spring, in a form without cancellation.
    let slowRate: Double

    init(_ spring: Spring, displacement: Double, velocity: Double) {
        let (w, z) = (spring.angularFrequency, spring.dampingRatio)
        let isImmediate = w == .infinity
        start = isImmediate ? 0 : displacement
        startVelocity = isImmediate ? 0 : velocity
        decay = isImmediate ? 0 : z * w
        drive = startVelocity + decay * start
        pull = isImmediate ? 0 : decay * velocity + w * w * displacement
        // (1 - z)(1 + z) keeps its digits near 1, where 1 - z² loses them.
        discriminant = isImmediate ? 0 : w * w * ((1 - z) * (1 + z))
        frequency = discriminant.magnitude.squareRoot()
        slowRate = discriminant < 0 ? -w * w / (decay + frequency) : -decay
    }

    /// Returns the displacement `time` seconds after the start.
    @inline(__always)
    func displacement(at time: Double) -> Double {
        let (c, s) = terms(at: time)
        return start * c + drive * s
    }

    /// Returns the velocity `time` seconds after the start.
    @inline(__always)
    func velocity(at time: Double) -> Double {
        let (c, s) = terms(at: time)
        return startVelocity * c - pull * s
    }

    /// Returns C and S.
    @inline(__always)
    private func terms(at time: Double) -> (Double, Double) {
        let x = discriminant * time * time
        if x.magnitude < 1e-6 {
            let envelope = exponential(-decay * time)
            return (envelope * (1 - x / 2 + x * x / 24), envelope * time * (1 - x / 6 + x * x / 120))
        }
        if x > 0 {
            let envelope = exponential(-decay * time)
            let angle = frequency * time
            return (envelope * cosine(angle), envelope * sine(angle) / frequency)
        }
        // Not cosh and sinh, which overflow long before their product with the envelope does.
        let slow = exponential(slowRate * time)
        let fast = exponential(-(decay + frequency) * time)
        return ((slow + fast) / 2, (slow - fast) / (2 * frequency))
    }
}
