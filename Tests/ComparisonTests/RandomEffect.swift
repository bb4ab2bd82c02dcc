// An effect as both sides understand it, and the moments at which it is looked at. Milliseconds throughout.

import TestSupport
import Tween

/// A random effect of Web Animations.
struct RandomEffect: Encodable {
    /// The members of `KeyframeEffectOptions`; without iterations it repeats for ever.
    struct Options: Encodable {
        let duration: Double
        let delay: Double
        let endDelay: Double
        let iterations: Double?
        let iterationStart: Double
        let direction: String
        let fill: String
        let easing: String
    }

    let timing: Options
    let playbackRate: Double
    let times: [Double]

    init(_ random: inout SeededRandom, times count: Int) {
        // The browser counts in seconds, where a millisecond is no double. Edges of cycles and steps are met by effects
        // in 64ths of a second, which both sides count exactly.
        let isExact = random.chance(0.5)
        func milliseconds(_ range: ClosedRange<Double>, _ random: inout SeededRandom) -> Double {
            let time = random.double(range)
            return isExact ? (time / 15.625).rounded() * 15.625 : time
        }
        let duration = random.chance(0.05) ? 0 : milliseconds(1...4000, &random)
        let iterations: Double =
            random.chance(0.4) ? 1 : random.pick([0, 0.5, 2, 3, 2.25, random.double(0...5), .infinity])
        timing = Options(
            duration: duration, delay: random.chance(0.5) ? 0 : milliseconds(-2000...2000, &random),
            endDelay: random.chance(0.6) ? 0 : milliseconds(-2000...2000, &random),
            iterations: iterations.isFinite ? iterations : nil,
            iterationStart: random.chance(0.7) ? 0 : random.pick([0.5, 1, 1.75, random.double(0...3)]),
            direction: random.pick(Direction.allCases).rawValue,
            fill: random.chance(0.8) ? "both" : random.pick(FillMode.allCases).rawValue,
            easing: RandomEasing.text(&random))
        playbackRate = random.pick([1, 1, 1, -1, 0.5, -2, random.double(0.1...4)])
        let span = duration * (iterations.isFinite ? iterations : 6)
        let (delay, endDelay) = (timing.delay, timing.endDelay)
        times = (0..<count).map { _ in
            if isExact, random.chance(0.3) {
                let edges = [0, delay, delay + span, delay + span + endDelay, delay + duration, delay + duration / 2]
                return random.pick(edges)
            }
            return milliseconds((min(0, delay) - span / 8 - 100)...(max(delay, 0) + span * 9 / 8 + 100), &random)
        }
    }

    /// The same effect as this package has it.
    func ours() throws -> Timing {
        Timing(
            duration: timing.duration, delay: timing.delay, endDelay: timing.endDelay,
            iterations: timing.iterations ?? .infinity, iterationStart: timing.iterationStart,
            direction: Direction(rawValue: timing.direction) ?? .normal, easing: try Easing(parsing: timing.easing),
            fill: FillMode(rawValue: timing.fill) ?? .none)
    }
}
