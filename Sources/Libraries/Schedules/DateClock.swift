// A clock with dates, which schedules use.

public import Tween

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A clock whose instants count from 1970. Unlike other frame clocks it may be set back: it is for schedules, not for
/// animations.
///
/// ``WallClock`` in a program, `ManualClock(at: Instant(date))` in a test.
public protocol DateClock: FrameClock {
    /// The current time.
    var present: Instant { get }
}

extension ManualClock: DateClock {
    /// The current time.
    public var present: Instant { now }
}

/// The system's date.
///
/// A sleep checks it at least once a minute, so that a change of the date, forward or back, is noticed.
public struct WallClock: DateClock {
    /// The most seconds of one sleep.
    static let longestNap = 60.0

    /// Creates the system's clock.
    public init() {}

    /// The current date.
    public var present: Instant { Instant(Date()) }

    /// The current date.
    public var now: Instant {
        get async { present }
    }

    /// Waits until the date is `deadline` or later.
    public func sleep(until deadline: Instant) async throws {
        while true {
            let rest = deadline.seconds(since: present)
            guard rest > 0 else { return }
            try await Task.sleep(for: .seconds(min(rest, Self.longestNap)))
        }
    }
}
