// What is done to an effect while it plays, one thing after the other. Milliseconds throughout.

import TestSupport
import Tween

/// A random effect of Web Animations that is played in all ways.
struct RandomSession: Encodable {
    enum Operation: String, Encodable, CaseIterable {
        /// Time passes.
        case wait
        case seek
        /// The playback rate is set.
        case rate
        case pause, play, reverse, finish
    }

    struct Step: Encodable {
        let operation: Operation
        /// Milliseconds, or a rate.
        let number: Double
    }

    let timing: RandomEffect.Options
    let playbackRate: Double
    let steps: [Step]

    private let effect: RandomEffect

    init(_ random: inout SeededRandom, steps count: Int) {
        effect = RandomEffect(&random, times: 0)
        timing = effect.timing
        playbackRate = effect.playbackRate
        steps = (0..<count).map { _ in
            let operation = random.chance(0.4) ? .wait : random.pick(Operation.allCases)
            return Step(operation: operation, number: Self.number(of: operation, &random))
        }
    }

    /// The same effect as this package has it.
    func ours() throws -> Timing { try effect.ours() }

    private static func number(of operation: Operation, _ random: inout SeededRandom) -> Double {
        switch operation {
        case .wait: random.double(1...1_500)
        case .seek: random.double(-3_000...9_000)
        case .rate: random.pick([1, -1, 0.5, -2, 0, random.double(-4...4)])
        case .pause, .play, .reverse, .finish: 0
        }
    }

    enum CodingKeys: CodingKey { case timing, playbackRate, steps }
}
