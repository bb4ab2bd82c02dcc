// Composes the service from store, board, hub, threads and transport. Starts them in order and stops them in reverse.

import Base
import Board
import EventStream
import Gateway
import Glibc
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

/// The reason why a service can't start.
package enum ServiceError: Error, Hashable, Sendable {
    case addressInUse(port: UInt16)
    case badAddress(String)
    case badFolder(String)
    /// The certificate's file, and what is wrong with it.
    case badCertificate(String)
    /// The key's file, and what is wrong with it.
    case badKey(String)
    case store(StoreError)
    case log(LogFailure)
    case system(String)
}

/// The kind of persistence for a service's changes.
package enum PersistenceBackend: Sendable {
    /// A store of its own.
    case own(any Store)
    /// A log that replicas share.
    case shared(any LogOpener)
}

/// A running server.
package final class Service {
    private let configuration: ServiceConfiguration
    private let assembly: Assembly
    private let server: HTTPServer
    private let streams: StreamLoops
    private let fanOut: FanOut
    private let measures = Measures()
    private let started = SystemClock.monotonic()
    /// Loads the board and builds the node.
    private let makeNode: () throws(ServiceError) -> (any TickDriven, RunningPersistence)
    /// Why the last attempt to load the board from the log failed.
    private var failure: LogFailure?
    /// nil until the board is loaded.
    private var ticks: TickLoop?
    private var persistence: RunningPersistence?
    private var isStarted = false
    private let webhooks: WebhookSender
    private let certificates: Certificates?
    private let address: ServedAddress

    /// Restores the board and connects the parts; nothing runs yet.
    /// - Parameter waits: Whether an unreachable log is tolerated: requests are then rejected until `open` succeeds.
    package init(_ wanted: ServiceConfiguration, store: PersistenceBackend, waits: Bool = false) throws(ServiceError) {
        let files = Self.filesBeside(wanted)
        let zones = ZoneCache { ZoneFolder.calendar(wanted.zoneFolder) }
        Self.logStart(wanted, store, zones: zones.zoneVersion)
        let shares = Self.shareDescriptors(wanted)
        var configuration = wanted
        configuration.maximumStreams = shares.streams
        (self.configuration, address) = (configuration, ServedAddress(hasPredecessor: configuration.hasPredecessor))
        let clock = store.clock(tickRate: configuration.tickRate)
        let inbox = Mailbox<Message>(capacity: Assembly.maximumWaiting)
        let threads = configuration.threads
        fanOut = try FanOut(configuration, shards: threads.loops, inbox: inbox)
        streams = fanOut.streams
        webhooks = Self.webhookSender(configuration, clock, inbox)
        assembly = Assembly(
            configuration, clock: clock, inbox: inbox, zones: zones, files: try files.get(),
            observer: RequestRecorder(measures: measures, log: .standard))
        certificates = try Self.certificates(configuration)
        server = HTTPServer(
            configuration: configuration.transport(
                workers: threads.workers, shares, streams: { [streams] in streams.count }, certificates: certificates),
            application: assembly.application)

        let counters = { @Sendable [server, fanOut] in fanOut.counters(server.counters) }
        let parts = ServiceCore.Parts(
            configuration: configuration, clock: clock, acceptor: streams, post: assembly.post, counters: counters,
            measures: measures, gather: Self.gather(fanOut, configuration.audit),
            queues: Self.queues(inbox, assembly.application, configuration.audit),
            sharesAddress: { [address] in address.isServedByAnother },
            ownerLimits: { [limits = assembly.guards.limits] in limits.settings },
            refusals: { [limits = assembly.guards.limits, server] in
                limits.refusals.merging([.connectionRate: server.counters.hasty]) { $1 }
            },
            call: { [webhooks] in webhooks.send(WebhookRequest(id: $0.id, url: $0.url, body: $0.body)) },
            rules: zones, readers: assembly.preparation)
        makeNode = { [assembly, inboxes = fanOut.inboxes] () throws(ServiceError) in
            try assembly.composition.node(store, parts, inboxes: inboxes)
        }
        if waits { _ = try open() } else { try load() }
    }

    private func load() throws(ServiceError) {
        let (node, persistence) = try makeNode()
        ticks = TickLoop(assembly.driver(of: node, measures: measures), inbox: assembly.inbox)
        self.persistence = persistence
    }

    /// Whether the board is loaded.
    package var isOpen: Bool { ticks != nil }

    /// Loads the board if needed. A running service then starts to use it.
    /// - Returns: false if the log is unreachable; call again later.
    package func open() throws(ServiceError) -> Bool {
        guard !isOpen else { return true }
        do throws(ServiceError) {
            try load()
        } catch .log(let failure) where failure.mayPass || isStarted {
            if failure != self.failure { Self.warn(ofAbsence: failure) }
            self.failure = failure
            assembly.boardUnavailability.reason = failure.reason
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
        assembly.boardUnavailability.reason = nil
        if configuration.isDemo {
            Demo.start { [inbox = assembly.inbox] in inbox.post(.asked($0)) ? nil : Application.busy }
        }
        return true
    }

    /// Starts all threads and listens, even if the board isn't loaded yet.
    /// - Returns: The port.
    package func start() throws(ServiceError) -> UInt16 {
        do throws(TransportError) {
            try streams.start()
            guard assembly.preparation.start(), startTicks() else {
                throw TransportError.failed(code: EAGAIN)
            }
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
            case .failed(let code): throw ServiceError.system(TransportError.text(of: code))
            }
        }
    }

    /// Warns that a server that others can reach answers only to listed host names, so that an operator learns why requests
    /// fail.
    private func logAllowedClients() {
        guard assembly.guards.access.knowsNoName, assembly.guards.access.isReachedByOthers else { return }
        Log.write(
            .service, .warning,
            "only requests for localhost or an address are answered; allow other host names with --allowed-host")
    }

    /// The result of reading the settings again.
    package enum Reloading {
        /// - Parameters:
        ///   - changed: Names of settings that took effect.
        ///   - kept: Names of settings that need a restart.
        case read(ServiceConfiguration, changed: [String], kept: [String])
        /// The settings are invalid; the previous ones stay.
        case refused(String)
    }

    /// Replaces the settings that may change while the service runs. Invalid ones are logged, and the previous ones stay.
    package func reload(_ settings: Reloading) {
        Log.write(.service, .info, "configuration reload requested")
        switch settings {
        case .read(let configuration, let changed, let kept):
            // The address, and whether TLS is used, can't change.
            var rules = configuration
            (rules.host, rules.certificate) = (self.configuration.host, self.configuration.certificate)
            assembly.guards.rules.replace(by: rules.accessRules)
            assembly.guards.limits.replace(by: reloadable(configuration.ownerLimits))
            _ = assembly.inbox.post(.updateRate(configuration.ownerLimits.updateRate), urgent: true)
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

    /// Returns the limits to apply from now on. Connections keep the limits of the start, as the listener counts them.
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
            _ = assembly.inbox.post(.reviewPermits, urgent: true)
            Log.write(.service, .info, "tokens reloaded; streams with revoked tokens are closed")
        case .failure(let failure): Log.write(.service, .error, "tokens not reloaded", ["reason": "\(failure)"])
        }
    }

    /// Reads the time zones again. Schedules follow; on replicas, once the log says so.
    private func reloadZones() {
        let before = assembly.zones.edition
        let rules = assembly.zones.renew()
        if rules.edition != before {
            Log.write(.service, .info, "the time zones have changed", ["version": .text(rules.zoneVersion)])
        }
        _ = assembly.inbox.post(.zones(rules), urgent: true)
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

    /// Returns a duplicate of the listening socket for the process that takes over; nil if there is none.
    package func share() -> Descriptor? {
        guard let socket = server.share() else { return nil }
        address.share()
        return socket
    }

    /// Returns, on any thread, whether the tick thread makes progress.
    package var isAlive: @Sendable () -> Bool {
        { [tickQueue = assembly.tickQueue] in tickQueue.secondsStuck == nil }
    }

    /// Keeps the listening socket for this process alone after a failed handover.
    package func keepSocket() {
        server.keepSocket()
        address.keep()
    }

    /// Reports the server as not ready, and continues to serve for some seconds.
    package func retire(for seconds: Double) {
        assembly.application.retire()
        Log.write(.service, .info, "shutting down: not ready, still serving for \(seconds) s")
        SystemClock.sleep(nanoseconds: Int64(saturating: seconds * 1e9))
    }

    /// Stops gracefully: sends `bye` to every stream while requests are still served, then accepts no more connections, lets
    /// answers under way end, and commits and answers what waits.
    package func stop() {
        assembly.application.retire()
        server.closeAfterAnswers()
        Self.logDrain(configuration, streams: streams.counters.open)
        _ = assembly.inbox.post(.drain, urgent: true)
        let end = Self.deadline(in: configuration.drainTimeout)
        wait(until: end) { streams.counters.open == 0 }
        server.quiesce()
        // Connections that were just accepted are still served.
        wait(until: Self.deadline(in: Self.lastRequests)) { server.connectionCount == 0 }
        assembly.application.close()
        // Before the tick thread ends, which makes the portions of lists.
        wait(until: max(end, Self.deadline(in: Self.lastAnswers))) { server.answersUnderWay == 0 }
        halt()
        Self.logEnd(measures, fanOut, since: started)
    }

    /// Seconds that accepted connections have to send their requests after the listener has closed.
    private static let lastRequests = 0.5
    /// Seconds that answers under way have at least to end: streams may have used up the drain time.
    private static let lastAnswers = 2.0

    private static func deadline(in seconds: Double) -> Int64 {
        SystemClock.monotonic().addingSaturated(Int64(saturating: seconds * 1e9))
    }

    private func wait(until deadline: Int64, _ isOver: () -> Bool) {
        while !isOver(), SystemClock.monotonic() < deadline { SystemClock.sleep(nanoseconds: 10_000_000) }
    }

    private func halt() {
        // The tick thread answers its messages and submits its changes; the store commits them and answers their clients.
        // Only then is no connection suspended, and the HTTP server can stop.
        assembly.preparation.stop()
        assembly.inbox.close()
        ticks?.join()
        webhooks.stop()
        persistence?.close()
        // Before the server: connections of streams over TLS stay suspended until their loops return them.
        streams.stop()
        server.stop()
        configuration.audit?.stop()
    }
}
