// Who comes and goes: delays after which clients come back, self tests, farewells of a server that drains.

import EventStream
import Primitives
import Tween

/// The way in and out of streams.
final class StreamDoor {
    let selfTests = SelfTests()
    let farewells = Farewells()
    let permits = Permits()
    private var retryDelays: JitteredRetry
    var isDraining = false

    /// - Parameter seed: For the delays.
    init(seed: UInt64) { retryDelays = JitteredRetry(seed: seed) }

    var timed: [any Timed] { [selfTests, farewells, permits] }

    /// Milliseconds after which a client should come back; each has its own, so that a crowd doesn't return as one.
    func retryDelay() -> Int { retryDelays.next() }

    /// A stream's last event.
    func farewell(_ reason: String) -> [UInt8] {
        SSE.event("bye", retry: retryDelay(), payload: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }
}
