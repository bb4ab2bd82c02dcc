// Who comes and goes: delays after which clients come back, self tests, farewells of a server that drains.

import Base
import EventStream
import Tween

/// The way in and out of streams.
final class StreamLifecycle {
    let selfTests = SelfTests()
    let drainSchedule = DrainSchedule()
    let permits = Permits()
    private var retryDelays: JitteredRetry
    var isDraining = false

    /// - Parameter seed: For the delays.
    init(seed: UInt64) { retryDelays = JitteredRetry(seed: seed) }

    var timed: [any Timed] { [selfTests, drainSchedule, permits] }

    /// Milliseconds after which a client should come back; each has its own, so that a crowd doesn't return as one.
    func retryDelay() -> Int { retryDelays.next() }

    /// The same of a server that drains: nobody is to be back before all have been told to go.
    func retryDelay(whileDrainingAt now: Instant) -> Int { drainSchedule.rest(at: now) + retryDelay() }

    /// A stream's last event.
    func bye(_ reason: String, at now: Instant) -> [UInt8] {
        SSE.event("bye", retry: retryDelay(whileDrainingAt: now), payload: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }
}
