// The steps in which a service is put together: descriptors, streams, files, and the board as the store has it.

import Board
import Calendars
import Committing
import Conversions
import EventStream
import Gateway
import HTTPTransport
import Machine
import Primitives
import Publishing
import Recurrences
import Replication
import Storage
import Threads
import Tween
import Webhooks
import Wire

/// Stream loops, each with the shard that feeds it.
struct FanOut {
    let streams: StreamLoops
    /// Where the hub puts what the shards are to send.
    let inboxes: [ShardInbox]
    private let shards: [ShardCounters]

    init(
        _ configuration: ServiceConfiguration, shards count: Int, inbox: Mailbox<Message>
    ) throws(ServiceError) {
        inboxes = (0..<count).map { _ in ShardInbox() }
        let feeds = inboxes.enumerated().map { index, shardInbox in
            let shard = Shard(
                index: UInt16(index), inbox: shardInbox, configuration: configuration.shard,
                closed: { _ = inbox.post(.closed($0), urgent: true) },
                wantsGreeting: { _ = inbox.post(.wantsGreeting($0), urgent: true) })
            return ShardFeed(shard) { _ = inbox.post(.inspected($0, ticket: $1), urgent: true) }
        }
        shards = feeds.map(\.counters)
        do throws(TransportError) {
            streams = try StreamLoops(configuration: configuration.streams, feeds: feeds)
        } catch {
            throw ServiceError.system("\(error)")
        }
        for (index, shardInbox) in inboxes.enumerated() {
            shardInbox.wakesWith { [streams] in streams.wake(index) }
        }
    }

    func counters(_ connections: ConnectionCounters) -> TransportCounters {
        TransportCounters(
            streams: streams.counters, connections: connections,
            slowStreams: shards.reduce(0) { $0 + $1.slowStreams })
    }
}

extension Service {
    /// What this process may have open, shared out among streams and connections.
    static func shareDescriptors(_ configuration: ServiceConfiguration) -> DescriptorShares {
        let shares = DescriptorShares(
            limit: DescriptorShares.raiseLimit(), streams: configuration.maximumStreams,
            connections: HTTPServerConfiguration().connectionLimit)
        if shares.isLowered {
            Log.write(
                .limit,
                "\(shares.limit) descriptors are too few for all that is allowed (ulimit -n): "
                    + "\(shares.streams) streams and \(shares.connections) connections at most")
        }
        return shares
    }

    /// The viewer's files, and the contract, which is part of the program.
    static func files(_ configuration: ServiceConfiguration) throws(ServiceError) -> StaticFiles {
        let contract = ["/openapi.yaml": PackageResources.openapi_yaml]
        let folder = configuration.publicDirectory
        guard let files = StaticFiles(folder: folder, contents: contract, headers: Self.fileHeaders) else {
            throw ServiceError.badFolder(folder ?? "")
        }
        return files
    }

    /// Restores what the store has, and puts the tick thread's rooms around it.
    static func conductor(
        _ configuration: ServiceConfiguration, from store: any Store, planner: LocalePlanner,
        rules: any CalendarRules, inboxes: [ShardInbox], _ parts: Stage.Parts
    ) throws(ServiceError) -> Conductor {
        let (clock, post) = (parts.clock, parts.post)
        let kept: Restoration.Result
        do throws(StoreError) {
            kept = try Restoration.restore(
                from: store, configuration: configuration.board(planner), rules: rules, at: { clock.now() },
                report: { Log.write(.store, $0) })
        } catch {
            throw ServiceError.store(error)
        }
        let hub = Hub(
            inboxes: inboxes, configuration: configuration.hub, epoch: epoch(clock),
            past: PastEvents(kept.contents.events, clock))
        let publisher = Publisher(
            hub, grid: clock.grid, configuration: configuration.publisher, planner: parts.readers,
            seed: UInt64.random(in: .min ... .max))
        let ledger = Ledger(
            store, reader: RecordReading(planner: planner, rules: rules), pause: kept.engine.schedulePause,
            post: { post(.store($0)) }, report: { Log.write(.store, $0) })
        let machine = machine(configuration, kept, lastEvent: hub.lastEventID, at: clock.now())
        return Conductor(parts, machine: machine, publisher: publisher, ledger: ledger)
    }

    private static func machine(
        _ configuration: ServiceConfiguration, _ kept: Restoration.Result, lastEvent: EventID, at now: Instant
    ) -> Machine {
        var outbox = Outbox(retries: configuration.webhooks.retries, receiver: WebhookURL.receiver)
        outbox.restore(kept.deliveries)
        let retries = RetryMemory(
            kept.contents.answers.map { RetryRecord($0) }, capacity: configuration.retryKeys,
            lifetime: configuration.retrySeconds, at: now)
        return Machine(
            engine: kept.engine, retries: retries, outbox: outbox, epoch: lastEvent.epoch,
            lastEvent: lastEvent.number, deliveries: NameSource().next("wh-\(lastEvent.epoch)"))
    }

    /// A name for this run's log of events, so that ids of another run are known as foreign.
    private static func epoch(_ clock: ServiceClock) -> String {
        String(UInt64(bitPattern: clock.now().nanoseconds / 1_000_000), radix: 16)
    }

    /// Scripts and styles from this server alone; nothing may frame the page.
    private static let fileHeaders: [(name: String, value: String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        (
            "Content-Security-Policy",
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
        ),
    ]
}

extension RetryRecord {
    init(_ stored: StoredAnswer) {
        self.init(
            key: stored.key, fingerprint: stored.fingerprint, status: stored.status, head: stored.head,
            body: stored.body, expires: stored.expires)
    }
}

extension PastEvents {
    /// The named events that a snapshot kept.
    init(_ kept: [KeptEvents], _ clock: ServiceClock) {
        let stored = kept.map {
            StoredEvents(epoch: $0.epoch, first: 0, last: $0.last, time: $0.instant.nanoseconds, bytes: $0.bytes)
        }
        self.init(stored, clock)
    }

    /// The named events of earlier runs. Those that can't be read are left out: their numbers show the gap, and whoever
    /// waits for one of them is told that something is missing.
    init(_ stored: [StoredEvents], _ clock: ServiceClock) {
        self.init()
        var damaged = 0
        for portion in stored {
            do throws(PastEvents.Damage) {
                try append(
                    portion.bytes, last: portion.last, epoch: portion.epoch,
                    at: clock.monotonic(of: Instant(nanoseconds: portion.time)))
            } catch {
                damaged += 1
            }
        }
        if damaged > 0 {
            Log.write(.store, "\(damaged) portions of events can't be read: who waits for them is told of a gap")
        }
    }
}
