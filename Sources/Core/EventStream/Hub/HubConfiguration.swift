// What a hub may hold: every limit has its name here.

import Base

/// Limits and settings of a hub.
package struct HubConfiguration: Sendable {
    /// Most named events kept for replay.
    package var historyEvents = 10_000
    /// Seconds a named event is kept.
    package var historySeconds = 900.0
    /// Most bytes of named events kept for replay, in memory and in the store.
    package var historyBytes = 32 << 20
    /// Most topics of one stream, those aside that concern all of a kind; further ones are not attached, and it is told.
    package var maximumTopicsPerStream = 10_000
    /// Most topics of all streams together; further ones are not attached, and who misses them is told. Nobody's streams have
    /// more of them than are left free.
    package var maximumLinks = 4_000_000
    /// Most names and prefixes of all streams together; a stream that brings more hears nothing, and is told. Nobody's
    /// streams have more of them than are left free.
    package var maximumPatterns = 1_000_000
    /// Most topics that no resource stands for, such as those of notifications; beyond it the oldest makes room, and comes
    /// again with its next event.
    package var maximumPassingTopics = 1_024
    /// Bytes of topics' states that a stream is sent at its beginning before it has to ask for more: one that reads nothing
    /// has no more than that waiting.
    package var greetingPortion = 8 * 1_024
    /// Topics that a stream is attached to at a time.
    package var topicsPerPortion = 500
    /// Bytes of missed events that a stream is sent before it has to ask for more; a portion ends with the event that
    /// passes it.
    package var replayPortion = 16 * 1_024
    /// Most events that are looked at for one portion of what a stream missed, its own or not.
    package var replayLook = 2_000
    /// Bytes of frames and events after which a batch is handed on though its tick goes on.
    package var batchSize = 1 << 20
    /// Bytes of batches after which shards are sent them though their tick goes on.
    package var burstSize = 16 << 20
    /// Whether published events are to be taken by `takeLogPortion`.
    package var keepsLog = false

    package init() {}

    /// What of named events is kept.
    var limits: History.Limits {
        History.Limits(
            events: historyEvents, bytes: historyBytes, lifetime: Int64(saturating: historySeconds * 1e9))
    }
}
