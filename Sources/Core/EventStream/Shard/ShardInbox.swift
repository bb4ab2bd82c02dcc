// The way from the hub to a shard: messages in order, taken all at once.

import Base
import Synchronization

/// What a hub tells a shard.
enum ShardMessage: Sendable {
    /// A stream with its greeting and the state now.
    case open(Opening)
    /// A topic that came later and fits a stream's pattern.
    case attach(StreamID, TopicForm)
    /// Topics that a stream doesn't hear any more in some form.
    case detach(StreamID, [TopicForm])
    /// A stream has other terms.
    case change(StreamID, Terms)
    /// A topic has gone; its number may come again.
    case forget(Int32)
    case batch(TickBatch)
    /// More of a stream's greeting, for one that asked for it.
    case greet(GreetingChunk)
    /// What one stream alone is told, as a chunk.
    case tell(StreamID, [UInt8])
    /// Ends a stream after this chunk.
    case end(StreamID, [UInt8], StreamEndReason)

    /// What a stream is told at its beginning, as much as it is given at a time.
    struct GreetingChunk: Sendable {
        var key: StreamID
        /// Missed events, then states of topics, each as a chunk.
        var bytes: [UInt8]
        /// There is more to tell when it has taken this.
        var hasMore = false
        /// The stream ends with this.
        var isOver = false
        /// The topics it hears from now on.
        var topics: [TopicForm] = []
        /// Those of which it was told what the others are still to be shown.
        var ahead: [TopicForm] = []
    }

    /// What a stream's reader may change while it is open.
    struct Terms: Sendable {
        /// Nanoseconds between frames; 0 is every tick's.
        var interval: Int64
        /// Seconds of silence before a heartbeat; 0 is the server's.
        var heartbeat: UInt8
        var once: Bool
        /// Some topics may be heard in several forms.
        var hasSeveralForms: Bool
        /// What its reader may read; nil for everything.
        var readable: TopicSelection?

        init(_ terms: StreamTerms, _ parts: StreamParts) {
            interval = terms.interval
            heartbeat = UInt8(clamping: terms.heartbeatSeconds ?? 0)
            once = terms.once
            hasSeveralForms = parts.hasSeveral
            readable = terms.readable
        }
    }

    struct Opening: Sendable {
        var terms: Terms
        var endsWithTopic: Bool
        /// Its socket is still to come.
        var isGreeted: Bool
        var isLines: Bool
        var portion: GreetingChunk
    }
}

/// A shard's mailbox.
package final class ShardInbox: Sendable {
    private struct Contents {
        var messages: [ShardMessage] = []
        var wake: @Sendable () -> Void = {}
    }

    private let contents = Mutex(Contents())

    package init() {}

    /// Sets what wakes the shard's thread; called without any lock held.
    package func wakesWith(_ wake: @escaping @Sendable () -> Void) { contents.withLock { $0.wake = wake } }

    /// - Parameter wakes: Whether the shard is to look at once.
    func post(_ new: inout [ShardMessage], wakes: Bool = true) {
        guard !new.isEmpty else { return }
        let wake = contents.withLock { contents in
            contents.messages.append(contentsOf: new)
            return contents.wake
        }
        new.removeAll(keepingCapacity: true)
        if wakes { wake() }
    }

    func take(into batch: inout [ShardMessage]) {
        batch.removeAll(keepingCapacity: true)
        contents.withLock { swap(&$0.messages, &batch) }
    }
}
