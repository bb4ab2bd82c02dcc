// Targets, times and options that no caller means: a motion ends, is endless, or doesn't begin, and nothing traps.

import LabelMotion
import Labels
import Testing
import Tween

@Suite(.timeLimit(.minutes(15))) @MainActor struct ExtremeMotionTests {
    private nonisolated static let numbers: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1e22, -1, 0, .leastNonzeroMagnitude, 0.001, 3, 1e22,
        .greatestFiniteMagnitude,
        .infinity, .nan,
    ]
    private nonisolated static let counts: [Int] = [.min, -1, 0, 21, 1_000, .max]

    private static func options(_ number: Double) -> [[Ticker.Option]] {
        [
            [.delay(number)], [.endDelay(number)], [.repeating(number)], [.repeating(number, autoreverse: true)],
            [.repeating(2, repeatDelay: number)], [.framesPerSecond(number)], [.progress(of: number)],
            [.progress(of: 7, from: number)], [.label(TickerLabel("1.50"), startingAt: number)],
        ]
    }

    /// Runs a motion for a while, and ends it.
    private func run(_ target: some TickerTarget, for seconds: Double, _ options: [Ticker.Option], at start: Instant)
        async
    {
        let (clock, label) = (ManualClock(at: start), Label("1.5 of 2"))
        let ticker = Ticker.animate(label, to: target, duration: seconds, options: options, on: clock)
        for _ in 0..<10 { await Task.yield() }
        await clock.advance(by: 0.1)
        ticker?.pause()
        await clock.advance(by: 0.1)
        ticker?.resume()
        ticker?.animate(to: target, duration: seconds, options: options)?.finish()
        #expect(ticker?.state != .running && ticker?.descriptor?.text != "")
    }

    @Test(arguments: numbers) func `a motion takes any target and duration, at any instant`(number: Double) async {
        for instant in [Int64.min, 0, .max / 2].map({ Instant(nanoseconds: $0) }) {
            for other in Self.numbers {
                await run(number, for: other, [], at: instant)
                await run(number, for: other, [.autoreverse, .decimals(2)], at: instant)
            }
        }
    }

    @Test(arguments: numbers) func `an option takes any number`(number: Double) async {
        for options in Self.options(number) { await run(5, for: 0.15, options, at: Instant(nanoseconds: 0)) }
    }

    @Test(arguments: counts) func `an option takes any count, and a target any integer`(count: Int) async {
        await run(count, for: 0.15, [.decimals(count)], at: Instant(nanoseconds: 0))
        await run(UInt64.max, for: 0.15, [.number(at: count), .decimals(count)], at: Instant(nanoseconds: 0))
        await run(count, for: 0.15, [.progress(of: count), .decimals(count)], at: Instant(nanoseconds: 0))
    }
}
