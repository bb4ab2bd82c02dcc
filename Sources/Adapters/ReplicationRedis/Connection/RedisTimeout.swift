// Time limits for replies.

import Base

/// How long a connection may wait without any bytes in either direction. A reply that keeps arriving, however slowly, is
/// waited for.
package enum RedisTimeout: Hashable, Sendable {
    /// The connection's configured limit.
    case usual
    /// At least a microsecond.
    case atMost(Duration)
    /// No limit, for a blocking read. `interrupt` ends it, and so does the loss of the server: half a minute after its
    /// machine goes silent, or many minutes if that happens just as the request is sent.
    case endless
}

extension Duration {
    /// Whole microseconds, from one to some thirty years: the range that the system accepts.
    var timeout: Int64 {
        let (seconds, attoseconds) = components
        let microseconds = seconds.multipliedSaturated(by: 1_000_000)
            .addingSaturated(attoseconds / 1_000_000_000_000)
        return min(max(1, microseconds), 1_000_000_000_000_000)
    }
}
