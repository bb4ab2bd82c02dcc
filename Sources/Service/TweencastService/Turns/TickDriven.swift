// What the tick thread drives, whatever keeps the changes.

import Tween

/// What the tick thread drives.
protocol TickDriven: AnyObject {
    /// Whether the next tick has something to do.
    var wantsTick: Bool { get }
    /// Whether there is work for another turn at once.
    var isBusy: Bool { get }
    /// More was due than one turn takes: the rest waits for the next tick.
    var isCutShort: Bool { get }
    /// The next instant at which something is due though nothing moves.
    var nextDue: Instant? { get }
    /// Whether something waits for a date.
    var waitsForDate: Bool { get }
    /// The wall clock was set.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant)
    /// Takes messages in, as many as make one turn.
    /// - Returns: How many of them were taken.
    func receive(_ messages: ArraySlice<Message>, at now: Instant) -> Int
    func tick(_ number: Int64, isLate: Bool)
    /// Sends what happened though no tick has anything to do.
    func sendEvents(at now: Instant)
    /// Works off what takes several turns, for a server that ends.
    func finish(_ now: () -> Instant)
}
