// A hub's limits and settings. Every limit has its name here.

import Base

/// Limits and settings of a hub.
package struct HubConfiguration: Sendable {
    /// Most named events kept for replay.
    package var historyEvents = 10_000
    /// Seconds a named event is kept; older ones are dropped when the next is published.
    package var historySeconds = 900.0
    /// Most bytes of named events kept for replay, in memory and in the store.
    package var historyBytes = 32 << 20
    /// Most topics of one stream, not counting those for all resources of a kind; one in two forms counts twice. Others are
    /// not attached; the stream is sent a notice.
    package var maximumTopicsPerStream = 10_000
    /// Most attachments of streams to topics. Others are not attached, and their streams are sent a notice. No owner's streams
    /// have more than are left free.
    package var maximumLinks = 4_000_000
    /// Most names and prefixes of all streams together. A stream beyond that gets no events but a notice. No owner's streams
    /// have more than are left free.
    package var maximumPatterns = 1_000_000
    /// Most topics without a resource, such as those of notifications. Beyond that the older half is removed; a topic
    /// returns with its next event.
    package var maximumPassingTopics = 1_024
    /// Bytes of states in one portion of a greeting, behind missed events if it has some. The next portion is made when the
    /// client has read this one, so a client that never reads holds up one portion only.
    package var greetingPortion = 8 * 1_024
    /// Topics that a stream is attached to in one portion.
    package var topicsPerPortion = 500
    /// Bytes of missed events in one portion of a greeting. A portion ends with the event that exceeds it.
    package var replayPortion = 16 * 1_024
    /// Most events that are searched for one portion of missed events, matching or not.
    package var replayLook = 2_000
    /// Bytes of frames and events after which a batch is closed during its tick.
    package var batchSize = 1 << 20
    /// When the closed batches of a tick reach this many bytes, they are sent to the shards before the tick ends.
    package var burstSize = 16 << 20
    /// Whether `drainLogPortion` is used to store published events.
    package var keepsLog = false

    package init() {}

    /// The retention of named events.
    var limits: History.Limits {
        History.Limits(
            events: historyEvents, bytes: historyBytes, lifetime: Int64(saturating: historySeconds * 1e9))
    }
}
