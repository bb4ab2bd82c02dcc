// The queue from the hub to a shard: messages in order, taken all at once.

import Base
import Synchronization

/// A message from a hub to a shard.
enum ShardMessage: Sendable {
    /// Opens a stream with its greeting and the current state.
    case open(Opening)
    /// Subscribes a stream to a topic that was created later and matches its pattern.
    case attach(StreamID, TopicForm)
    /// Unsubscribes a stream from topics in some forms.
    case detach(StreamID, [TopicForm])
    /// Changes a stream's terms.
    case change(StreamID, Terms)
    /// Forgets a topic; its number may be reused.
    case forget(Int32)
    case batch(TickBatch)
    /// Continues a stream's greeting after its request.
    case greet(GreetingChunk)
    /// Sends a chunk to one stream only.
    case tell(StreamID, [UInt8])
    /// Ends a stream after this chunk.
    case end(StreamID, [UInt8], StreamEndReason)

    /// A portion of what a stream is sent at its start.
    struct GreetingChunk: Sendable {
        var key: StreamID
        /// Missed events, then states of topics, each as a chunk.
        var bytes: [UInt8]
        /// Whether more follows when the stream has sent this.
        var hasMore = false
        /// Whether the stream ends with this.
        var isOver = false
        /// The topics it subscribes to with this portion.
        var topics: [TopicForm] = []
        /// Those whose shown state the other streams have not seen yet.
        var ahead: [TopicForm] = []
    }

    /// Options that a client may change while its stream is open.
    struct Terms: Sendable {
        /// Nanoseconds between frames; 0 is every tick.
        var interval: Int64
        /// Seconds of silence before a heartbeat; 0 is the server's default.
        var heartbeat: UInt8
        var once: Bool
        /// Whether it may receive a topic in several forms.
        var hasSeveralForms: Bool
        /// The topics that its reader may read; nil for all.
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
        /// What it ends with if it answers a change.
        var goal: StreamGoal?
        /// Whether its greeting comes before its socket.
        var isGreeted: Bool
        /// Makes its encoder; nil for Server-Sent Events.
        var encoding: StreamEncoding?
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

    /// Sets the callback that wakes the shard's thread; called without any lock held.
    package func wakesWith(_ wake: @escaping @Sendable () -> Void) { contents.withLock { $0.wake = wake } }

    /// - Parameter wakes: Whether to wake the shard's thread.
    func post(_ new: inout [ShardMessage], wakes: Bool = true) {
        guard !new.isEmpty else { return }
        let wake = contents.withLock { contents in
            contents.messages.append(contentsOf: new)
            return contents.wake
        }
        new.removeAll(keepingCapacity: true)
        if wakes { wake() }
    }

    func receive(into batch: inout [ShardMessage]) {
        batch.removeAll(keepingCapacity: true)
        contents.withLock { swap(&$0.messages, &batch) }
    }
}
