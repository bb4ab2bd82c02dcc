// The interface between the tick thread and a node.

import Tween

/// A node, as the tick thread drives it.
protocol TickDriven: AnyObject {
    /// Whether the next tick has work.
    var wantsTick: Bool { get }
    /// Whether there is work for another turn right away.
    var isBusy: Bool { get }
    /// Whether more was due than one turn handles; the rest waits for the next tick.
    var isCutShort: Bool { get }
    /// The next instant at which something is due even if nothing moves.
    var nextDue: Instant? { get }
    /// Whether a schedule waits for a date.
    var waitsForDate: Bool { get }
    /// Shifts what depends on elapsed time after the clock was set.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant)
    /// Handles as many messages as fit into one turn.
    /// - Returns: The number of messages handled.
    func receive(_ messages: ArraySlice<Message>, at now: Instant) -> Int
    func tick(_ number: Int64, isLate: Bool)
    /// Sends events when no tick has work.
    func sendEvents(at now: Instant)
    /// Finishes work that takes several turns, for a server that stops.
    func finish(_ now: () -> Instant)
}
