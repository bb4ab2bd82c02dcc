// The table of metrics. /metrics is written from it, and docs/operations.md lists the same rows.

import Base

/// A metric of the service.
enum Metric: CaseIterable, Sendable {
    // The board.
    case resources, tracks, schedules, sampledTracks, commands, completions, firings, firingLateness, lateActions,
        cutShort
    // Motion.
    case ticks, lateTicks, tickLateness, tickWork, frames, frameAge, deliveryGap, sentFrames, conflatedFrames,
        events, sentEvents
    // Streams.
    case streams, openedStreams, closedStreams, refusedStreams, stalledStreams, slowStreams, greeting, replays,
        resets, streamTopics, streamNames, historyBytes, sends, streamBytes, rings
    // Requests.
    case requests, answerBytes, lateConnections, displacedConnections, refusedTokens
    // The store.
    case commitTime, syncTime, commits, storedChanges, storeWaiting, storeWaitingBytes, quarantined, storeSize,
        storeLogBytes, checkpointFailures, storeFailing
    // Replicas.
    case replicas, logPosition, logLag, logPending, logEntriesSent, logFollowing, boardReloads, steward,
        logClockOffset, logClockUncertainty
    // Webhooks.
    case webhooksPending, webhooksFailed, webhookCalls, webhooksDelivered, webhooksRefused, webhookTime
    // Limits.
    case limit, usage, limitRefusals
    // The server.
    case draining, logLines, logLinesDropped, auditLinesDropped, build, timeZones, processCPU, processResident,
        processVirtual, processOpenDescriptors, processMaxDescriptors, processStart, processThreads

    /// Its row: name, type, help and labels.
    var family: MetricFamily {
        switch self {
        // The board.
        case .resources: gauge("resources", "Tickers, progresses and schedules.", "kind")
        case .tracks: gauge("tracks", "Tickers and progresses.")
        case .schedules: gauge("schedules", "Pending schedules.")
        case .sampledTracks: gauge("sampled_tracks", "Tracks that move and have subscribers.")
        case .commands: counter("commands_total", "Changes requested.")
        case .completions: counter("completions_total", "Motions that ended.")
        case .firings: counter("firings_total", "Schedules that fired.")
        case .firingLateness: histogram("firing_lateness_seconds", "Time from when a schedule was due until it fired.")
        case .lateActions:
            counter("actions_late_total", "Actions that had to wait for the update rate of whoever posted them.")
        case .cutShort:
            counter(
                "advances_cut_short_total", "Advances of the board that left due work for the next one.")
        // Motion.
        case .ticks: counter("ticks_total", "Ticks with something to do.")
        case .lateTicks: counter("ticks_late_total", "Ticks that began more than a period late.")
        case .tickLateness:
            histogram(
                "tick_lateness_seconds", "Time from when a tick was due, right after another, until it began.")
        case .tickWork:
            histogram(
                "tick_duration_seconds", "Duration of ticks: frames, events and their way to the stream threads.")
        case .frames: counter("frames_total", "Frames encoded, once for all streams.")
        case .frameAge:
            histogram(
                "frame_age_seconds",
                "Time from a tick until the kernel had its frames, for streams that take every tick.")
        case .deliveryGap: histogram("delivery_gap_seconds", "Time between the sends of two consecutive ticks.")
        case .sentFrames: counter("frames_sent_total", "Frames sent, counted per stream.")
        case .conflatedFrames:
            counter(
                "frames_conflated_total", "Frames replaced by a newer one before they were sent to a slow reader.")
        case .events: counter("events_total", "Named events published, once for all streams.", "event")
        case .sentEvents: counter("events_sent_total", "Named events sent, counted per stream.")
        // Streams.
        case .streams: gauge("streams", "Open streams.")
        case .openedStreams: counter("streams_opened_total", "Streams opened.")
        case .closedStreams: counter("streams_closed_total", "Streams closed.", "reason")
        case .refusedStreams: counter("streams_refused_total", "Streams refused, to be tried again later.", "reason")
        case .stalledStreams: counter("streams_stalled_total", "Streams closed because the client stopped reading.")
        case .slowStreams: counter("streams_slow_total", "Streams closed because too much was queued for them.")
        case .greeting:
            histogram(
                "greeting_duration_seconds",
                "Time from the head of a stream's request until its first events were with the stream thread.")
        case .replays: counter("replays_total", "Streams resumed with the id of a known event.")
        case .resets: counter("resets_total", "Resets sent to streams that may have missed events.", "reason")
        case .streamTopics: gauge("stream_topics", "Topics of all streams together.")
        case .streamNames: gauge("stream_names", "Names and prefixes of all streams together.")
        case .historyBytes: gauge("history_bytes", "Bytes of named events kept for replay.")
        case .sends: counter("stream_sends_total", "Sends to streams.")
        case .streamBytes: counter("stream_bytes_total", "Bytes sent to streams.")
        case .rings: gauge("stream_rings", "Stream threads that send by io_uring.")
        // Requests.
        case .requests:
            histogram(
                "http_request_duration_seconds",
                "Time from the end of a request's head until its answer was handed over; for a stream, until it began.",
                "route", "method", "status")
        case .answerBytes: counter("http_response_bytes_total", "Bytes of response bodies, without streams and lists.")
        case .lateConnections:
            counter(
                "connections_late_total", "Connections closed because a request or its answer took too long.")
        case .displacedConnections:
            counter(
                "connections_displaced_total", "Idle connections closed to make room for others.")
        case .refusedTokens: counter("tokens_refused_total", "Tokens refused.")
        // The store.
        case .commitTime:
            histogram(
                "store_commit_duration_seconds",
                "Time from handing a turn's changes to the store until they were on disk.")
        case .syncTime:
            histogram(
                "store_sync_duration_seconds",
                "Duration of the statements that end transactions and write them to disk.")
        case .commits: counter("store_commits_total", "Commits.")
        case .storedChanges: counter("store_changes_total", "Records written.")
        case .storeWaiting: gauge("store_waiting", "Submissions waiting for a commit.")
        case .storeWaitingBytes: gauge("store_waiting_bytes", "Bytes of submissions waiting for a commit.")
        case .quarantined: gauge("store_quarantined", "Unreadable records that were set aside.")
        case .storeSize: gauge("store_size_bytes", "Bytes of the store's files.")
        case .storeLogBytes: gauge("store_log_bytes", "Bytes in the write-ahead log.")
        case .checkpointFailures:
            counter(
                "store_checkpoint_failures_total", "Failed attempts to move the write-ahead log into the database.")
        case .storeFailing: gauge("store_failing", "1 when the last commit failed.")
        // Replicas.
        case .replicas: gauge("replicas", "Replicas seen lately.")
        case .logPosition: gauge("log_position", "The last log entry applied.")
        case .logLag: gauge("log_lag", "Log entries not yet carried out, at the last check.")
        case .logPending: gauge("log_pending", "Requests on their way through the log.")
        case .logEntriesSent: counter("log_entries_sent_total", "Log entries sent by this replica.")
        case .logFollowing: gauge("log_following", "1 while this replica reads and writes the log.")
        case .boardReloads: counter("board_reloads_total", "Times the whole board was loaded again.")
        case .steward: gauge("steward", "1 on the replica that calls webhooks.")
        case .logClockOffset:
            gauge(
                "log_clock_offset_seconds", "How far the log's time is ahead of this machine's clock.")
        case .logClockUncertainty:
            gauge(
                "log_clock_uncertainty_seconds", "The largest possible error of the log's time here.")
        // Webhooks.
        case .webhooksPending: gauge("webhooks_pending", "Webhooks waiting or being called.")
        case .webhooksFailed: gauge("webhooks_failed", "Webhooks given up and kept.")
        case .webhookCalls: counter("webhook_calls_total", "Webhook calls begun.")
        case .webhooksDelivered: counter("webhooks_delivered_total", "Webhooks accepted by their receivers.")
        case .webhooksRefused:
            counter("webhooks_refused_total", "Webhooks given up at once, because too many of their host were waiting.")
        case .webhookTime:
            histogram(
                "webhook_call_duration_seconds", "Duration of webhook calls, by outcome.", "outcome")
        // Limits.
        case .limit: gauge("limit", "The limit's value.", "name")
        case .usage: gauge("usage", "How much of the limit is in use.", "name")
        case .limitRefusals:
            counter(
                "limit_refusals_total", "Requests refused by a limit of one token or address.", "name")
        // The server.
        case .draining: gauge("draining", "1 while the server shuts down.")
        case .logLines: counter("log_lines_total", "Lines written to the log.", "level")
        case .logLinesDropped:
            counter(
                "log_lines_dropped_total",
                "Log lines dropped: standard error was not read fast enough, or a message was repeated too often.")
        case .auditLinesDropped: counter("audit_lines_dropped_total", "Audit lines that could not be written.")
        case .build: info("build_info", "The version that runs and its kind of store.", "version", "store")
        case .timeZones: info("time_zones_info", "The version of the time zone data that the board uses.", "version")
        case .processCPU: counter("process_cpu_seconds_total", "Processor time used, in the program and in the system.")
        case .processResident: gauge("process_resident_memory_bytes", "Resident memory.")
        case .processVirtual: gauge("process_virtual_memory_bytes", "Virtual memory.")
        case .processOpenDescriptors: gauge("process_open_fds", "Open file descriptors.")
        case .processMaxDescriptors: gauge("process_max_fds", "The most file descriptors that may be open.")
        case .processStart: gauge("process_start_time_seconds", "Start time, as Unix time.")
        case .processThreads: gauge("process_threads", "Threads.")
        }
    }

    private func gauge(_ name: String, _ help: String, _ labels: String...) -> MetricFamily {
        Self.family(name, .gauge, help, labels)
    }

    private func counter(_ name: String, _ help: String, _ labels: String...) -> MetricFamily {
        Self.family(name, .counter, help, labels)
    }

    private func histogram(_ name: String, _ help: String, _ labels: String...) -> MetricFamily {
        Self.family(name, .histogram, help, labels)
    }

    private func info(_ name: String, _ help: String, _ labels: String...) -> MetricFamily {
        Self.family(name, .info, help, labels)
    }

    /// Process metrics have the usual names; all others start with the program's name.
    private static func family(_ name: String, _ type: MetricType, _ help: String, _ labels: [String]) -> MetricFamily {
        let unit = name.split(separator: "_").last { $0 != "total" }.flatMap { MetricUnit(rawValue: String($0)) }
        return MetricFamily(
            name.hasPrefix("process_") ? name : "tweencast_" + name, type, unit: unit, help: help, labels: labels)
    }
}
