// The service's clock beside a wall clock that is set.

import OperatingSystem
import Replication
import Synchronization
import Testing
import Tween

@testable import TweencastService

@Suite struct ServiceClockTests {
    /// A wall clock that a test sets.
    private final class WallClock: Sendable {
        let time: Atomic<Int64>
        init(_ time: Int64) { self.time = Atomic(time) }
    }

    @Test(arguments: [3_600, -3_600, 1]) func `a step of the wall clock is followed once, and instants move by it`(
        seconds: Int64
    ) {
        let start: Int64 = 1_700_000_000_000_000_000
        let wall = WallClock(start)
        let origin = ServiceClock(tickRate: 60).monotonic()
        // Runs along with the monotonic clock, as a wall clock does.
        let machine = MachineClock(wall: {
            wall.time.load(ordering: .relaxed) + ServiceClock(tickRate: 60).monotonic() - origin
        })
        let clock = ServiceClock(tickRate: 60, machine: machine)
        #expect(clock.update() == nil)
        wall.time.wrappingAdd(seconds * 1_000_000_000, ordering: .relaxed)
        let before = clock.now()
        let asked = clock.monotonic()
        // A look is no look while this thread is held up between its two readings.
        var shift: Int64?
        for _ in 0..<1_000 where shift == nil { shift = clock.update() }
        #expect(abs((shift ?? 0) - seconds * 1_000_000_000) < 50_000_000)
        #expect(clock.update() == nil)
        let moved = clock.now().seconds(since: before) - Double(clock.monotonic() - asked) / 1e9
        #expect(abs(moved - Double(seconds)) < 0.5)
        #expect(clock.monotonic(of: clock.instant(monotonic: 5)) == 5)
    }

    @Test func `a drift below the tolerance is left alone`() {
        let wall = WallClock(0)
        let origin = ServiceClock(tickRate: 60).monotonic()
        let machine = MachineClock(wall: {
            wall.time.load(ordering: .relaxed) + ServiceClock(tickRate: 60).monotonic() - origin
        })
        let clock = ServiceClock(tickRate: 60, machine: machine)
        wall.time.store(20_000_000, ordering: .relaxed)
        #expect(clock.update() == nil)
    }

    @Test(arguments: [3_600, -3_600, 0])
    func `the clock of a log reports this machine's offset from it`(seconds: Int64) throws {
        let start: Int64 = 1_700_000_000_000_000_000
        let origin = SystemClock.monotonic()
        let clock = ServiceClock(
            ofLogWithTickRate: 60, machine: MachineClock(wall: { start + SystemClock.monotonic() - origin }))
        #expect(clock.offset == nil)
        let lead = seconds * 1_000_000_000
        clock.add(ClockEstimate.Sample(sent: origin, received: origin, shown: start + lead))
        let asked = SystemClock.monotonic()
        let offset = try #require(clock.offset)
        // Nothing but the time between its two readings is amiss, and a nanosecond of halving.
        #expect(abs(offset - lead) <= SystemClock.monotonic() - asked + 1)
        #expect(ServiceClock(tickRate: 60).offset == nil)
    }
}
