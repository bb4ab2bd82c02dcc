import Testing
import Tween

@testable import Publishing

/// Instants at equal distances.
@Suite struct PeriodicInstantTests {
    private static let origin: Int64 = 1_700_000_000_123_456_789
    private let beat = PeriodicInstant(from: Instant(nanoseconds: Self.origin), everySeconds: 0.5)

    @Test(
        arguments: [
            (0, 500_000_000), (1, 500_000_000), (499_999_999, 500_000_000), (500_000_000, 1_000_000_000),
            (-1, 0), (-500_000_000, 0), (-500_000_001, -500_000_000), (86_400_000_000_001, 86_400_500_000_000),
        ] as [(Int64, Int64)])
    func `the next beat is after the instant, for any distance from the origin`(since: Int64, next: Int64) {
        let now = Instant(nanoseconds: Self.origin + since)
        #expect(beat.next(after: now) == Instant(nanoseconds: Self.origin + next))
    }
}
