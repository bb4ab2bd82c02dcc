// The composition: store, board, hub, threads and transport, started in order and stopped in reverse.

import Board
import Calendars
import Conversions
import EventStream
import HTTPTransport
package import Storage
import Threads
import Tween
import Webhooks
import Wire

/// Why a service can't start.
package enum ServiceError: Error, Hashable, Sendable {
    case addressInUse(port: UInt16)
    case badAddress(String)
    case badFolder(String)
    case store(StoreError)
    case system(String)
}

/// A running server.
package final class Service {
    private let configuration: ServiceConfiguration
    private let store: any Store
    private let inbox: Mailbox<Message>
    private let application: Application
    private let server: HTTPServer
    private let streams: StreamLoops
    private let ticks: TickLoop
    private let webhooks: WebhookSender
    private let preparation: PreparationQueue
    private let access: AccessRules

    /// The most requests that may wait for the tick thread.
    static let maximumWaiting = 100_000

    /// Restores the board and wires everything up; nothing runs yet.
    package init(_ configuration: ServiceConfiguration, store: any Store) throws(ServiceError) {
        let shares = DescriptorShares(
            limit: DescriptorShares.raiseLimit(), streams: configuration.maximumStreams,
            connections: HTTPServerConfiguration().connectionLimit)
        var configuration = configuration
        configuration.maximumStreams = shares.streams
        if shares.isLowered {
            Log.write(
                .limit,
                "\(shares.limit) descriptors are too few for all that is allowed (ulimit -n): "
                    + "\(shares.streams) streams and \(shares.connections) connections at most")
        }
        self.configuration = configuration
        self.store = store
        let clock = ServiceClock(tickRate: configuration.tickRate)
        let inbox = Mailbox<Message>(capacity: Self.maximumWaiting)
        self.inbox = inbox
        let workers = configuration.workers > 0 ? configuration.workers : ProcessorCount.value

        let inboxes = (0..<workers).map { _ in ShardInbox() }
        let feeds = inboxes.enumerated().map { index, shardInbox in
            let shard = Shard(
                index: UInt16(index), inbox: shardInbox, configuration: configuration.shard,
                closed: { _ = inbox.post(.closed($0), urgent: true) },
                wantsGreeting: { _ = inbox.post(.wantsGreeting($0), urgent: true) })
            return ShardFeed(shard) { _ = inbox.post(.inspected($0, ticket: $1), urgent: true) }
        }
        let shardCounters = feeds.map(\.counters)
        do throws(TransportError) {
            streams = try StreamLoops(configuration: configuration.streams, feeds: feeds)
        } catch {
            throw ServiceError.system("\(error)")
        }
        for (index, shardInbox) in inboxes.enumerated() {
            shardInbox.wakesWith { [streams] in streams.wake(index) }
        }

        let sender = WebhookSender(configuration.webhooks, now: { clock.now().nanoseconds / 1_000_000_000 }) {
            _ = inbox.post(.webhookEnded($0, $1), urgent: true)
        }
        guard let sender else { throw ServiceError.system("no memory for webhooks") }
        webhooks = sender
        let rules = ZonedCalendar()
        let planner = LocalePlanner()
        preparation = PreparationQueue(planner)
        let watch = TickWatch(limit: configuration.stuckAfter)
        let contract = ["/openapi.yaml": PackageResources.openapi_yaml]
        let folder = configuration.publicDirectory
        guard let files = StaticFiles(folder: folder, contents: contract, headers: Self.fileHeaders) else {
            throw ServiceError.badFolder(folder ?? "")
        }
        access = AccessRules(
            address: configuration.host, hosts: configuration.allowedHosts, origins: configuration.corsOrigins)
        application = Application(
            Application.Parts(
                configuration: configuration, access: access, files: files, rules: rules, preparation: preparation,
                watch: watch, clock: clock)
        ) { inbox.post($0) }
        var transport = HTTPServerConfiguration()
        transport.host = configuration.host
        transport.port = configuration.port
        transport.workers = workers
        transport.connectionLimit = shares.connections
        server = HTTPServer(configuration: transport, application: application)

        let conductor: Conductor
        do throws(StoreError) {
            let kept = try Restoration.restore(
                from: store, configuration: configuration.board(planner), rules: rules,
                at: { clock.now() })
            let hub = Hub(
                inboxes: inboxes, configuration: configuration.hub, epoch: Self.epoch(clock),
                past: Restoration.events(from: kept.contents, clock))
            var outbox = Outbox(retries: configuration.webhooks.retries)
            outbox.restore(kept.deliveries)
            let parts = Conductor.Parts(
                configuration: configuration, clock: clock, store: store, rules: rules, acceptor: streams,
                post: { _ = inbox.post($0, urgent: true) },
                counters: { [streams, server] in
                    TransportCounters(
                        streams: streams.counters, connections: server.counters,
                        slowStreams: shardCounters.reduce(0) { $0 + $1.slowStreams })
                },
                call: { [webhooks] in webhooks.send($0) })
            conductor = Conductor(
                parts: parts, engine: kept.engine, hub: hub,
                retries: RetryMemory(
                    kept.contents.answers, capacity: configuration.retryKeys, lifetime: configuration.retrySeconds,
                    at: clock.now()),
                outbox: outbox)
        } catch {
            throw ServiceError.store(error)
        }
        ticks = TickLoop(conductor: conductor, inbox: inbox, clock: clock, watch: watch)
    }

    /// Starts every thread and listens.
    /// - Returns: The port.
    package func start() throws(ServiceError) -> UInt16 {
        do throws(TransportError) {
            try streams.start()
            guard webhooks.start(), preparation.start(), ticks.start() else { throw TransportError.failed(code: 0) }
            let port = try server.start()
            tellWhoIsAnswered()
            if configuration.isDemo { Demo.start { [inbox] in inbox.post($0) } }
            return port
        } catch {
            halt()
            switch error {
            case .addressInUse: throw ServiceError.addressInUse(port: configuration.port)
            case .badAddress(let host): throw ServiceError.badAddress(host)
            case .failed(let code): throw ServiceError.system("error \(code)")
            }
        }
    }

    /// A server that others reach answers to no name that nobody listed: the first to find out should know why.
    private func tellWhoIsAnswered() {
        guard access.knowsNoName, access.isReachedByOthers else { return }
        Log.write(
            .service,
            "requests are answered that name localhost or an address; list other host names with --allowed-host")
    }

    /// Stops gracefully: no new connection, `bye` to every stream, what waits is committed and answered.
    package func stop() {
        application.drain()
        server.quiesce()
        _ = inbox.post(.drain, urgent: true)
        waitForStreams()
        halt()
    }

    /// Streams get the drain's time to take their farewell.
    private func waitForStreams() {
        let clock = ServiceClock(tickRate: 100)
        let deadline = clock.monotonic().addingSaturated(Int64(saturating: configuration.drainTimeout * 1e9))
        while streams.counters.open > 0, clock.monotonic() < deadline {
            clock.pause(nanoseconds: 10_000_000)
        }
    }

    private func halt() {
        // The tick thread answers what it has taken and hands its changes over; the store commits and answers them; only
        // then is no connection suspended, and the daemon can stop.
        preparation.stop()
        inbox.close()
        ticks.join()
        webhooks.stop()
        store.close()
        server.stop()
        streams.stop()
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

extension ServiceConfiguration {
    func board(_ planner: LocalePlanner) -> Engine.Configuration {
        var board = Engine.Configuration(planner: planner)
        board.maximumBytes = boardBytes
        return board
    }

    var shard: ShardConfiguration {
        var shard = ShardConfiguration()
        shard.heartbeatSeconds = heartbeat
        shard.fullRate = Double(tickRate)
        shard.maximumWaitingSeconds = stallTimeout
        return shard
    }

    var hub: HubConfiguration {
        var hub = HubConfiguration()
        hub.historyEvents = historyEvents
        hub.historyBytes = historyBytes
        hub.historySeconds = historySeconds
        hub.maximumTopicsPerStream = maximumTopics
        hub.keepsLog = true
        return hub
    }

    var streams: StreamConfiguration {
        var streams = StreamConfiguration()
        streams.maximumStreams = maximumStreams
        streams.stallTimeout = stallTimeout
        return streams
    }
}
