// An animation under way and what it is told: from the value shown, without a jump.

import Testing

@testable import Tween

@Suite(.timeLimit(.minutes(15))) struct RunningTests {
    private let clock = ManualClock()
    private let record = Record<Double>()

    /// A straight line from 0 to 8 in 8 frames of an eighth of a second, amid which the test finds it.
    private func line(_ change: (Animator<Double>) -> Animator<Double> = { $0 }) async -> RunningAnimation<Double> {
        let record = record
        let animator = Animator(duration: 1).from(0).to(8).framesPerSecond(8)
            .onFrame { record.note($0) }.completion { record.conclude($0) }
        let running = change(animator).animate(on: clock)
        await clock.waitForSleepers(1)
        return running
    }

    @Test func `a paused animation holds its value and resumes with the time left`() async {
        let running = await line()
        await clock.advance(by: 0.25)
        running.pause()
        #expect(running.isPaused && running.value == 2)
        await clock.advance(by: 60)
        #expect(record.values == [0, 1, 2])
        running.resume()
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.75)
        #expect(await running.outcome == .finished)
        #expect(record.values == [0, 1, 2, 2, 3, 4, 5, 6, 7, 8] && record.conclusions == [true])
    }

    @Test func `seek and reverse before the first frame apply from its time`() async throws {
        await clock.advance(by: 100)
        let running = Animator(duration: 1).from(0).to(8).framesPerSecond(8).animate(on: clock)
        running.seek(toSeconds: 0.5)
        try running.reverse()
        await clock.waitForSleepers(1)
        #expect(running.value == 4)
        await clock.advance(by: 0.25)
        #expect(running.value == 2)
        await clock.advance(by: 0.25)
        #expect(await running.outcome == .finished)
        #expect(running.value == 0)
    }

    @Test func `a seek while paused shows its value at once`() async {
        let running = await line()
        running.pause()
        await clock.advance(by: 1)
        running.seek(toSeconds: 0.5)
        while running.value != 4 { await Task.yield() }
        running.cancel()
        #expect(await running.outcome == .cancelled)
        #expect(record.values.last == 4 && record.conclusions == [false])
    }

    @Test func `reverse and a rate change start at the present value`() async throws {
        let running = await line()
        await clock.advance(by: 0.5)
        running.setRate(2)
        await clock.advance(by: 0.125)
        #expect(running.value == 6)
        try running.reverse()
        await clock.advance(by: 1)
        #expect(await running.outcome == .finished)
        #expect(record.values == [0, 1, 2, 3, 4, 6, 4, 2, 0])
    }

    @Test func `finishing shows the end with the next frame, paused or not`() async throws {
        for isPaused in [false, true] {
            let running = await line()
            await clock.advance(by: 0.125)
            if isPaused { running.pause() }
            try running.finish()
            await clock.advance(by: 0.125)
            #expect(await running.outcome == .finished)
            #expect(running.value == 8)
        }
    }

    @Test func `finishing or reversing an endless animation throws`() async {
        let running = await line { $0.repeating(.infinity) }
        #expect(throws: PlaybackError.endlessMotion) { try running.finish() }
        #expect(throws: PlaybackError.endlessMotion) { try running.reverse() }
        await clock.advance(by: 0.125)
        #expect(running.value == 1)
        running.cancel()
        #expect(await running.outcome == .cancelled)
        running.cancel()
        running.resume()
        #expect(record.conclusions == [false])
    }

    @Test func `an animation that is paused and released completes as unfinished`() async {
        let record = record
        await withCheckedContinuation { done in
            Animator(duration: 1).from(0).to(8).completion {
                record.conclude($0)
                done.resume()
            }.animate(on: clock).pause()
        }
        #expect(record.conclusions == [false])
    }

    @Test func `a retarget of a running animation keeps value and velocity`() async {
        let running = await line { $0.framesPerSecond(1000) }
        await clock.advance(by: 0.5)
        running.retarget(to: -8)
        await clock.advance(by: 0.01)
        let steps = zip(record.values, record.values.dropFirst()).map { $1 - $0 }
        // Eight a second, straight on at first, then slower.
        #expect(steps.allSatisfy { abs($0 - 0.008) < 0.001 })
        await clock.advance(by: 1)
        #expect(await running.outcome == .finished)
        #expect(running.value == -8 && record.conclusions == [true])
    }

    @Test func `a retarget of an integer animation starts at the unrounded value and ends exactly`() async {
        let big = Int.max - 12_345
        let running = Animator(duration: 1).from(0 as Int).to(10).framesPerSecond(8).animate(on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.25)
        #expect(running.value == 3)
        running.retarget(to: big)
        await clock.advance(by: 1)
        #expect(await running.outcome == .finished)
        #expect(running.value == big)
    }

    @Test func `a retarget of a spring animation of a point keeps its velocity`() async throws {
        let spring = try Spring(dampingRatio: 0.4, response: 0.5)
        let running = SpringAnimator(spring).from(SIMD2(0.0, 0)).to(SIMD2(100, 20))
            .framesPerSecond(1000).animate(on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.1)
        let before = running.value
        await clock.advance(by: 0.001)
        let step = running.value - before
        running.retarget(to: SIMD2(0, 500))
        let place = running.value
        await clock.advance(by: 0.001)
        let next = running.value - place
        #expect(abs(next.x - step.x) < 0.02 * abs(step.x) + 0.05 && abs(next.y - step.y) < 0.1)
        await clock.advance(by: 10)
        #expect(await running.outcome == .finished)
        #expect(running.value == SIMD2(0, 500))
    }

    @Test func `standard library clocks can run animations`() async {
        let running = Animator(duration: 0.01).from(0).to(1).animate(on: SuspendingClock())
        #expect(await running.outcome == .finished)
        #expect(await Animator(duration: 0).from(0).to(1).run(on: ContinuousClock()))
        let clock: any FrameClock = ManualClock(skipsSleep: true)
        var last = 0.0
        for await value in Animator(duration: 1).from(0).to(1).frames(on: clock) { last = value }
        #expect(last == 1)
    }
}
