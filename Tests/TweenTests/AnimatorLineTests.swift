// The fluent line as it reads, word by word, and types of all kinds on their way.

import Testing

@testable import Tween

@Suite(.timeLimit(.minutes(15))) struct AnimatorLineTests {
    private let clock = ManualClock()
    private let record = Record<Int>()

    @Test func `a fluent animation applies its delay, easing, repeats and autoreverse`() async {
        let (record, seen) = (record, Record<Double>())
        let running = Animator(duration: 0.3, delay: 0.1).from(0).to(40).easing(.easeOut).repeating(
            2, autoreverse: true
        )
        .onFrame { value in
            record.note(value)
            seen.note(clock.now.seconds(since: Instant(nanoseconds: 0)))
        }
        .completion { finished in record.conclude(finished) }
        .animate(on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 10)
        #expect(await running.outcome == .finished)
        #expect(record.conclusions == [true])
        // A delay of 0.1 and three times there and back in 0.3 each way.
        #expect(seen.values.last == 1.9)
        #expect(record.values.last == 0 && record.values.max() == 40 && record.values.min() == 0)
        for (time, value) in zip(seen.values, record.values) {
            guard time >= 0.1 else {
                #expect(value == 0, "it moves in its delay")
                continue
            }
            let cycles = (time - 0.1) / 0.3
            let inside = cycles.truncatingRemainder(dividingBy: 2)
            let progress = inside <= 1 ? inside : 2 - inside
            let eased = Easing.easeOut.value(at: progress)
            #expect(abs(Double(value) - 40 * eased) <= 0.5 + 1e-4, "at \(time)")
        }
        #expect(record.values.count == 1 + 114)
    }

    @Test func `an animator does nothing before it is run, and can be run twice`() async {
        let record = record
        let animator = Animator(duration: 1).from(0).to(4).framesPerSecond(2)
            .onFrame { record.note($0) }.completion { record.conclude($0) }
        #expect(record.values.isEmpty)
        for _ in 0..<2 { #expect(await animator.run(on: ManualClock(skipsSleep: true))) }
        #expect(record.values == [0, 2, 4, 0, 2, 4])
        #expect(record.conclusions == [true, true])
    }

    @Test func `the last from and to win, all observers are called, and none is required`() async {
        let record = record
        let finished = await Animator(duration: 1).completion { _ in record.conclude(false) }
            .from(7).from(1).to(9).to(3).framesPerSecond(1)
            .onFrame { record.note(10 * $0) }.onFrame { record.note($0) }
            .completion { record.conclude($0) }
            .run(on: ManualClock(skipsSleep: true))
        #expect(finished && record.values == [10, 1, 30, 3] && record.conclusions == [false, true])
        #expect(await Animator(duration: 1).from(7).run(on: ManualClock(skipsSleep: true)))
    }

    @Test func `an animator takes from and to in any order, or one of them alone`() async {
        let record = record
        let animator = Animator(duration: 1).framesPerSecond(1).to(40).onFrame { record.note($0) }
        await animator.from(2).run(on: ManualClock(skipsSleep: true))
        await animator.run(on: ManualClock(skipsSleep: true))
        #expect(record.values == [2, 40, 40, 40])
    }

    @Test func `integer literals animate as Double`() async {
        var values: [Double] = []
        let animator = Animator(duration: 1).from(0).to(1).framesPerSecond(2)
        for await value in animator.frames(on: ManualClock(skipsSleep: true)) { values.append(value) }
        #expect(values == [0, 0.5, 1])
    }

    @Test func `a rate below 0 runs from the end to the start`() async {
        let record = record
        let finished = await Animator(duration: 2).from(0).to(4).rate(-2).framesPerSecond(4)
            .onFrame { record.note($0) }.run(on: ManualClock(skipsSleep: true))
        #expect(finished && record.values == [4, 3, 2, 1, 0])
    }

    @Test func `delay, rate and completion set before from and to apply as those set after`() async throws {
        let record = record
        let spring = try Spring(dampingRatio: 1, response: 0.3)
        await SpringAnimator(spring).delay(0.5).endDelay(0.25).rate(2).framesPerSecond(4)
            .completion { record.conclude($0) }
            .from(0).onFrame { record.note($0) }.to(100)
            .run(on: ManualClock(skipsSleep: true))
        // Own time runs twice as fast: released at 0.25 s, near its end at 0.5 s.
        #expect(record.values.first == 0 && record.values.last == 100)
        #expect(record.values[1] == 0 && record.values[2] > 90)
        #expect(record.conclusions == [true])
    }

    @Test func `an endless animation goes on until it is cancelled`() async {
        let record = record
        let running = Animator(duration: 1).from(0).to(2).framesPerSecond(2).repeating(.infinity, autoreverse: true)
            .onFrame { record.note($0) }.completion { record.conclude($0) }
            .animate(on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 3.75)
        #expect(record.values == [0, 1, 2, 1, 0, 1, 2, 1])
        running.cancel()
        #expect(await running.outcome == .cancelled)
        await clock.advance(by: 9)
        #expect(record.values.count == 8 && record.conclusions == [false])
    }

    @Test func `an animation cancelled before its first frame completes once as unfinished`() async {
        let record = record
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await Animator(duration: 1).from(0).to(2)
                .onFrame { record.note($0) }.completion { record.conclude($0) }.run(on: clock)
        }
        task.cancel()
        #expect(await task.value == false)
        #expect(record.values.isEmpty && record.conclusions == [false])
    }

    @Test func `a loop over the frames ends when its task is cancelled`() async {
        let (clock, record) = (clock, record)
        let task = Task {
            for await value in Animator(duration: 1).from(0 as Int).to(4).framesPerSecond(4).frames(on: clock) {
                record.note(value)
            }
            return Task.isCancelled
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.25)
        await clock.waitForSleepers(1)
        task.cancel()
        #expect(await task.value)
        #expect(record.values == [0, 1])
    }

    @Test func `a frame observer that takes long skips frames and gets each value of its own time`() async {
        let record = record
        let clock = ManualClock(skipsSleep: true)
        await Animator(duration: 1).from(0).to(100).framesPerSecond(100)
            .onFrame { value in
                record.note(value)
                try? await clock.sleep(until: clock.now.advanced(bySeconds: 0.305))
            }
            .run(on: clock)
        #expect(record.values == [0, 31, 61, 92, 100])
    }

    @Test func `the last frame comes at the end, not at the frame after it`() async {
        let (clock, seen) = (ManualClock(skipsSleep: true), Record<Double>())
        await Animator(duration: 0.25).from(0).to(1).framesPerSecond(10)
            .onFrame { _ in seen.note(clock.now.seconds(since: Instant(nanoseconds: 0))) }
            .run(on: clock)
        #expect(seen.values == [0, 0.1, 0.2, 0.25])
    }

    @MainActor @Test func `an observer closure isolated to the main actor is called`() async {
        let shown = Shown()
        await Animator(duration: 1).from(0).to(2).framesPerSecond(2)
            .onFrame { @MainActor in shown.values.append($0) }
            .completion { @MainActor in shown.isOver = $0 }
            .run(on: ManualClock(skipsSleep: true))
        #expect(shown.values == [0, 1, 2] && shown.isOver)
    }

    @MainActor @Test func `an observer that is written on the main actor runs there`() async {
        let shown = Shown()
        await Animator(duration: 1).from(0 as Int).to(2).framesPerSecond(2)
            .onFrame { shown.values.append($0) }
            .completion { shown.isOver = $0 }
            .run(on: ManualClock(skipsSleep: true))
        #expect(shown.values == [0, 1, 2] && shown.isOver)
    }

    @MainActor @Test func `a frame observer may be set before from and to`() async {
        let (seen, shown) = (Record<Double>(), Shown())
        await Animator(duration: 1).framesPerSecond(2).onFrame { seen.note($0) }.from(0).to(1)
            .run(on: ManualClock(skipsSleep: true))
        await Animator(duration: 1).framesPerSecond(2).onFrame { shown.values.append($0) }.from(4).to(0)
            .run(on: ManualClock(skipsSleep: true))
        #expect(seen.values == [0, 0.5, 1] && shown.values == [4, 2, 0])
    }
}

@MainActor private final class Shown {
    var values: [Int] = []
    var isOver = false
}
