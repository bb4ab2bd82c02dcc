// The start and end of streams: reconnect delays, self tests, permits, and the drain.

import Base
import EventStream
import Tween

/// The start and end of streams.
final class StreamLifecycle {
    let selfTests = SelfTests()
    let drainSchedule = DrainSchedule()
    let permits = Permits()
    private var retryDelays: JitteredRetry
    var isDraining = false

    /// - Parameter seed: The seed for the delays.
    init(seed: UInt64) { retryDelays = JitteredRetry(seed: seed) }

    var timed: [any Timed] { [selfTests, drainSchedule, permits] }

    /// Returns the milliseconds after which a client should reconnect; each differs, so that a crowd doesn't return at once.
    func retryDelay() -> Int { retryDelays.next() }

    /// Returns the delay while the server drains: no client should be back before all have been ended.
    func retryDelay(whileDrainingAt now: Instant) -> Int { drainSchedule.rest(at: now) + retryDelay() }

    /// Returns a stream's last event.
    func bye(_ reason: String, at now: Instant) -> [UInt8] {
        SSE.event("bye", retry: retryDelay(whileDrainingAt: now), payload: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }
}
