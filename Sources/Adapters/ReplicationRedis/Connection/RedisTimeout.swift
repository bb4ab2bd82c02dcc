// How long an answer is waited for.

import Base

/// How long a connection waits while nothing comes from the server, nor is taken by it. An answer that keeps coming, be it
/// slowly, is waited for.
package enum RedisTimeout: Hashable, Sendable {
    /// As the connection's configuration says.
    case usual
    /// At least a microsecond.
    case atMost(Duration)
    /// For a read that blocks until something happens. `interrupt` ends it, and a server that is known to be gone: half a
    /// minute after its machine went silent, or many where that happened just as the request was sent.
    case endless
}

extension Duration {
    /// Whole microseconds, from one to those of some thirty years: what the system takes as a limit.
    var timeout: Int64 {
        let (seconds, attoseconds) = components
        let microseconds = seconds.multipliedSaturated(by: 1_000_000)
            .addingSaturated(attoseconds / 1_000_000_000_000)
        return min(max(1, microseconds), 1_000_000_000_000_000)
    }
}
