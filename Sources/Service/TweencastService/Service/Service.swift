// The composition: store, board, hub, threads and transport, started in order and stopped in reverse.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
package import OperatingSystem
import Persistence
import Publishing
import RecurrenceRules
package import Replication
package import Storage
import Tween
import Webhooks
import Wire

/// Why a service can't start.
package enum ServiceError: Error, Hashable, Sendable {
    case addressInUse(port: UInt16)
    case badAddress(String)
    case badFolder(String)
    /// The certificate's file, and why it can't be used.
    case badCertificate(String)
    /// The same of its key.
    case badKey(String)
    case store(StoreError)
    case log(LogFailure)
    case system(String)
}

/// What keeps the changes of a service.
package enum PersistenceBackend: Sendable {
    /// A store of its own.
    case own(any Store)
    /// A log that replicas share.
    case shared(any LogOpener)
}

/// A running server.
package final class Service {
    private let configuration: ServiceConfiguration
    private let inbox: Mailbox<Message>
    private let application: Application
    private let server: HTTPServer
    private let streams: StreamLoops
    private let fanOut: FanOut
    private let measures = Measures()
    private let started = SystemClock.monotonic()
    /// Loads the board.
    private let makeNode: () throws(ServiceError) -> (any TickDriven, RunningPersistence)
    private let boardUnavailability = BoardUnavailability()
    /// Why the board could not be loaded when that was tried last, as the log has it.
    private var failure: LogFailure?
    /// Nil until the board is loaded.
    private var ticks: TickLoop?
    private var keeper: RunningPersistence?
    private var isStarted = false
    private let webhooks: WebhookSender
    private let preparation: PreparationQueue
    private let guards: Application.Guards
    private let gate: TickQueue
    private let certificates: Certificates?
    private let address: ServedAddress
    private let zones: ZoneCache

    /// The most requests that may wait for the tick thread.
    static let maximumWaiting = 100_000

    /// Restores the board and wires everything up; nothing runs yet.
    /// - Parameter waits: A log that is out of reach is no failure: `open` tries again, and until then requests are refused.
    package init(_ wanted: ServiceConfiguration, store: PersistenceBackend, waits: Bool = false) throws(ServiceError) {
        let zones = ZoneCache { ZoneFolder.calendar(wanted.zoneFolder) }
        self.zones = zones
        Self.logStart(wanted, store, zones: zones.zoneVersion)
        let shares = Self.shareDescriptors(wanted)
        var configuration = wanted
        configuration.maximumStreams = shares.streams
        (self.configuration, address) = (configuration, ServedAddress(hasPredecessor: configuration.hasPredecessor))
        let clock = store.clock(tickRate: configuration.tickRate)
        let inbox = Mailbox<Message>(capacity: Self.maximumWaiting)
        let threads = configuration.threads
        self.inbox = inbox

        fanOut = try FanOut(configuration, shards: threads.loops, inbox: inbox)
        streams = fanOut.streams
        webhooks = try Self.webhookSender(configuration, clock, inbox)
        let planner = LocalePlanner()
        let watch = TickWatch(limit: configuration.stuckAfter)
        preparation = PreparationQueue(planner)
        guards = configuration.guards(clock)
        gate = TickQueue(inbox: inbox, watch: watch, clock: clock, boardUnavailability: boardUnavailability)
        application = Application(
            configuration.application(zones),
            Application.Parts(
                guards: guards, files: try Self.files(configuration), rules: zones, preparation: preparation,
                taker: gate, observer: RequestRecorder(measures: measures, log: .standard)))
        certificates = try Self.certificates(configuration)
        server = HTTPServer(
            configuration: configuration.transport(
                workers: threads.workers, shares, streams: { [streams] in streams.count }, certificates: certificates),
            application: application)

        let counters = { @Sendable [server, fanOut] in fanOut.counters(server.counters) }
        let post = { @Sendable (message: Message) in _ = inbox.post(message, urgent: true) }
        let composition = Composition(
            configuration: configuration, planner: planner, rules: zones, clock: clock, post: post)
        let parts = ServiceCore.Parts(
            configuration: configuration, clock: clock, acceptor: streams, post: post, counters: counters,
            measures: measures, gather: Self.gather(fanOut, configuration.audit),
            queues: Self.queues(inbox, application, configuration.audit),
            sharesAddress: { [address] in address.isServedByAnother },
            ownerLimits: { [limits = guards.limits] in limits.settings },
            refusals: { [limits = guards.limits, server] in
                limits.refusals.merging([.connectionRate: server.counters.hasty]) { $1 }
            },
            call: { [webhooks] in webhooks.send(WebhookRequest(id: $0.id, url: $0.url, body: $0.body)) },
            rules: zones, readers: preparation)
        makeNode = { [inboxes = fanOut.inboxes] () throws(ServiceError) in
            try composition.node(store, parts, inboxes: inboxes)
        }
        if waits { _ = try open() } else { try load() }
    }

    private func load() throws(ServiceError) {
        let (node, keeper) = try makeNode()
        ticks = TickLoop(
            node: node, inbox: inbox, clock: gate.clock, watch: gate.watch, measures: measures)
        self.keeper = keeper
    }

    /// Whether the board is loaded.
    package var isOpen: Bool { ticks != nil }

    /// Loads the board where it isn't yet; a service that has started goes on by it.
    /// - Returns: false where its log is out of reach; it is to be tried again.
    package func open() throws(ServiceError) -> Bool {
        guard !isOpen else { return true }
        do throws(ServiceError) {
            try load()
        } catch .log(let failure) where failure.mayPass || isStarted {
            if failure != self.failure { Self.tell(ofAbsence: failure) }
            self.failure = failure
            boardUnavailability.reason = failure.code.reason
            return false
        }
        guard !isStarted || startTicks() else { throw ServiceError.system("no thread") }
        if failure != nil { Log.write(.store, .info, "the board is loaded") }
        return true
    }

    /// - Returns: false when no thread can be started.
    private func startTicks() -> Bool {
        guard let ticks else { return true }
        guard ticks.start() else { return false }
        boardUnavailability.reason = nil
        if configuration.isDemo { Demo.start { [inbox] in inbox.post(.asked($0)) ? nil : Application.crowded } }
        return true
    }

    /// Starts every thread and listens, also where the board isn't loaded yet.
    /// - Returns: The port.
    package func start() throws(ServiceError) -> UInt16 {
        do throws(TransportError) {
            try streams.start()
            guard webhooks.start(), preparation.start(), startTicks() else { throw TransportError.failed(code: 0) }
            isStarted = true
            let port = try server.start()
            Self.logReady(configuration, port: port, hasBoard: isOpen)
            logAllowedClients()
            warnOfCertificate()
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
    private func logAllowedClients() {
        guard guards.access.knowsNoName, guards.access.isReachedByOthers else { return }
        Log.write(
            .service, .warning,
            "only requests for localhost or an address are answered; allow other host names with --allowed-host")
    }

    /// What became of the settings when they were read anew.
    package enum Reloading {
        /// - Parameters:
        ///   - changed: Names of those that hold now.
        ///   - kept: Names of those that hold when the server is started again.
        case read(ServiceConfiguration, changed: [String], kept: [String])
        /// They can't be used, and those before stay.
        case refused(String)
    }

    /// Reads anew what may be replaced while the service runs. What can't be used is told, and what there was stays.
    package func reload(_ settings: Reloading) {
        Log.write(.service, .info, "configuration reload requested")
        switch settings {
        case .read(let configuration, let changed, let kept):
            // The address, and whether TLS is spoken, stay as they are.
            var rules = configuration
            (rules.host, rules.certificate) = (self.configuration.host, self.configuration.certificate)
            guards.rules.replace(by: rules.accessRules)
            guards.limits.replace(by: reloadable(configuration.ownerLimits))
            if !changed.isEmpty { Log.write(.service, .info, "settings reloaded: \(changed.joined(separator: ", "))") }
            if !kept.isEmpty {
                let names = kept.joined(separator: ", ")
                Log.write(.service, .warning, "settings changed, effective after a restart: \(names)")
            }
        case .refused(let cause): Log.write(.service, .error, "settings not reloaded: \(cause)")
        }
        reloadCertificate()
        reloadTokens()
        reloadZones()
        configuration.audit?.reopen()
    }

    /// Limits to be met from now on. The listener counts connections by those that it was started with.
    private func reloadable(_ limits: OwnerLimitSettings) -> OwnerLimitSettings {
        let first = configuration.ownerLimits
        var limits = limits
        (limits.connectionsPerAddress, limits.connectionRate) = (first.connectionsPerAddress, first.connectionRate)
        return limits
    }

    private func reloadTokens() {
        guard let authority = configuration.authority, let read = configuration.readPolicy else { return }
        switch read() {
        case .success(let policy):
            authority.replace { $0 = policy }
            _ = inbox.post(.reviewPermits, urgent: true)
            Log.write(.service, .info, "tokens reloaded; streams with revoked tokens are closed")
        case .failure(let failure): Log.write(.service, .error, "tokens not reloaded", ["reason": "\(failure)"])
        }
    }

    /// Schedules follow; on replicas when the log says so.
    private func reloadZones() {
        let before = zones.edition
        let rules = zones.renew()
        if rules.edition != before {
            Log.write(.service, .info, "the time zones have changed", ["version": .text(rules.zoneVersion)])
        }
        _ = inbox.post(.zones(rules), urgent: true)
    }

    private func reloadCertificate() {
        guard let certificates else { return }
        do throws(CertificateError) {
            try certificates.reload()
            Log.write(.service, .info, "certificate reloaded; used for new connections")
            warnOfCertificate()
        } catch {
            let file = error.part == .certificate ? "the certificate" : "the certificate's key"
            Log.write(
                .service, .error, "\(file) can't be used, the previous one stays", ["reason": .text(error.reason)])
        }
    }

    private func warnOfCertificate() {
        guard let warning = certificates?.warning else { return }
        Log.write(.service, .warning, "clients will reject the certificate", ["reason": .text(warning)])
    }

    /// A duplicate of the listening socket, for a process that is to go on where this one stops; nil where there is none to
    /// be had.
    package func share() -> Descriptor? {
        guard let socket = server.share() else { return nil }
        address.share()
        return socket
    }

    /// Tells, on any thread, whether the tick thread goes on.
    package var isAlive: @Sendable () -> Bool { { [gate] in gate.secondsStuck == nil } }

    /// Nobody else has the listening socket after all.
    package func keepSocket() {
        server.keepSocket()
        address.keep()
    }

    /// Says that the server isn't ready, and serves on for some seconds.
    package func retire(for seconds: Double) {
        application.retire()
        Log.write(.service, .info, "shutting down: not ready, still serving for \(seconds) s")
        SystemClock.sleep(nanoseconds: Int64(saturating: seconds * 1e9))
    }

    /// Stops gracefully: `bye` to every stream, while requests are served as before; then no new connection, and what waits is
    /// committed and answered.
    package func stop() {
        application.retire()
        server.closeAfterAnswers()
        Self.logDrain(configuration, streams: streams.counters.open)
        _ = inbox.post(.drain, urgent: true)
        wait(upTo: configuration.drainTimeout) { streams.counters.open == 0 }
        server.quiesce()
        // Who has just been let in is served yet.
        wait(upTo: Self.lastRequests) { server.connectionCount == 0 }
        application.close()
        halt()
        Self.logEnd(measures, fanOut, since: started)
    }

    /// Seconds that connections have, once no new ones are taken, to send the requests that they were made for.
    private static let lastRequests = 0.5

    private func wait(upTo seconds: Double, until isOver: () -> Bool) {
        let deadline = SystemClock.monotonic().addingSaturated(Int64(saturating: seconds * 1e9))
        while !isOver(), SystemClock.monotonic() < deadline { SystemClock.sleep(nanoseconds: 10_000_000) }
    }

    private func halt() {
        // The tick thread answers what it has taken and hands its changes over; the store commits and answers them; only
        // then is no connection suspended, and the daemon can stop.
        preparation.stop()
        inbox.close()
        ticks?.join()
        webhooks.stop()
        keeper?.close()
        // Before the server: the connections of streams over TLS are suspended until their loops give them back.
        streams.stop()
        server.stop()
        configuration.audit?.stop()
    }
}
