// Animators along keyframes and animators that run out, against Motion's own.

import TestSupport
import Testing

@testable import Tween

@Suite(.timeLimit(.minutes(15))) struct KeyframeAnimatorTests {
    private static let start = Instant(nanoseconds: 0)

    private static func after(_ seconds: Double) -> Instant { start.advanced(bySeconds: seconds) }

    private static let lists: [[Keyframe<Double>]] = [
        [Keyframe(10)], [Keyframe(10), Keyframe(2.5, at: 0.5, easing: .easeOut), Keyframe(4)],
        [Keyframe(1, at: 0.2), Keyframe(5, at: 0.2), Keyframe(-3, easing: .elastic), Keyframe(0)],
        [Keyframe(7, at: 0), Keyframe(7), Keyframe(7, easing: .back)],
    ]

    @Test(arguments: lists, [Easing.linear, .easeIn])
    func `an animator goes as a motion along the same keyframes does`(list: [Keyframe<Double>], usual: Easing) throws {
        let animator = Animator(duration: 2, delay: 0.5).from(3).keyframes(list).easing(usual).repeating(
            1, autoreverse: true)
        let offsets = ([0] + list.dropLast().map(\.offset) + [1]).spacedEvenly().dropFirst()
        let keyframes = try #require(
            Keyframes(zip(list, offsets).map { Keyframes.Frame($0.value, at: $1, easing: $0.easing ?? usual) }))
        let timing = Timing(duration: 2, delay: 0.5, repeats: 1, autoreverse: true)
        let motion = Motion(
            from: 3, to: 0, course: .timed(timing), along: keyframes, handover: 0, overshoot: .allow,
            playback: Playback(start: Self.start))
        let run = animator.motion(startingAt: Self.start)
        #expect(run.endTime == motion.endTime)
        for step in 0...1_000 {
            let now = Self.after(Double(step) * 0.01)
            // A jump at the very start is seen a moment later.
            guard list[0].offset != 0 || run.value(at: now) > 0 || step < 50 else { continue }
            #expect((animator.value(of: run, at: now) - motion.value(at: now)).magnitude < 1e-12, "\(step)")
        }
    }

    @Test func `a keyframe's offset below the previous one counts as that, and the last is at the end`() {
        let animator = Animator(duration: 1).from(0)
            .keyframes([Keyframe(10, at: 0.8), Keyframe(20, at: 0.2), Keyframe(30, at: 0.1)])
        let run = animator.motion(startingAt: Self.start)
        let values = [0, 0.4, 0.79999999, 0.8, 0.9, 1].map { animator.value(of: run, at: Self.after($0)).rounded() }
        #expect(values == [0, 5, 10, 20, 25, 30])
    }

    @Test func `setting a target after keyframes replaces them, and no keyframes leave the last target`() {
        let animator = Animator(duration: 1).from(0).keyframes([Keyframe(10), Keyframe(4)])
        let straight = animator.to(8)
        let run = straight.motion(startingAt: Self.start)
        #expect(straight.value(of: run, at: Self.after(0.5)) == 4)
        #expect(animator.keyframes([]).value(of: run, at: Self.after(1)) == 4)
    }

    @Test func `a retarget amid keyframes keeps the velocity`() async {
        let clock = ManualClock()
        let frames = Record<Double>()
        let running = Animator(duration: 4).from(0).keyframes([Keyframe(10, at: 0.25), Keyframe(12)]).easing(
            .cssEaseInOut
        )
        .onFrame { frames.note($0) }
        .animate(on: clock)
        await clock.waitForSleepers(1)
        await clock.advance(by: 0.5)
        running.retarget(to: 100)
        await clock.advance(by: 0.5)
        let values = frames.values
        // Half of ten, in the middle of its way: from frame to frame it goes on as fast as it went.
        let steps = zip(values, values.dropFirst()).map { $1 - $0 }
        for (before, after) in zip(steps.dropFirst(25), steps.dropFirst(26)) {
            #expect((after - before).magnitude < 0.06, "\(values)")
        }
        running.cancel()
    }

    @Test(arguments: [(0.0, 800.0, 0.325), (10, -250, 1), (5, 0, 0.2), (1, 1e-3, 3)])
    func `a decay animator follows the closed form of its motion`(from: Double, velocity: Double, timeConstant: Double)
    {
        let animator = DecayAnimator(timeConstant: timeConstant, delay: 0.1).from(from).velocity(velocity)
        let run = animator.motion(startingAt: Self.start)
        for step in 0...200 {
            let seconds = Double(step) * 0.02
            let expected =
                seconds < 0.1
                ? from : from + velocity * timeConstant * (1 - exponential(-(seconds - 0.1) / timeConstant))
            let value = animator.value(of: run, at: Self.after(seconds))
            #expect((value - expected).magnitude <= 0.0011 * (velocity * timeConstant).magnitude, "\(seconds)")
        }
        let rest = animator.value(of: run, at: Self.after(1_000))
        #expect((rest - (from + velocity * timeConstant)).magnitude <= 1e-9 * max(1, rest.magnitude))
    }

    @Test func `each coordinate of a decay animator has its own velocity`() {
        let animator = DecayAnimator(timeConstant: 0.5).from([0.0, 10]).velocity([100, -20])
        let run = animator.motion(startingAt: Self.start)
        #expect(animator.value(of: run, at: Self.after(60)) == [50, 0])
    }
}

@Suite struct DurationTests {
    @Test func `animators accept Duration for durations and delays`() throws {
        let eased = Animator(duration: .milliseconds(300), delay: .seconds(1)).endDelay(.seconds(2)).from(0).to(1)
        #expect(eased.motion(startingAt: Instant(nanoseconds: 0)).endTime == 3.3)
        let sprung = try SpringAnimator(duration: .seconds(2), dampingRatio: 0.5).delay(.milliseconds(500)).from(0).to(
            1)
        let plain = try SpringAnimator(duration: 2, delay: 0.5, dampingRatio: 0.5).from(0).to(1)
        let start = Instant(nanoseconds: 0)
        #expect(sprung.motion(startingAt: start) == plain.motion(startingAt: start))
    }
}
