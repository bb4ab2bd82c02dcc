// Readers who come from a replica that is ahead of this one: they wait until it has come as far, else they would be told
// again what they have heard.

import EventStream
import Gateway
import Tween

/// Streams that are not opened yet. As many as there are connections for.
struct CatchUpWaiters {
    struct Reader {
        var request: StreamRequest
        var responder: any Responder
        var since: Instant
    }

    /// Seconds for which one waits. Then what it knows is nowhere in reach: its stream begins with `reset`.
    static let patience = 2.0

    private var waiting: [Reader] = []

    /// When one has waited for long enough.
    var deadline: Instant? { waiting.first?.since.advanced(bySeconds: Self.patience) }

    mutating func add(_ reader: Reader) { waiting.append(reader) }

    /// Those whose streams can be opened now.
    /// - Parameter isBehind: Whether a reader still knows more.
    mutating func take(at now: Instant, unless isBehind: (StreamRequest) -> Bool) -> [Reader] {
        guard !waiting.isEmpty else { return [] }
        var ready: [Reader] = []
        waiting.removeAll { reader in
            let goes = now.seconds(since: reader.since) >= Self.patience || !isBehind(reader.request)
            if goes { ready.append(reader) }
            return goes
        }
        return ready
    }

    /// The clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for index in waiting.indices {
            waiting[index].since = waiting[index].since.advanced(byNanoseconds: nanoseconds)
        }
    }
}
