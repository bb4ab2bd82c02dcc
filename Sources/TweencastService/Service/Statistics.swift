// What the tick thread counts, and how Prometheus reads it.

import Board
import Committing
import EventStream
import HTTPTransport
import Machine
import Publishing
import Storage
import Wire

/// Counters of a stage.
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

/// Metrics in Prometheus' text format.
struct MetricsText {
    private(set) var text = ""

    mutating func add(_ name: String, _ type: String, _ help: String, _ value: some BinaryInteger) {
        text += "# HELP tweencast_\(name) \(help)\n# TYPE tweencast_\(name) \(type)\ntweencast_\(name) \(value)\n"
    }
}

extension Stage {
    /// All metrics.
    func metrics() -> [UInt8] {
        var text = MetricsText()
        addBoard(to: &text)
        addStreams(to: &text)
        keeper.addMetrics(to: &text)
        text.add(
            "log_lines_dropped_total", "counter",
            "Lines that the log left out: nobody took them, or too many of a kind.",
            Log.standard.leftOut)
        if let audit = parts.configuration.audit {
            text.add(
                "audit_lines_dropped_total", "counter", "Audit lines that the file did not take.", audit.leftOut)
        }
        return Array((text.text + limitMetrics()).utf8)
    }

    private func addBoard(to text: inout MetricsText) {
        text.add("tracks", "gauge", "Tickers and progresses.", machine.engine.trackCount)
        text.add("schedules", "gauge", "Pending schedules.", machine.engine.pendingSchedules)
        text.add("sampled_tracks", "gauge", "Tracks that move and are watched.", machine.engine.sampled.count)
        text.add("ticks_total", "counter", "Ticks that had something to do.", statistics.ticks)
        text.add("ticks_late_total", "counter", "Ticks that came later than a period.", statistics.lateTicks)
        text.add(
            "advances_cut_short_total", "counter", "Advances that left something due for the next.", statistics.cutShort
        )
        text.add("frames_total", "counter", "Frames encoded.", publisher.frameCount)
        text.add("commands_total", "counter", "Changes asked for.", statistics.commands)
        text.add("completions_total", "counter", "Motions that ended.", statistics.completions)
        text.add("firings_total", "counter", "Schedules that fired.", statistics.firings)
        text.add("webhooks_pending", "gauge", "Webhooks that wait or are under way.", machine.outbox.pendingCount)
        text.add("webhooks_failed", "gauge", "Webhooks that were given up and are kept.", machine.outbox.deadCount)
        text.add("webhook_calls_total", "counter", "Calls of webhooks that were begun.", statistics.webhookCalls)
        text.add("webhooks_delivered_total", "counter", "Webhooks that were taken.", statistics.webhooksDelivered)
    }

    private func addStreams(to text: inout MetricsText) {
        let transport = parts.counters()
        let streams = transport.streams
        text.add("streams", "gauge", "Open streams.", streams.open)
        text.add("stream_topics", "gauge", "Topics of all streams together.", publisher.linkCount)
        text.add("stream_names", "gauge", "Names and prefixes of all streams together.", publisher.patternCount)
        text.add("history_bytes", "gauge", "Bytes of named events kept for replay.", publisher.historyBytes)
        text.add("stream_sends_total", "counter", "Sends to streams.", streams.sends)
        text.add("stream_bytes_total", "counter", "Bytes sent to streams.", streams.bytes)
        text.add("stream_rings", "gauge", "Threads of streams that send by io_uring.", streams.rings)
        text.add("streams_stalled_total", "counter", "Streams cut off because they took nothing.", streams.stalled)
        text.add(
            "streams_slow_total", "counter", "Streams ended because too much waited for them.", transport.slowStreams)
        text.add(
            "streams_refused_total", "counter", "Streams told to come back later: no room, or the server ends.",
            streams.refused + statistics.refusedStreams)
        text.add(
            "connections_late_total", "counter", "Connections cut off because a request or its answer took too long.",
            transport.connections.late)
        text.add(
            "connections_displaced_total", "counter",
            "Connections cut off to make room, while a request was awaited on them.", transport.connections.displaced)
    }
}

extension Ledger: ChangeKeeper {
    var unreadiness: String? { health.failure == nil ? nil : "the store is failing" }
    var warnings: [String] { [] }

    /// A store of its own is nobody else's matter.
    func append(to json: inout JSONWriter) {}

    func addMetrics(to text: inout MetricsText) {
        let health = health
        text.add("store_commits_total", "counter", "Commits.", health.commits)
        text.add("store_changes_total", "counter", "Records written.", health.changes)
        text.add("store_waiting", "gauge", "Submissions that wait for a commit.", health.waiting)
        text.add("store_waiting_bytes", "gauge", "Bytes of submissions that wait for a commit.", health.waitingBytes)
        text.add("store_quarantined", "gauge", "Records that can't be read and were set aside.", health.quarantined)
        text.add("store_log_bytes", "gauge", "Bytes that the write-ahead log holds.", health.logPages * 4_096)
        text.add(
            "store_checkpoint_failures_total", "counter",
            "Times that the write-ahead log could not be moved into the database.", health.checkpointFailures)
        text.add("store_failing", "gauge", "1 when the last commit failed.", health.failure == nil ? 0 : 1)
    }
}
