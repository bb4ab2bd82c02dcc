// Counts events on the tick thread and adds them to the metrics page.

import Base
import Board
import EventStream
import HTTPTransport
import Machine
import Persistence
import Publishing
import RecurrenceRules
import Storage
import Wire

/// Counters of the tick thread.
struct Statistics {
    var ticks: UInt64 = 0
    /// Ticks that began more than a period late.
    var lateTicks: UInt64 = 0
    var commands: UInt64 = 0
    var completions: UInt64 = 0
    var firings: UInt64 = 0
    /// Actions that became late by the update rate of whoever posted them.
    var lateActions: UInt64 = 0
    /// Advances of the board that left due work for the next one.
    var cutShort: UInt64 = 0
    var webhookCalls: UInt64 = 0
    var webhooksDelivered: UInt64 = 0
    /// Webhooks given up at once, because too many of their host were waiting.
    var webhooksRefused: UInt64 = 0
    /// The number of named events, by name.
    private(set) var events: [String: UInt64] = [:]

    mutating func count(_ outcome: Outcome) {
        commands += UInt64(outcome.counts.accepted)
        completions += UInt64(outcome.counts.completions)
        firings += UInt64(outcome.counts.firings)
        lateActions += UInt64(outcome.counts.lateActions)
        cutShort += UInt64(outcome.counts.cutShort)
        webhooksDelivered += UInt64(outcome.counts.delivered)
        webhooksRefused += UInt64(outcome.counts.refusedDeliveries)
        for event in outcome.events {
            switch event.content {
            case .one(let event):
                if let name = EventEncoder.name(of: event) { events[name, default: 0] += 1 }
            case .completions: events["complete", default: 0] += 1
            }
        }
    }
}

/// Counters of all sockets: streams and connections.
struct TransportCounters: Sendable {
    var streams = StreamCounters()
    var connections = ConnectionCounters()
    /// Streams closed because too much was queued for them.
    var slowStreams: UInt64 = 0
    /// Bytes of named events that wait on the stream thread with the most.
    var shardBytes = 0
}

extension ServiceCore {
    /// Returns the metrics that the tick thread knows.
    func metrics() -> MetricsPage {
        var page = MetricsPage()
        addBoard(to: &page)
        addStreams(to: &page)
        addLimits(to: &page)
        persistence.addMetrics(to: &page)
        page.add(.draining, publisher.isDraining ? 1 : 0)
        page.add(.build, 1, ServiceConfiguration.version, persistence.storeName)
        page.add(.timeZones, 1, machine.engine.configuration.rules?.zoneVersion ?? parts.rules.zoneVersion)
        return page
    }

    private func addBoard(to page: inout MetricsPage) {
        for kind in ResourceKind.allCases { page.add(.resources, withMachine { $0.engine.count(of: kind) }, "\(kind)") }
        page.add(.tracks, machine.engine.trackCount)
        page.add(.schedules, machine.engine.pendingSchedules)
        page.add(.sampledTracks, machine.engine.sampled.count)
        page.add(.ticks, statistics.ticks)
        page.add(.lateTicks, statistics.lateTicks)
        page.add(.cutShort, statistics.cutShort)
        page.add(.frames, publisher.frameCount)
        page.add(.commands, statistics.commands)
        page.add(.completions, statistics.completions)
        page.add(.firings, statistics.firings)
        page.add(.lateActions, statistics.lateActions)
        for name in EventEncoder.names { page.add(.events, statistics.events[name] ?? 0, name) }
        page.add(.webhooksPending, machine.outbox.pendingCount)
        page.add(.webhooksFailed, machine.outbox.deadCount)
        page.add(.webhookCalls, statistics.webhookCalls)
        page.add(.webhooksDelivered, statistics.webhooksDelivered)
        page.add(.webhooksRefused, statistics.webhooksRefused)
    }

    private func addStreams(to page: inout MetricsPage) {
        let transport = parts.counters()
        let streams = transport.streams
        page.add(.streams, streams.open)
        page.add(.streamTopics, publisher.linkCount)
        page.add(.streamNames, publisher.patternCount)
        page.add(.historyBytes, publisher.historyBytes)
        page.add(.replays, publisher.replayCount)
        for reason in ResetReason.allCases { page.add(.resets, publisher.resetCount(reason), reason.rawValue) }
        page.add(.sends, streams.sends)
        page.add(.streamBytes, streams.bytes)
        page.add(.rings, streams.rings)
        page.add(.stalledStreams, streams.stalled)
        page.add(.slowStreams, transport.slowStreams)
        for reason in StreamRefusal.allCases {
            let ours = parts.measures.refusedStreams[reason]
            page.add(.refusedStreams, reason == .full ? ours + streams.refused : ours, reason.rawValue)
        }
        page.add(.lateConnections, transport.connections.late)
        page.add(.displacedConnections, transport.connections.displaced)
    }
}

extension CommitCoordinator: PersistenceStatus {
    var unreadiness: String? { health.failure == nil ? nil : "the store is failing" }
    var warnings: [String] { [] }

    /// Adds nothing, as no other replica shares this store.
    func append(to json: inout JSONWriter) {}

    func addMetrics(to page: inout MetricsPage) {
        let health = health
        page.add(.commitTime, commits.times.snapshot)
        page.add(.syncTime, health.syncs)
        page.add(.commits, health.commits)
        page.add(.storedChanges, health.changes)
        page.add(.storeWaiting, health.waiting)
        page.add(.storeWaitingBytes, health.waitingBytes)
        page.add(.quarantined, health.quarantined)
        page.add(.storeLogBytes, health.logPages * 4_096)
        page.add(.checkpointFailures, health.checkpointFailures)
        page.add(.storeFailing, health.failure == nil ? 0 : 1)
    }

    func addFiles() -> @Sendable (inout MetricsPage) -> Void {
        { [fileBytes] page in page.add(.storeSize, fileBytes()) }
    }

    var queues: PersistenceQueues { PersistenceQueues(commits: commits.count, commitBytes: commits.byteCount) }
}
