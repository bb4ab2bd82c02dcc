// Sets up the service's parts: descriptors, streams, files.

import Base
import Board
import EventStream
import Gateway
import HTTPClient
import HTTPTransport
import Machine
import OperatingSystem
import Persistence
import Publishing
import RecurrenceRules
import Replication
import Storage
import Tween
import Webhooks
import Wire

/// The stream threads, each with the shard that feeds it.
struct FanOut: Sendable {
    let streams: StreamLoops
    /// Where the hub posts what the shards send.
    let inboxes: [ShardInbox]
    private let shards: [ShardCounters]

    init(
        _ configuration: ServiceConfiguration, shards count: Int, inbox: Mailbox<Message>
    ) throws(ServiceError) {
        inboxes = (0..<count).map { _ in ShardInbox() }
        let feeds = inboxes.enumerated().map { index, shardInbox in
            let shard = Shard(
                index: UInt16(index), inbox: shardInbox, configuration: configuration.shard,
                closed: { _ = inbox.post(.closed($0, $1), urgent: true) },
                wantsGreeting: { _ = inbox.post(.wantsGreeting($0), urgent: true) })
            return ShardFeed(shard) { _ = inbox.post(.inspected($0, number: $1), urgent: true) }
        }
        shards = feeds.map(\.counters)
        var settings = configuration.streams
        settings.sendPath = configuration.sendPath ?? Self.bestPath(streams: settings.maximumStreams)
        do throws(TransportError) {
            streams = try StreamLoops(configuration: settings, feeds: feeds)
        } catch {
            throw ServiceError.system("\(error)")
        }
        for (index, shardInbox) in inboxes.enumerated() {
            shardInbox.wakesWith { [streams] in streams.wake(index) }
        }
    }

    private static func bestPath(streams: Int) -> SendPath {
        guard let code = SendPath.obstacleToRings(streams: streams) else { return .uring }
        Log.write(
            .service, .info, "io_uring is not available; streams use plain send", ["errno": .whole(Int(code))])
        return .epoll
    }

    func counters(_ connections: ConnectionCounters) -> TransportCounters {
        TransportCounters(
            streams: streams.counters, connections: connections,
            slowStreams: shards.reduce(0) { $0 + $1.slowStreams },
            shardBytes: shards.reduce(0) { max($0, $1.waitingBytes) })
    }

    /// Adds the metrics of the stream threads.
    func addMetrics(to page: inout MetricsPage) {
        var (ages, gaps) = (HistogramSnapshot(), HistogramSnapshot())
        for shard in shards {
            ages.add(shard.frameAges.snapshot)
            gaps.add(shard.gaps.snapshot)
        }
        page.add(.frameAge, ages)
        page.add(.deliveryGap, gaps)
        page.add(.openedStreams, openedStreams)
        for reason in StreamEndReason.allCases {
            page.add(.closedStreams, shards.reduce(0) { $0 + $1.ends[reason] }, reason.rawValue)
        }
        page.add(.sentFrames, sent.frames)
        page.add(.conflatedFrames, sent.leftOut)
        page.add(.sentEvents, sent.events)
    }

    /// The number of streams opened.
    var openedStreams: UInt64 { shards.reduce(0) { $0 + $1.openedStreams } }

    /// The totals sent to all streams.
    var sent: StreamStatistics {
        shards.map(\.sent).reduce(into: StreamStatistics()) { all, shard in
            all.frames += shard.frames
            all.leftOut += shard.leftOut
            all.events += shard.events
        }
    }
}

extension Service {
    /// Returns a function that adds the metrics of neither the tick thread nor its measures.
    static func gather(
        _ fanOut: FanOut, _ audit: AuditLog?
    ) -> @Sendable (inout MetricsPage) -> Void {
        { page in
            fanOut.addMetrics(to: &page)
            for level in LogLevel.allCases { page.add(.logLines, Log.standard.lines[level], level.name) }
            page.add(.logLinesDropped, Log.standard.dropped)
            if let audit { page.add(.auditLinesDropped, audit.dropped) }
        }
    }

    /// Returns a function that reads the queues which other threads share with the tick thread.
    static func queues(
        _ inbox: Mailbox<Message>, _ application: Application, _ audit: AuditLog?
    ) -> @Sendable () -> SharedQueues {
        {
            let (batches, log) = (application.batches.use, Log.standard.waiting)
            return SharedQueues(
                messages: inbox.count, batchLines: batches.lines, batchBytes: batches.bytes, logLines: log.lines,
                logBytes: log.bytes, auditBytes: audit?.waitingBytes)
        }
    }

    /// Divides the process's file descriptors between streams and connections, and makes room for all of them.
    static func shareDescriptors(_ configuration: ServiceConfiguration) -> DescriptorShares {
        let shares = DescriptorShares(
            limit: DescriptorShares.raiseLimit(), streams: configuration.maximumStreams,
            connections: configuration.http.connectionLimit)
        if shares.isLowered { logLowered(shares, configuration) }
        shares.reserveTable()
        return shares
    }

    /// Checks that the files named in a configuration can be used. Leaves no file open and makes no request.
    package static func check(_ configuration: ServiceConfiguration) throws(ServiceError) {
        _ = try files(configuration)
        _ = try certificates(configuration)
    }

    /// Creates the sender of webhooks, which posts each call's outcome as a message.
    static func webhookSender(
        _ configuration: ServiceConfiguration, _ clock: ServiceClock, _ inbox: Mailbox<Message>
    ) -> WebhookSender {
        let sender = WebhookSender(configuration.webhooks, now: { clock.now().nanoseconds / 1_000_000_000 }) {
            _ = inbox.post(.webhookEnded($0, $1), urgent: true)
        }
        if configuration.webhooks.policy.isOpen, AuthorityFile.path == nil {
            Log.write(
                .webhook, .warning,
                "no certificate authorities on this machine (package ca-certificates); calls over https fail")
        }
        if configuration.webhooks.policy.isOpen, let complaint = AuthorityFile.complaint {
            Log.write(
                .webhook, .warning, "the certificate authorities can't be read; calls over https fail",
                ["reason": .text(complaint)])
        }
        return sender
    }

    /// Returns the viewer's files and the API contract, which is compiled into the program.
    static func files(_ configuration: ServiceConfiguration) throws(ServiceError) -> StaticFiles {
        let folder = configuration.publicDirectory
        guard
            let files = StaticFiles(
                folder: folder, contents: Contract.files, framed: AccessRules.framedPages, headers: Self.fileHeaders)
        else {
            throw ServiceError.badFolder(folder ?? "")
        }
        return files
    }

    /// Reads the files on another thread: compressing them takes as long as reading the time zones and opening the store.
    static func filesBeside(_ configuration: ServiceConfiguration) -> BackgroundResult<StaticFiles, ServiceError> {
        BackgroundResult(name: "files") { Result { () throws(ServiceError) in try files(configuration) } }
    }

    /// Returns the certificates for TLS; nil without TLS.
    static func certificates(_ configuration: ServiceConfiguration) throws(ServiceError) -> Certificates? {
        guard let files = configuration.certificate else { return nil }
        do throws(CertificateError) {
            return try Certificates(chain: files.chain, key: files.key)
        } catch {
            switch error.part {
            case .certificate: throw ServiceError.badCertificate("\(files.chain): \(error.reason)")
            case .key: throw ServiceError.badKey("\(files.key): \(error.reason)")
            }
        }
    }

    private static let fileHeaders: [(name: String, value: String)] = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ]
}
