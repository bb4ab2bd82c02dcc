// The table of limits on what clients can make the service store or do. /metrics and /v1/limits are written from it, and
// docs/limits.md lists the same rows.

import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import Persistence
import Publishing
import Replication
import Wire

/// A limit of the service.
enum ServiceLimit: CaseIterable, Sendable {
    // Requests.
    case connections, requestHeadBytes, requestHeaders, queryParameters, bodyBytes, jsonDepth, batchBytes,
        batchLines, batchLineBytes, waitingBodyBytes, unreadAnswers, waitingBatchLines, waitingBatchBytes,
        requestFormats,
        formatRequests, compiledFormats, localeWords, messages, lists
    // The store.
    case commits, commitBytes
    // The board.
    case boardBytes, tracks, schedules, scheduleChanges, queuedUpdates, queuedUpdateBytes, labelBytes,
        notificationBytes, actions, actionDepth, delayedActions
    // Streams.
    case readerLocales, readerLabels, streams, topics, streamTopics, allTopics, allPatterns, streamBytes, shardBytes,
        historyEvents, historyBytes
    // Retries and inspections of clients.
    case idempotencyKeys, idempotencyBytes, clientLooks
    // Webhooks.
    case webhooks, webhookBytes, webhookCalls, webhookCallsPerHost, failedWebhooks
    // Replicas.
    case replicaRequests, replicaRequestBytes, replicaOwnRequests, replicaAheadBytes
    // The log.
    case logLines, logBytes, logLinesPerMinute
    // Tokens and owners.
    case tickets, ticketBytes, ticketTopics, auditBytes, auditRefusals, rememberedTokens, requestRate, updateRate,
        refusedTokenRate, connectionRate, limitedOwners, addressConnections, addressStreams, tokenStreams

    /// A limit's row in the table.
    struct Row {
        /// The name in metrics, in `/v1/limits` and in the documentation.
        let name: String
        let value: Int
        /// The command-line flag that sets the limit; nil if it is fixed.
        let flag: String?
        /// Returns how much is in use; nil for a limit of one request, stream or host, or if nothing counts it.
        let use: (ServiceCore) -> Int?

        fileprivate static func row(
            _ name: String, _ value: Int, flag: String? = nil, use: @escaping (ServiceCore) -> Int? = { _ in nil }
        ) -> Row {
            Row(name: name, value: value, flag: flag, use: use)
        }

        /// Returns the row of a limit for each token or address.
        fileprivate static func owner(_ name: OwnerLimits.Name, in configuration: ServiceConfiguration) -> Row {
            row(name.rawValue, name.value(in: configuration.ownerLimits), flag: name.flag)
        }
    }

    /// - Parameter machine: The settings that all replicas share.
    func row(in configuration: ServiceConfiguration, _ machine: MachineSettings) -> Row {
        switch self {
        // Requests.
        case .connections:
            .row("connections", configuration.http.connectionLimit, flag: "max-connections") {
                $0.parts.counters().connections.open
            }
        case .requestHeadBytes: .row("request_head_bytes", configuration.http.headLimit, flag: "head-bytes")
        case .requestHeaders: .row("request_headers", configuration.http.headerLimit)
        case .queryParameters: .row("query_parameters", configuration.http.parameterLimit, flag: "max-query-parameters")
        case .bodyBytes: .row("body_bytes", configuration.bodyLimit, flag: "body-bytes")
        case .jsonDepth: .row("json_depth", JSONDocument.Origin.request.maximumDepth)
        case .batchBytes: .row("batch_bytes", configuration.batchLimit, flag: "batch-bytes")
        case .batchLines: .row("batch_lines", configuration.batchLines, flag: "batch-lines")
        case .batchLineBytes: .row("batch_line_bytes", BatchDecoder.maximumLineBytes)
        case .waitingBodyBytes:
            .row("waiting_body_bytes", configuration.bodyBudget) {
                $0.parts.counters().connections.bodyBytes
            }
        case .unreadAnswers:
            .row("unread_answers", configuration.http.unreadBudget) {
                $0.parts.counters().connections.unreadBytes
            }
        case .waitingBatchLines: .row("waiting_batch_lines", BatchBudget.maximumLines) { $0.parts.queues().batchLines }
        case .waitingBatchBytes: .row("waiting_batch_bytes", BatchBudget.maximumBytes) { $0.parts.queues().batchBytes }
        case .requestFormats: .row("request_formats", FormatUse.maximumCount)
        case .formatRequests: .row("format_requests", PreparationQueue.capacity)
        case .compiledFormats: .row("compiled_formats", LocalePlanner.capacity)
        case .localeWords: .row("locale_words", LocalePlanner.wordCapacity)
        case .messages: .row("messages", Assembly.maximumWaiting) { $0.parts.queues().messages }
        case .lists: .row("lists", ListBody.maximumCount) { $0.lists.count }
        // The store.
        case .commits: .row("commits", CommitsInFlight.maximumSubmissions) { $0.persistence.queues.commits }
        case .commitBytes: .row("commit_bytes", CommitsInFlight.maximumBytes) { $0.persistence.queues.commitBytes }
        // The board.
        case .boardBytes: .row("board_bytes", machine.boardBytes, flag: "board-bytes") { $0.machine.engine.bytes }
        case .tracks: .row("tracks", machine.tracks, flag: "max-tracks") { $0.machine.engine.trackCount }
        case .schedules:
            .row("schedules", machine.schedules, flag: "max-schedules") {
                $0.machine.engine.pendingSchedules
            }
        case .scheduleChanges: .row("schedule_changes", SweepRequests.maximumWaiting) { $0.machine.waitingSweeps }
        case .queuedUpdates: .row("queued_updates", Track.maximumWaiting)
        case .queuedUpdateBytes: .row("queued_update_bytes", Track.maximumWaitingBytes)
        case .labelBytes: .row("label_bytes", UpdateDecoder.maximumLabelBytes)
        case .notificationBytes: .row("notification_bytes", LineRoom.notification)
        case .actions: .row("actions", ActionList.maximumCount)
        case .actionDepth: .row("action_depth", ActionList.maximumDepth)
        case .delayedActions:
            .row("delayed_actions", machine.delayedActions, flag: "max-delayed-actions") {
                $0.machine.engine.delayedActionCount
            }
        // Streams.
        case .readerLocales: .row("reader_locales", ReaderLocales.maximumCount) { $0.publisher.localeCount }
        case .readerLabels: .row("reader_labels", ReaderRenderings.capacity)
        case .streams:
            .row("streams", configuration.maximumStreams, flag: "max-streams") {
                $0.parts.counters().streams.open
            }
        case .topics: .row("topics", configuration.streamBounds.topics, flag: "max-request-topics")
        case .streamTopics: .row("stream_topics", configuration.hub.maximumTopicsPerStream, flag: "max-topics")
        case .allTopics: .row("all_topics", configuration.hub.maximumLinks) { $0.publisher.linkCount }
        case .allPatterns: .row("all_patterns", configuration.hub.maximumPatterns) { $0.publisher.patternCount }
        case .streamBytes: .row("stream_bytes", configuration.shard.maximumWaitingBytes)
        case .shardBytes:
            .row("shard_bytes", configuration.shard.maximumWaitingTotal) {
                $0.parts.counters().shardBytes
            }
        case .historyEvents: .row("history_events", configuration.historyEvents, flag: "history")
        case .historyBytes:
            .row("history_bytes", configuration.historyBytes, flag: "history-bytes") {
                $0.publisher.historyBytes
            }
        // Retries and inspections of clients.
        case .idempotencyKeys:
            .row("idempotency_keys", machine.retryKeys, flag: "idempotency-keys") {
                $0.machine.retries.count
            }
        case .idempotencyBytes:
            .row("idempotency_bytes", machine.retryBytes, flag: "idempotency-bytes") {
                $0.machine.retries.byteCount
            }
        case .clientLooks: .row("client_looks", ClientInspections.maximum) { $0.inspections.count }
        // Webhooks.
        case .webhooks: .row("webhooks", Outbox.maximumPending) { $0.machine.outbox.pendingCount }
        case .webhookBytes: .row("webhook_bytes", Outbox.maximumPendingBytes)
        case .webhookCalls: .row("webhook_calls", CallQueue.maximumCalls) { $0.calls.callCount }
        case .webhookCallsPerHost: .row("webhook_calls_per_host", CallQueue.maximumCallsPerHost)
        case .failedWebhooks: .row("failed_webhooks", Outbox.maximumDead) { $0.machine.outbox.deadCount }
        // Replicas.
        case .replicaRequests:
            .row("replica_requests", PendingEntries.maximumRequests) { $0.persistence.queues.requests }
        case .replicaRequestBytes:
            .row("replica_request_bytes", PendingEntries.maximumBytes) {
                $0.persistence.queues.requestBytes
            }
        case .replicaOwnRequests:
            .row("replica_own_requests", LogClient.maximumUnsaid) { $0.persistence.queues.ownRequests }
        case .replicaAheadBytes: .row("replica_ahead_bytes", ReadAhead.maximumBytes)
        // The log.
        case .logLines: .row("log_lines", LogQueue.maximumLines) { $0.parts.queues().logLines }
        case .logBytes: .row("log_bytes", LogQueue.maximumBytes) { $0.parts.queues().logBytes }
        case .logLinesPerMinute: .row("log_lines_per_minute", LogQueue.linesPerMinute)
        // Tokens and owners.
        case .tickets: .row("tickets", TicketBook.maximumCount) { $0.machine.tickets.count }
        case .ticketBytes: .row("ticket_bytes", TicketBook.maximumBytes)
        case .ticketTopics: .row("ticket_topics", Application.ticketTopics)
        case .auditBytes: .row("audit_bytes", AuditLog.maximumBytes) { $0.parts.queues().auditBytes }
        case .auditRefusals: .row("audit_refusals", AuditLogger.refusalRate)
        case .rememberedTokens: .row("remembered_tokens", TokenAuthority.maximumRemembered)
        case .requestRate: .owner(.requestRate, in: configuration)
        case .updateRate: .owner(.updateRate, in: configuration)
        case .refusedTokenRate: .owner(.refusedTokenRate, in: configuration)
        case .connectionRate: .owner(.connectionRate, in: configuration)
        case .limitedOwners: .row("limited_owners", OwnerLimits.maximumOwners)
        case .addressConnections:
            .row(
                "address_connections", configuration.ownerLimits.connectionsPerAddress,
                flag: "max-connections-per-address")
        case .addressStreams: .owner(.addressStreams, in: configuration)
        case .tokenStreams: .owner(.tokenStreams, in: configuration)
        }
    }
}

extension ServiceCore {
    /// The rows at present, as the limits per owner may have been reloaded.
    private var limits: [ServiceLimit.Row] {
        var configuration = parts.configuration
        configuration.ownerLimits = parts.ownerLimits()
        return ServiceLimit.allCases.map { $0.row(in: configuration, machine.settings) }
    }

    /// Returns the table as JSON.
    /// - Parameters:
    ///   - own: The client's own limits.
    ///   - seesUse: Whether the client may see how much of the server's limits is in use.
    func limitTable(own: [OwnerLimits.Use], _ debt: ActionDebt?, seesUse: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.list("server") { json in
                for limit in limits {
                    json.limit(limit.name, limit.value, used: seesUse ? limit.use(self) : nil, flag: limit.flag)
                }
            }
            $0.list("own") { json in
                for use in own {
                    let debt = use.name == .updateRate ? debt : nil
                    json.limit(use.name.rawValue, use.maximum, used: use.used, flag: use.name.flag, debt)
                }
            }
        }
        return json.bytes
    }

    /// Adds the table to the metrics.
    func addLimits(to page: inout MetricsPage) {
        for limit in limits {
            page.add(.limit, limit.value, limit.name)
            if let use = limit.use(self) { page.add(.usage, use, limit.name) }
        }
        let refusals = parts.refusals()
        for name in OwnerLimits.Name.allCases { page.add(.limitRefusals, refusals[name] ?? 0, name.rawValue) }
    }
}

extension JSONWriter {
    fileprivate mutating func limit(
        _ name: String, _ maximum: Int, used: Int?, flag: String?, _ debt: ActionDebt? = nil
    ) {
        object {
            $0.member("name", name)
            $0.member("maximum", maximum)
            if let used { $0.member("used", used) }
            if let flag { $0.member("flag", "--\(flag)") }
            guard let debt else { return }
            $0.member("lateActions", debt.actions)
            $0.member("lateSeconds", debt.seconds)
        }
    }
}
