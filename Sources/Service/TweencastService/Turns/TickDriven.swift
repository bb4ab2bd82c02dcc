// The interface between the tick thread and a node.

import Tween

/// A node, as the tick thread drives it.
protocol TickDriven: AnyObject {
    /// Whether the next tick has work.
    var wantsTick: Bool { get }
    /// Whether there is work for another turn right away.
    var isBusy: Bool { get }
    /// Whether due work waits for the next tick: one turn could not do all of it, or the store is behind.
    var isCutShort: Bool { get }
    /// The next instant at which something is due even if nothing moves.
    var nextDue: Instant? { get }
    /// Whether a change of the wall clock may bring a schedule nearer; never with a shared log's clock.
    var waitsForDate: Bool { get }
    /// Shifts what depends on elapsed time after the clock was set.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant)
    /// Runs one turn: what fell due, as many messages as fit, then a part of what takes several turns. Called without messages,
    /// too.
    /// - Returns: The number of messages handled.
    func runTurn(with messages: ArraySlice<Message>, at now: Instant) -> Int
    /// Runs a tick.
    /// - Parameter isLate: Whether ticks before it were missed.
    func tick(_ number: Int64, isLate: Bool)
    /// Sends events when no tick has work.
    func sendEvents(at now: Instant)
    /// Finishes work that takes several turns, for a server that stops.
    func finish(_ now: () -> Instant)
}
