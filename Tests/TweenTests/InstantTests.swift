// Points in time at the edges of their range.
import Testing

@testable import Tween

@Suite struct InstantTests {
    @Test func `advancing an instant saturates and never traps`() {
        let instant = Instant(nanoseconds: 7)
        #expect(instant.advanced(bySeconds: 1.5).nanoseconds == 1_500_000_007)
        #expect(instant.advanced(bySeconds: .infinity).nanoseconds == .max)
        #expect(instant.advanced(bySeconds: -1e300).nanoseconds == .min)
        #expect(instant.advanced(bySeconds: .nan) == instant)
        #expect(Instant(nanoseconds: .max).advanced(bySeconds: 1).nanoseconds == .max)
        #expect(Instant(nanoseconds: .min).advanced(bySeconds: -9.2e9).nanoseconds == .min)
    }

    @Test func `the seconds between the first and last instants are exact`() {
        let seconds = Instant(nanoseconds: .max).seconds(since: Instant(nanoseconds: .min))
        #expect(abs(seconds - 0x1p64 / 1e9) < 1e-3)
        #expect(Instant(nanoseconds: 500_000_000).seconds(since: Instant(nanoseconds: 0)) == 0.5)
    }
}
