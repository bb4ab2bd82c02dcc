// What bounds what clients can have this service hold or do: one table, which /metrics prints and docs/limits.md explains.

import Access
import Board
import Committing
import EventStream
import Gateway
import HTTPTransport
import Machine
import Publishing
import Replication
import Wire

/// A bound, by the name it has in the metrics and the documentation.
enum ServiceLimit: String, CaseIterable, Sendable {
    case connections
    case requestHeadBytes = "request_head_bytes"
    case requestHeaders = "request_headers"
    case queryParameters = "query_parameters"
    case bodyBytes = "body_bytes"
    case jsonDepth = "json_depth"
    case batchBytes = "batch_bytes"
    case batchLines = "batch_lines"
    case batchLineBytes = "batch_line_bytes"
    case waitingBodyBytes = "waiting_body_bytes"
    case waitingBatchLines = "waiting_batch_lines"
    case waitingBatchBytes = "waiting_batch_bytes"
    case requestFormats = "request_formats"
    case formatRequests = "format_requests"
    case compiledFormats = "compiled_formats"
    case localeWords = "locale_words"
    case messages
    case lists
    case commits
    case commitBytes = "commit_bytes"
    case boardBytes = "board_bytes"
    case tracks
    case schedules
    case scheduleChanges = "schedule_changes"
    case queuedUpdates = "queued_updates"
    case queuedUpdateBytes = "queued_update_bytes"
    case labelBytes = "label_bytes"
    case notificationBytes = "notification_bytes"
    case actions
    case actionDepth = "action_depth"
    case delayedActions = "delayed_actions"
    case readerLocales = "reader_locales"
    case readerLabels = "reader_labels"
    case streams
    case topics
    case streamTopics = "stream_topics"
    case allTopics = "all_topics"
    case allPatterns = "all_patterns"
    case streamBytes = "stream_bytes"
    case shardBytes = "shard_bytes"
    case historyEvents = "history_events"
    case historyBytes = "history_bytes"
    case idempotencyKeys = "idempotency_keys"
    case idempotencyBytes = "idempotency_bytes"
    case clientLooks = "client_looks"
    case webhooks
    case webhookBytes = "webhook_bytes"
    case webhookCalls = "webhook_calls"
    case webhookCallsPerHost = "webhook_calls_per_host"
    case failedWebhooks = "failed_webhooks"
    case replicaRequests = "replica_requests"
    case replicaRequestBytes = "replica_request_bytes"
    case replicaOwnRequests = "replica_own_requests"
    case replicaAheadBytes = "replica_ahead_bytes"
    case logLines = "log_lines"
    case logBytes = "log_bytes"
    case logLinesPerMinute = "log_lines_per_minute"
    case tickets
    case ticketBytes = "ticket_bytes"
    case ticketTopics = "ticket_topics"
    case auditBytes = "audit_bytes"
    case auditRefusals = "audit_refusals"
    case rememberedTokens = "remembered_tokens"
    case requestRate = "request_rate"
    case updateRate = "update_rate"
    case refusedTokenRate = "refused_token_rate"
    case connectionRate = "connection_rate"
    case limitedOwners = "limited_owners"
    case addressConnections = "address_connections"
    case addressStreams = "address_streams"
    case tokenStreams = "token_streams"

    /// The bound under a configuration.
    /// - Parameter machine: What holds on all replicas, whatever each was started with.
    func value(in configuration: ServiceConfiguration, _ machine: MachineSettings) -> Int {
        switch self {
        case .connections: configuration.http.connectionLimit
        case .requestHeadBytes: configuration.http.headLimit
        case .requestHeaders: configuration.http.headerLimit
        case .queryParameters: configuration.http.parameterLimit
        case .bodyBytes: configuration.bodyLimit
        case .jsonDepth: JSONDocument.Origin.request.maximumDepth
        case .batchBytes: configuration.batchLimit
        case .batchLines: configuration.batchLines
        case .batchLineBytes: BatchDecoder.maximumLineBytes
        case .waitingBodyBytes: configuration.bodyBudget
        case .waitingBatchLines: BatchBudget.maximumLines
        case .waitingBatchBytes: BatchBudget.maximumBytes
        case .lists: ListBody.maximumCount
        case .commits: CommitsUnderWay.maximumSubmissions
        case .commitBytes: CommitsUnderWay.maximumBytes
        case .requestFormats: FormatUse.maximumCount
        case .formatRequests, .compiledFormats, .localeWords: valueOfFormats ?? 0
        case .messages: Service.maximumWaiting
        case .boardBytes: machine.boardBytes
        case .tracks: machine.tracks
        case .schedules: machine.schedules
        case .scheduleChanges: SweepRequests.maximumWaiting
        case .queuedUpdates: Track.maximumWaiting
        case .queuedUpdateBytes: Track.maximumWaitingBytes
        case .labelBytes: UpdateDecoder.maximumLabelBytes
        case .notificationBytes: LineRoom.notification
        case .actions: ActionList.maximumCount
        case .actionDepth: ActionList.maximumDepth
        case .delayedActions: machine.delayedActions
        case .readerLocales: ReaderLocales.maximumCount
        case .readerLabels: ReaderFaces.capacity
        case .streams, .topics, .streamTopics, .allTopics, .allPatterns, .streamBytes, .shardBytes:
            valueOfStreams(in: configuration) ?? 0
        case .historyEvents: configuration.historyEvents
        case .historyBytes: configuration.historyBytes
        case .idempotencyKeys: machine.retryKeys
        case .idempotencyBytes: machine.retryBytes
        case .clientLooks: ClientInspections.maximum
        case .webhooks, .webhookBytes, .webhookCalls, .webhookCallsPerHost, .failedWebhooks: valueOfWebhooks ?? 0
        case .replicaRequests, .replicaRequestBytes, .replicaOwnRequests, .replicaAheadBytes: valueOfReplica ?? 0
        case .logLines, .logBytes, .logLinesPerMinute: valueOfLog ?? 0
        case .tickets, .ticketBytes, .ticketTopics, .auditBytes, .auditRefusals, .rememberedTokens, .limitedOwners:
            valueOfAccess ?? 0
        case .addressConnections, .requestRate, .updateRate, .refusedTokenRate, .connectionRate, .addressStreams,
            .tokenStreams:
            value(in: configuration.ownerLimits)
        }
    }

    /// The bound of streams and what they hear of; nil for others.
    private func valueOfStreams(in configuration: ServiceConfiguration) -> Int? {
        switch self {
        case .streams: configuration.maximumStreams
        case .topics: configuration.streamBounds.topics
        case .streamTopics: configuration.hub.maximumTopicsPerStream
        case .allTopics: configuration.hub.maximumLinks
        case .allPatterns: configuration.hub.maximumPatterns
        case .streamBytes: configuration.shard.maximumWaitingBytes
        case .shardBytes: configuration.shard.maximumWaitingTotal
        default: nil
        }
    }

    /// The bound of webhooks; nil for others.
    private var valueOfWebhooks: Int? {
        switch self {
        case .webhooks: Outbox.maximumPending
        case .webhookBytes: Outbox.maximumPendingBytes
        case .webhookCalls: CallQueue.maximumCalls
        case .webhookCallsPerHost: CallQueue.maximumCallsPerHost
        case .failedWebhooks: Outbox.maximumDead
        default: nil
        }
    }

    /// The bound of what is known of those who ask; nil for others.
    private var valueOfAccess: Int? {
        switch self {
        case .tickets: VoucherBook.maximumCount
        case .ticketBytes: VoucherBook.maximumBytes
        case .ticketTopics: Application.ticketTopics
        case .auditBytes: AuditLog.maximumBytes
        case .auditRefusals: AuditDesk.refusalRate
        case .rememberedTokens: TokenAuthority.maximumRemembered
        case .limitedOwners: OwnerLimits.maximumOwners
        default: nil
        }
    }

    private func value(in owners: OwnerLimitSettings) -> Int {
        self == .addressConnections ? owners.connectionsPerAddress : ofOwner?.value(in: owners) ?? 0
    }

    /// The same limit, where it is one of each token or address.
    private var ofOwner: OwnerLimits.Name? { OwnerLimits.Name(rawValue: rawValue) }

    /// The flag that sets it; nil for one that can't be set.
    var flag: String? {
        switch self {
        case .connections: "max-connections"
        case .requestHeadBytes: "head-bytes"
        case .bodyBytes: "body-bytes"
        case .batchBytes: "batch-bytes"
        case .batchLines: "batch-lines"
        case .addressConnections: "max-connections-per-address"
        case .queryParameters: "max-query-parameters"
        case .boardBytes: "board-bytes"
        case .tracks: "max-tracks"
        case .schedules: "max-schedules"
        case .delayedActions: "max-delayed-actions"
        case .topics: "max-request-topics"
        case .streams: "max-streams"
        case .streamTopics: "max-topics"
        case .historyEvents: "history"
        case .historyBytes: "history-bytes"
        case .idempotencyKeys: "idempotency-keys"
        case .idempotencyBytes: "idempotency-bytes"
        default: ofOwner?.flag
        }
    }

    /// The bound of what locales take; nil for others.
    private var valueOfFormats: Int? {
        switch self {
        case .formatRequests: PreparationQueue.capacity
        case .compiledFormats: LocalePlanner.capacity
        case .localeWords: LocalePlanner.wordCapacity
        default: nil
        }
    }

    /// The bound of what is on its way between a replica and the log that it follows; nil for others.
    private var valueOfReplica: Int? {
        switch self {
        case .replicaRequests: PendingEntries.maximumRequests
        case .replicaRequestBytes: PendingEntries.maximumBytes
        case .replicaOwnRequests: LogGate.maximumUnsaid
        case .replicaAheadBytes: ReadAhead.maximumBytes
        default: nil
        }
    }

    /// The bound of the log of messages; nil for others.
    private var valueOfLog: Int? {
        switch self {
        case .logLines: LogQueue.maximumLines
        case .logBytes: LogQueue.maximumBytes
        case .logLinesPerMinute: LogQueue.linesPerMinute
        default: nil
        }
    }
}

extension Stage {
    /// How much of a bound is in use; nil for one on a single request, stream or host, and where nobody counts.
    func usage(of limit: ServiceLimit) -> Int? {
        switch limit {
        case .boardBytes: machine.engine.bytes
        case .tracks: machine.engine.trackCount
        case .schedules: machine.engine.pendingSchedules
        case .delayedActions: machine.engine.delayedActionCount
        case .scheduleChanges: machine.waitingSweeps
        case .lists: lists.count
        case .streams: parts.counters().streams.open
        case .connections: parts.counters().connections.open
        case .waitingBodyBytes: parts.counters().connections.bodyBytes
        case .readerLocales: publisher.localeCount
        case .allTopics: publisher.linkCount
        case .allPatterns: publisher.patternCount
        case .historyBytes: publisher.historyBytes
        case .idempotencyKeys: machine.retries.count
        case .idempotencyBytes: machine.retries.byteCount
        case .tickets: machine.vouchers.count
        case .webhooks: machine.outbox.pendingCount
        case .failedWebhooks: machine.outbox.deadCount
        case .webhookCalls: calls.callCount
        case .clientLooks: inspections.count
        case .shardBytes: parts.counters().shardBytes
        default: keeper.usage(of: limit) ?? parts.usage(limit)
        }
    }

    private func value(of limit: ServiceLimit) -> Int {
        // Those of one owner may have been set anew.
        var configuration = parts.configuration
        configuration.ownerLimits = parts.ownerLimits()
        return limit.value(in: configuration, machine.settings)
    }

    /// The table as JSON.
    /// - Parameters:
    ///   - own: The limits of whoever asks.
    ///   - seesUse: Whether the use of the server's is told.
    func limitTable(own: [OwnerLimits.Use], seesUse: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.list("server") { json in
                for limit in ServiceLimit.allCases {
                    let used = seesUse ? usage(of: limit) : nil
                    json.limit(limit.rawValue, value(of: limit), used: used, flag: limit.flag)
                }
            }
            $0.list("own") { json in
                for use in own { json.limit(use.name.rawValue, use.maximum, used: use.used, flag: use.name.flag) }
            }
        }
        return json.bytes
    }

    /// The table as figures.
    func addLimits(to page: inout MetricsPage) {
        for limit in ServiceLimit.allCases {
            page.add(.limit, value(of: limit), limit.rawValue)
            if let usage = usage(of: limit) { page.add(.usage, usage, limit.rawValue) }
        }
        let refusals = parts.refusals()
        for name in OwnerLimits.Name.allCases { page.add(.limitRefusals, refusals[name] ?? 0, name.rawValue) }
    }
}

extension JSONWriter {
    fileprivate mutating func limit(_ name: String, _ maximum: Int, used: Int?, flag: String?) {
        object {
            $0.member("name", name)
            $0.member("maximum", maximum)
            if let used { $0.member("used", used) }
            if let flag { $0.member("flag", "--\(flag)") }
        }
    }
}
