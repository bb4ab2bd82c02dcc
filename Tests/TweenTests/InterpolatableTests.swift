// Values of every type between two others: exact ends, sensible middles, no trap beyond.

public import Foundation
import Testing
public import Tween

@Suite(.timeLimit(.minutes(15))) struct InterpolatableTests {
    private func values<Value: Interpolatable>(from start: Value, to end: Value) async -> [Value] {
        var values: [Value] = []
        let animator = Animator(duration: 1).from(start).to(end).framesPerSecond(2)
        for await value in animator.frames(on: ManualClock(skipsSleep: true)) { values.append(value) }
        return values
    }

    @Test func `SIMD points and colours interpolate componentwise`() async {
        #expect(await values(from: SIMD2(0.0, 10), to: SIMD2(4, 0)) == [[0, 10], [2, 5], [4, 0]])
        let (black, orange) = (SIMD4<Float>(0, 0, 0, 1), SIMD4<Float>(1, 0.5, 0, 1))
        #expect(await values(from: black, to: orange) == [black, [0.5, 0.25, 0, 1], orange])
        #expect(await values(from: SIMD3<Double>.zero, to: SIMD3(1, 2, 3)).last == [1, 2, 3])
    }

    @Test func `a floating-point type interpolates by declaring conformance alone`() async {
        #expect(await values(from: CGFloat(1), to: 2) == [1, 1.5, 2])
        #expect(await values(from: Float(0.1), to: 0.3).last == 0.3)
    }

    @Test func `a custom point type can be animated`() async {
        #expect(await values(from: Place(x: 0, y: 8), to: Place(x: 4, y: 0)).map(\.x) == [0, 2, 4])
    }

    @Test(arguments: [-1e300, -0.5, 0, 1e-300, 0.5, 1, 1.5, 1e300, .infinity, -.infinity, .nan])
    func `integers interpolate at any share without a trap`(share: Double) {
        let value = Int.interpolated(from: 0, to: 100, at: share)
        if (0...1).contains(share) { #expect((0...100).contains(value)) }
        _ = UInt64.interpolated(from: .min, to: .max, at: share)
        _ = Int8.interpolated(from: .max, to: .min, at: share)
    }

    @Test(arguments: [0.3, 1, 20], [0.05, 0.2, 0.7, 1, 3])
    func `a spring animator settles in its duration, whatever its velocity`(duration: Double, ratio: Double) throws {
        for velocity in [0, 0.2, 5, -5, 1e6] {
            let motion = try SpringAnimator(duration: duration, dampingRatio: ratio, initialVelocity: velocity)
                .from(0.0).motion(startingAt: Instant(nanoseconds: 0))
            #expect(motion.endTime <= duration * (1 + 1e-9), "velocity \(velocity)")
            if velocity == 0 { #expect(abs(motion.endTime - duration) < duration * 1e-6) }
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e308, -1e308])
    func `a spring animator with an extreme velocity is refused or settles in time`(velocity: Double) throws {
        let animator = try? SpringAnimator(duration: 1, dampingRatio: 0.5, initialVelocity: velocity)
        let motion = animator?.from(0.0).motion(startingAt: Instant(nanoseconds: 0))
        if let motion { #expect(motion.endTime <= 1.1) }
    }
}

extension CGFloat: Interpolatable {}

/// A type such as a user would bring, of parts that know their way.
private struct Place: Interpolatable {
    var (x, y): (Double, Int)

    init(x: Double, y: Int) { (self.x, self.y) = (x, y) }

    static func interpolated(from start: Place, to end: Place, at share: Double) -> Place {
        Place(
            x: .interpolated(from: start.x, to: end.x, at: share), y: .interpolated(from: start.y, to: end.y, at: share)
        )
    }
}
