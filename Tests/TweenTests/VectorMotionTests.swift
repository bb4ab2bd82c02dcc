// Vectors on their way, and what a new target does to them.

import Testing

@testable import Tween

@Suite(.timeLimit(.minutes(15))) struct VectorMotionTests {
    private static let start = Instant(nanoseconds: 0)
    private static let courses: [Motion.Course] = [
        .timed(Timing(duration: 1, easing: .cssEaseInOut)),
        .timed(Timing(duration: 1, easing: .easeOut)),
        .spring(Spring(angularFrequency: 9, dampingRatio: 0.3), delay: 0, endDelay: 0, threshold: 0.01),
    ]

    @Test(arguments: courses, courses)
    func `a retarget of a vector keeps its value and velocity`(course: Motion.Course, next: Motion.Course) {
        let motion = VectorMotion(from: SIMD2(0.0, 10), to: SIMD2(300, -40), course: course, startingAt: Self.start)
        let now = Self.start.advanced(bySeconds: 0.3)
        let turned = motion.retargeted(to: SIMD2(-5, 900), course: next, at: now)
        #expect(turned.value(at: now) == motion.value(at: now))
        for (before, after) in zip(motion.velocity(at: now), turned.velocity(at: now)) {
            #expect(abs(after - before) <= 1e-9 * abs(before) + 1e-9)
        }
        let end = now.advanced(bySeconds: 60)
        #expect(turned.isComplete(at: end) && turned.value(at: end) == SIMD2(-5, 900))
    }

    @Test func `a vector motion ends with its last coordinate`() throws {
        let spring = try Spring(dampingRatio: 1, response: 0.5)
        let course = Motion.Course.spring(spring, delay: 0, endDelay: 0, threshold: 0.5)
        let motion = VectorMotion(from: [0, 0.0], to: [1, 1000.0], course: course, startingAt: Self.start)
        let far = Motion(from: 0, to: 1000, course: course, startingAt: Self.start)
        #expect(motion.end == far.end && motion.endTime == far.endTime)
    }

    @Test func `reverse and pause of a vector motion apply to all coordinates`() throws {
        var motion = VectorMotion(
            from: SIMD2(0.0, 0), to: SIMD2(8, 4), course: .timed(Timing(duration: 1)), startingAt: Self.start)
        let now = Self.start.advanced(bySeconds: 0.5)
        try motion.playback.reverse(at: now, end: motion.endTime)
        #expect(motion.value(at: now.advanced(bySeconds: 0.25)) == SIMD2(2, 1))
        motion.playback.pause(at: now, end: motion.endTime)
        #expect(motion.value(at: now.advanced(bySeconds: 9)) == SIMD2(4, 2))
        #expect(motion.velocity(at: now) == [0, 0])
    }

    @Test func `a retarget may add or remove coordinates of a vector`() {
        let motion = VectorMotion(
            from: [0, 8.0], to: [8, 0.0], course: .timed(Timing(duration: 1)), startingAt: Self.start)
        let now = Self.start.advanced(bySeconds: 0.5)
        #expect(motion.retargeted(to: [0, 0, 7], at: now).value(at: now) == [4, 4, 7])
        #expect(motion.retargeted(to: [0], at: now).value(at: now) == [4])
        #expect(motion.retargeted(to: [], at: now).isComplete(at: now))
    }

    @Test(arguments: [0, 0.5, 1, 1e300, -1e300, .infinity, .nan])
    func `a duration interpolates at any share without a trap`(share: Double) {
        let value = Duration.interpolated(from: .seconds(1), to: .seconds(3), at: share)
        if (0...1).contains(share) { #expect(value == .seconds(1 + 2 * share)) }
        #expect(value.components.seconds.magnitude > 0 || !(share > 0))
    }

    @Test func `an optional interpolates when both values are present, else jumps`() {
        #expect(Double?.interpolated(from: 1, to: 3, at: 0.5) == 2)
        #expect(Double?.interpolated(from: nil, to: 3, at: 0) == nil)
        #expect(Double?.interpolated(from: nil, to: 3, at: 0.5) == 3)
        #expect(Double?.interpolated(from: 1, to: nil, at: 0.5) == nil)
    }
}
