// The time of day as a clock: what schedules go by.

public import Tween

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A clock whose instants count from 1970, and that tells the time without a wait.
///
/// ``WallClock`` in a program, `ManualClock(at: Instant(date))` in a test.
public protocol DateClock: FrameClock {
    /// The time now.
    var present: Instant { get }
}

extension ManualClock: DateClock {
    /// The time now.
    public var present: Instant { now }
}

/// The system's date.
///
/// Whoever sleeps looks at it once a minute at least, so that a date that was set, forward or back, is noticed.
public struct WallClock: DateClock {
    /// Seconds of one sleep, at most.
    static let longestNap = 60.0

    /// The system's clock.
    public init() {}

    /// The date now.
    public var present: Instant { Instant(Date()) }

    /// The date now.
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
