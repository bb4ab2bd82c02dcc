// What a stream tells its shard after a call.

extension ShardStream {
    /// What the shard must do with the stream after a call.
    enum Step {
        case nothing
        /// It has something to send; returned once until it is filled.
        case enqueue
        /// It has a frame that its rate delays until an instant; returned once until that instant.
        case delayed(until: Int64)
        /// Too much waits for it.
        case cut
    }

    /// What is left after a portion.
    struct Rest {
        /// The stream ends after this portion.
        var isEnd = false
        /// The next portion has more.
        var hasMore = false
        /// The hub should continue its greeting.
        var wantsGreeting = false
        /// The portion has frames, and the stream requests every tick and keeps up.
        var hasNewest = false
        /// Work spent on rewriting the portion; see `ReadyStreams`.
        var work = 0
    }
}
