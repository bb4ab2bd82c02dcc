// The catalogue of figures: one table, which /metrics is written from and docs/operations.md explains.

import Metrics

/// A figure, by its name without what all of this program's begin with.
enum Metric: String, CaseIterable, Sendable {
    // The board.
    case resources, tracks, schedules
    case sampledTracks = "sampled_tracks"
    case commands = "commands_total"
    case completions = "completions_total"
    case firings = "firings_total"
    case firingLateness = "firing_lateness_seconds"
    case cutShort = "advances_cut_short_total"
    // Motion.
    case ticks = "ticks_total"
    case lateTicks = "ticks_late_total"
    case tickLateness = "tick_lateness_seconds"
    case tickWork = "tick_duration_seconds"
    case frames = "frames_total"
    case frameAge = "frame_age_seconds"
    case deliveryGap = "delivery_gap_seconds"
    case sentFrames = "frames_sent_total"
    case conflatedFrames = "frames_conflated_total"
    case events = "events_total"
    case sentEvents = "events_sent_total"
    // Streams.
    case streams
    case openedStreams = "streams_opened_total"
    case closedStreams = "streams_closed_total"
    case refusedStreams = "streams_refused_total"
    case stalledStreams = "streams_stalled_total"
    case slowStreams = "streams_slow_total"
    case greeting = "greeting_duration_seconds"
    case replays = "replays_total"
    case resets = "resets_total"
    case streamTopics = "stream_topics"
    case streamNames = "stream_names"
    case historyBytes = "history_bytes"
    case sends = "stream_sends_total"
    case streamBytes = "stream_bytes_total"
    case rings = "stream_rings"
    // Requests.
    case requests = "http_request_duration_seconds"
    case answerBytes = "http_response_bytes_total"
    case lateConnections = "connections_late_total"
    case displacedConnections = "connections_displaced_total"
    case refusedTokens = "tokens_refused_total"
    // The store.
    case commitTime = "store_commit_duration_seconds"
    case syncTime = "store_sync_duration_seconds"
    case commits = "store_commits_total"
    case storedChanges = "store_changes_total"
    case storeWaiting = "store_waiting"
    case storeWaitingBytes = "store_waiting_bytes"
    case quarantined = "store_quarantined"
    case storeSize = "store_size_bytes"
    case storeLogBytes = "store_log_bytes"
    case checkpointFailures = "store_checkpoint_failures_total"
    case storeFailing = "store_failing"
    // Replicas.
    case replicas
    case logPosition = "log_position"
    case logLag = "log_lag"
    case logPending = "log_pending"
    case logEntriesSent = "log_entries_sent_total"
    case logFollowing = "log_following"
    case boardReloads = "board_reloads_total"
    case steward
    case logClockOffset = "log_clock_offset_seconds"
    case logClockUncertainty = "log_clock_uncertainty_seconds"
    // Webhooks.
    case webhooksPending = "webhooks_pending"
    case webhooksFailed = "webhooks_failed"
    case webhookCalls = "webhook_calls_total"
    case webhooksDelivered = "webhooks_delivered_total"
    case webhookTime = "webhook_call_duration_seconds"
    // Limits.
    case limit, usage
    case limitRefusals = "limit_refusals_total"
    // The server.
    case draining
    case logLines = "log_lines_total"
    case logLinesDropped = "log_lines_dropped_total"
    case auditLinesDropped = "audit_lines_dropped_total"
    case build = "build_info"
    case timeZones = "time_zones_info"
    case processCPU = "process_cpu_seconds_total"
    case processResident = "process_resident_memory_bytes"
    case processVirtual = "process_virtual_memory_bytes"
    case processOpenDescriptors = "process_open_fds"
    case processMaxDescriptors = "process_max_fds"
    case processStart = "process_start_time_seconds"
    case processThreads = "process_threads"

    /// What it is and says.
    var family: MetricFamily {
        // Those of processes have names that everybody's have.
        let name = rawValue.hasPrefix("process_") ? rawValue : "tweencast_" + rawValue
        let about = about
        return MetricFamily(name, about.type, unit: unit, help: about.help, labels: about.labels)
    }

    /// As its name ends.
    private var unit: MetricUnit? {
        let parts = rawValue.split(separator: "_")
        return parts.last(where: { $0 != "total" }).flatMap { MetricUnit(rawValue: String($0)) }
    }
}
