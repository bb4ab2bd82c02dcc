// Clients whose cursor is ahead of this replica. They wait until it has caught up, as they would receive events twice
// otherwise.

import EventStream
import Gateway
import Tween

/// Streams that are not open yet. The number of connections bounds them.
struct CatchUpWaiters {
    struct Reader {
        var request: StreamRequest
        var responder: any Responder
        var since: Instant
    }

    /// Seconds that a client waits. After that, the stream begins with `reset`, as its cursor can't be found.
    static let timeout = 2.0

    private var waiting: [Reader] = []

    /// When the first client has waited long enough.
    var deadline: Instant? { waiting.first?.since.advanced(bySeconds: Self.timeout) }

    mutating func add(_ reader: Reader) { waiting.append(reader) }

    /// Removes and returns the clients whose streams can be opened now.
    /// - Parameter isBehind: Whether this replica is still behind a client.
    mutating func take(at now: Instant, unless isBehind: (StreamRequest) -> Bool) -> [Reader] {
        guard !waiting.isEmpty else { return [] }
        var ready: [Reader] = []
        waiting.removeAll { reader in
            let goes = now.seconds(since: reader.since) >= Self.timeout || !isBehind(reader.request)
            if goes { ready.append(reader) }
            return goes
        }
        return ready
    }

    /// Shifts the waiting times after the clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for index in waiting.indices {
            waiting[index].since = waiting[index].since.advanced(byNanoseconds: nanoseconds)
        }
    }
}
