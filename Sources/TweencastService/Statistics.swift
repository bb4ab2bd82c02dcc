// What the tick thread counts, and how Prometheus reads it.

import Board
import Committing
import EventStream
import HTTPTransport
import Machine
import Publishing
import Storage

/// Counters of a conductor.
struct Statistics {
    var ticks: UInt64 = 0
    /// Ticks that came later than their period.
    var lateTicks: UInt64 = 0
    var commands: UInt64 = 0
    var completions: UInt64 = 0
    var firings: UInt64 = 0
    /// Advances that left something due for the next.
    var cutShort: UInt64 = 0
    /// Streams that were told to come back later.
    var refusedStreams: UInt64 = 0
    var webhookCalls: UInt64 = 0
    var webhooksDelivered: UInt64 = 0

    mutating func count(_ outcome: Outcome) {
        commands += UInt64(outcome.counts.accepted)
        completions += UInt64(outcome.counts.completions)
        firings += UInt64(outcome.counts.firings)
        cutShort += UInt64(outcome.counts.cutShort)
        webhookCalls += UInt64(outcome.calls.count)
        webhooksDelivered += UInt64(outcome.counts.delivered)
    }
}

/// What sockets did so far, of whatever kind.
struct TransportCounters: Sendable {
    var streams = StreamCounters()
    var connections = ConnectionCounters()
    /// Streams that were ended because too much waited for them.
    var slowStreams: UInt64 = 0
}

extension Conductor {
    /// The metrics in Prometheus' text format.
    func metrics() -> [UInt8] {
        let transport = parts.counters()
        let streams = transport.streams
        let health = ledger.health
        var text = ""
        func add(_ name: String, _ type: String, _ help: String, _ value: some BinaryInteger) {
            text += "# HELP tweencast_\(name) \(help)\n# TYPE tweencast_\(name) \(type)\ntweencast_\(name) \(value)\n"
        }
        add("tracks", "gauge", "Tickers and progresses.", machine.engine.trackCount)
        add("schedules", "gauge", "Pending schedules.", machine.engine.pendingSchedules)
        add("sampled_tracks", "gauge", "Tracks that move and are watched.", machine.engine.sampled.count)
        add("streams", "gauge", "Open streams.", streams.open)
        add("stream_topics", "gauge", "Topics of all streams together.", publisher.linkCount)
        add("stream_names", "gauge", "Names and prefixes of all streams together.", publisher.patternCount)
        add("history_bytes", "gauge", "Bytes of named events kept for replay.", publisher.historyBytes)
        add("stream_sends_total", "counter", "Sends to streams.", streams.sends)
        add("stream_bytes_total", "counter", "Bytes sent to streams.", streams.bytes)
        add("streams_stalled_total", "counter", "Streams cut off because they took nothing.", streams.stalled)
        add(
            "streams_slow_total", "counter", "Streams ended because too much waited for them.", transport.slowStreams)
        add(
            "streams_refused_total", "counter", "Streams told to come back later: no room, or the server ends.",
            streams.refused + statistics.refusedStreams)
        add(
            "connections_late_total", "counter", "Connections cut off because a request or its answer took too long.",
            transport.connections.late)
        add(
            "connections_displaced_total", "counter",
            "Connections cut off to make room, while a request was awaited on them.", transport.connections.displaced)
        add("ticks_total", "counter", "Ticks that had something to do.", statistics.ticks)
        add("ticks_late_total", "counter", "Ticks that came later than a period.", statistics.lateTicks)
        add(
            "advances_cut_short_total", "counter", "Advances that left something due for the next.", statistics.cutShort
        )
        add("frames_total", "counter", "Frames encoded.", publisher.frameCount)
        add("commands_total", "counter", "Changes asked for.", statistics.commands)
        add("completions_total", "counter", "Motions that ended.", statistics.completions)
        add("firings_total", "counter", "Schedules that fired.", statistics.firings)
        add("webhooks_pending", "gauge", "Webhooks that wait or are under way.", machine.outbox.pendingCount)
        add("webhooks_failed", "gauge", "Webhooks that were given up and are kept.", machine.outbox.deadCount)
        add("webhook_calls_total", "counter", "Calls of webhooks that were begun.", statistics.webhookCalls)
        add("webhooks_delivered_total", "counter", "Webhooks that were taken.", statistics.webhooksDelivered)
        add("store_commits_total", "counter", "Commits.", health.commits)
        add("store_changes_total", "counter", "Records written.", health.changes)
        add("store_waiting", "gauge", "Submissions that wait for a commit.", health.waiting)
        add("store_waiting_bytes", "gauge", "Bytes of submissions that wait for a commit.", health.waitingBytes)
        add("store_quarantined", "gauge", "Records that can't be read and were set aside.", health.quarantined)
        add("store_log_bytes", "gauge", "Bytes that the write-ahead log holds.", health.logPages * 4_096)
        add(
            "store_checkpoint_failures_total", "counter",
            "Times that the write-ahead log could not be moved into the database.", health.checkpointFailures)
        add("store_failing", "gauge", "1 when the last commit failed.", health.failure == nil ? 0 : 1)
        add(
            "log_lines_dropped_total", "counter",
            "Lines that the log left out: nobody took them, or too many of a kind.",
            Log.standard.leftOut)
        return Array((text + limitMetrics()).utf8)
    }
}
