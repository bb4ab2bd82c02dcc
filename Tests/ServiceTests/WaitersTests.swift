// What waits in order: until it is ready, or for as long as the timeout.

import Testing
import Tween

@testable import TweencastService

@Suite struct WaitersTests {
    /// Three items, by the second since which each has waited.
    private static var three: Waiters<Int> {
        var waiters = Waiters<Int>(timeout: 5)
        for second in 1...3 { waiters.add(second, since: at(second)) }
        return waiters
    }

    private static func at(_ second: Int) -> Instant { Instant(nanoseconds: Int64(second) * 1_000_000_000) }

    @Test func `a ready item leaves once all before it are ready`() {
        var waiters = Self.three
        #expect(waiters.removeFirst { $0 == 2 } == [])
        #expect(waiters.removeFirst { $0 <= 2 } == [1, 2])
        #expect(waiters.drain() == [3] && waiters.drain() == [])
    }

    @Test func `an item leaves when its timeout is over, with the ready ones that follow it`() {
        var waiters = Self.three
        #expect(waiters.removeFirst(orLateAt: Self.at(6).advanced(byNanoseconds: -1)) == [])
        #expect(waiters.removeFirst(while: { $0 == 2 }, orLateAt: Self.at(6)) == [1, 2])
        #expect(waiters.removeFirst(orLateAt: Self.at(8)) == [3])
    }

    @Test func `the deadline is that of the first item that counts`() {
        let waiters = Self.three
        #expect(waiters.deadline() == Self.at(6))
        #expect(waiters.deadline { $0 > 1 } == Self.at(7))
        #expect(waiters.deadline { $0 > 3 } == nil)
    }

    @Test(arguments: [-3_600, 3_600])
    func `an item waits as long as before when the clock is set`(seconds: Int) {
        var waiters = Self.three
        waiters.shift(byNanoseconds: Int64(seconds) * 1_000_000_000)
        #expect(waiters.deadline() == Self.at(6 + seconds))
        #expect(waiters.removeFirst(orLateAt: Self.at(7 + seconds)) == [1, 2])
    }

    @Test func `update changes every waiting item`() {
        var waiters = Self.three
        waiters.update { $0 *= 10 }
        #expect(waiters.drain() == [10, 20, 30])
    }
}
