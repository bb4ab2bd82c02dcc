// The fluent builder and its runs, on a clock that the test moves.
import Foundation
import Testing

@testable import Tween

@Suite(.timeLimit(.minutes(15))) struct AnimatorTests {
    @Test func `a run calls onFrame for every frame and completion once`() async {
        let (clock, record) = (ManualClock(), Record<Int>())
        let running = Animator(duration: 1, delay: 0.5).from(0).to(10).framesPerSecond(10)
            .onFrame { record.note($0) }
            .completion { record.conclude($0) }
            .animate(on: clock)
        await clock.waitForSleepers(1)
        #expect(record.values == [0])
        await clock.advance(by: 1)
        #expect(record.values == [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5])
        #expect(record.conclusions.isEmpty)
        await clock.advance(by: 5)
        #expect(await running.outcome == .finished)
        #expect(record.values.suffix(5) == [6, 7, 8, 9, 10])
        #expect(record.conclusions == [true])
    }

    @Test func `a cancelled animation stops at its value and completes as unfinished`() async {
        let (clock, record) = (ManualClock(), Record<Double>())
        let running = Animator(duration: 1).from(0.0).to(8).framesPerSecond(8)
            .onFrame { record.note($0) }.completion { record.conclude($0) }
            .animate(on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.25)
        running.cancel()
        #expect(await running.outcome == .cancelled)
        #expect(record.values == [0, 1, 2])
        #expect(record.conclusions == [false])
    }

    @Test func `a motion with autoreverse ends at its start, with half a repeat at its target`() {
        let once = Animator(duration: 1).repeating(0, autoreverse: true).motion(startingAt: Instant(nanoseconds: 0))
        #expect(once.endTime == 2 && once.destination == 0)
        let half = Animator(duration: 1).repeating(0.5, autoreverse: true).motion(startingAt: Instant(nanoseconds: 0))
        #expect(half.endTime == 3 && half.destination == 1)
        let thrice = Animator(duration: 1).repeating(2).motion(startingAt: Instant(nanoseconds: 0))
        #expect(thrice.endTime == 3 && thrice.destination == 1)
    }

    @Test func `every setting has an effect, and the last of each kind wins`() throws {
        let start = Instant(nanoseconds: 0)
        let animator = Animator(duration: 2).easing(.ease).easing(.easeOut).delay(9).delay(1).endDelay(3).rate(2)
        let motion = animator.motion(startingAt: start)
        #expect(motion.delay == 1 && motion.endTime == 6 && motion.playback.rate == 2)
        #expect(abs(motion.value(at: start.advanced(bySeconds: 1)) - 0.856412705) < 1e-9)
        let spring = try SpringAnimator(duration: 0.3, delay: 0.2, dampingRatio: 0.2, initialVelocity: 0.2)
            .from(0).motion(startingAt: start)
        #expect(spring.delay == 0.2 && spring.handover == 0.2)
        #expect(spring.value(atTime: 0.2 + 0.05) > 0.5)
    }

    @Test func `a repeated spring with autoreverse goes back and forth and ends at its start`() async throws {
        let (record, clock) = (Record<Double>(), ManualClock(skipsSleep: true))
        let line = try SpringAnimator(duration: 0.3, delay: 0.2, dampingRatio: 0.2, initialVelocity: 0.2)
            .from(0.0).to(10).repeating(1, autoreverse: true)
        #expect(await line.onFrame { record.note($0) }.run(on: clock))
        #expect(record.values.first == 0 && record.values.last == 0)
        // The delay and four ways of 0.3 seconds, the first of which has the velocity.
        let motion = line.motion(startingAt: Instant(nanoseconds: 0))
        #expect(abs(motion.endTime - 1.4) < 0.02 && motion.endTime <= 1.4 + 1e-9)
        #expect(motion.destination == 0 && motion.value(atTime: 0.2 + motion.cycleDuration) == 1)
        #expect(record.values.filter { $0 > 12 }.count >= 2)
        let early = try SpringAnimator(duration: 0.3, delay: 0.2, dampingRatio: 0.2, initialVelocity: 0.2)
            .repeating(1, autoreverse: true).endDelay(0.5).to(10).from(0.0).motion(startingAt: Instant(nanoseconds: 0))
        #expect(early.endTime == motion.endTime + 0.5 && early.course.cycles == motion.course.cycles)
    }

    @Test func `the sequence of frames ends with the exact target`() async {
        let clock = ManualClock(skipsSleep: true)
        var values: [Double] = []
        for await value in Animator(duration: 0.25).from(1.0).to(2.0).framesPerSecond(10).frames(on: clock) {
            values.append(value)
        }
        #expect(values.count == 4 && values.first == 1 && values.last == 2)
        #expect(abs(values[1] - 1.4) < 1e-9 && abs(values[2] - 1.8) < 1e-9)
    }

    @Test func `a slow consumer of frames skips some and gets each value of its own time`() async {
        let clock = ManualClock()
        var iterator = Animator(duration: 1).from(0.0).to(1).framesPerSecond(10).frames(on: clock).makeAsyncIterator()
        #expect(await iterator.next() == 0)
        await clock.advance(by: 0.73)
        #expect(await iterator.next() == 0.73)
        await clock.advance(by: 9)
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == nil)
    }

    @Test func `a duration of zero gives the end at once`() async {
        let record = Record<Int>()
        let finished = await Animator(duration: 0).from(3).to(7).onFrame { record.note($0) }.run(on: ManualClock())
        #expect(finished && record.values == [7])
    }

    @Test func `integers interpolate to exact ends, rounded, without overflow`() {
        #expect(Int.interpolated(from: .min, to: .max, at: 1) == .max)
        #expect(Int.interpolated(from: .max - 10, to: .max, at: 0.5) == .max - 5)
        #expect(UInt8.interpolated(from: 0, to: 255, at: 3) == 255)
        #expect(Int.interpolated(from: 0, to: .max, at: 1e300) == .max)
        #expect(Int.interpolated(from: 0, to: -5, at: 0.5) == -3)
        #expect(Int.interpolated(from: 10, to: 5, at: 0.5) == 8 && Int.interpolated(from: 5, to: 0, at: 0.5) == 3)
        #expect(Int.interpolated(from: -3, to: 0, at: 0.5) == -2)
        #expect(UInt8.interpolated(from: 250, to: 255, at: -60) == 0)
        #expect([Int].interpolated(from: [0, 10], to: [10, 0, 4], at: 0.5) == [5, 5, 4])
    }

    @Test func `a custom Interpolatable type can be animated`() async {
        let record = Record<Price>()
        await Animator(duration: 1).from(Price("0.10")).to(Price("0.30")).framesPerSecond(2)
            .onFrame { record.note($0) }.run(on: ManualClock(skipsSleep: true))
        #expect(record.values.map(\.amount.description) == ["0.1", "0.2", "0.3"])
    }

    @Test func `the system clock sleeps until its deadline`() async throws {
        let clock = SystemClock()
        let deadline = await clock.now.advanced(bySeconds: 0.01)
        try await clock.sleep(until: deadline)
        #expect(await clock.now >= deadline)
    }
}

/// A type such as a user would bring.
private struct Price: Interpolatable {
    let amount: Decimal

    init(_ text: String) { amount = Decimal(string: text) ?? 0 }
    init(amount: Decimal) { self.amount = amount }

    static func interpolated(from start: Price, to end: Price, at share: Double) -> Price {
        share == 1 ? end : Price(amount: start.amount + (end.amount - start.amount) * Decimal(share))
    }
}
