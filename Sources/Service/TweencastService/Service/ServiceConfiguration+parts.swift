// Derives the configurations of the service's parts.

import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import OperatingSystem
import Publishing
import RecurrenceRules
import Tween
import Webhooks
import Wire

extension ServiceConfiguration {
    var shard: ShardConfiguration {
        var shard = ShardConfiguration()
        shard.heartbeatSeconds = heartbeat
        shard.tickRate = Double(tickRate)
        shard.maximumWaitingSeconds = stallTimeout
        return shard
    }

    var publisher: Publisher.Configuration {
        var publisher = Publisher.Configuration()
        publisher.tickRate = tickRate
        publisher.heartbeat = heartbeat
        publisher.drainTimeout = drainTimeout
        publisher.version = Self.version
        publisher.isReadOnly = isReadOnly
        return publisher
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

    var accessRules: AccessRules {
        AccessRules(
            address: host, hosts: allowedHosts, origins: corsOrigins, readers: readingOrigins,
            headers: corsHeaders, speaksTLS: certificate != nil, isReadOnly: isReadOnly)
    }

    func guards(_ clock: ServiceClock) -> Application.Guards {
        Application.Guards(
            access: accessRules,
            authority: authority,
            proxies: TrustedProxies(trustedProxies, header: proxyHeader),
            limits: OwnerLimits(ownerLimits, isMet: Log.writeOfLimit),
            audit: audit.map { AuditLogger($0) },
            now: { clock.now().nanoseconds }, uptime: { clock.monotonic() })
    }

    /// - Parameter zones: The available time zone rules.
    func application(_ zones: any CalendarRules) -> Application.Configuration {
        let policy = webhooks.policy
        var application = Application.Configuration { policy.refusal(of: $0) }
        application.bodyLimit = bodyLimit
        application.batchLimit = batchLimit
        application.batchLines = batchLines
        application.streams = streamBounds
        application.streams.tickRate = tickRate
        application.version = { versionBody(zones) }
        return application
    }

    /// Returns the program's version information as JSON.
    private func versionBody(_ zones: any CalendarRules) -> [UInt8] {
        var json = JSONWriter()
        json.object {
            $0.member("name", "tweencast")
            $0.member("version", Self.version)
            $0.member("api", Self.apiVersion)
            $0.member("storeLayout", storeLayout)
            $0.member("timeZones", zones.zoneVersion)
        }
        return json.bytes
    }

    /// The most bytes of all request bodies in flight. An owner may use at most as much as stays free, so the budget is at
    /// least twice the longest body.
    var bodyBudget: Int { max(http.bodyBudget, 2 * max(bodyLimit, batchLimit)) }

    /// The number of threads that serve requests, and of those that write streams.
    var threads: (workers: Int, loops: Int) {
        guard workers == 0 else { return (workers, workers) }
        let cores = ProcessorCount.value
        // Leave one core to the tick thread and the clients: with two loops and a client on two cores, some clients' frames
        // came at 1.8 times the gap of a bare loop's; with one loop, at 1.3 times.
        return (cores, max(1, cores - 1))
    }

    /// File descriptors that suffice unless an operator asks for more: for 2,900 streams beside 970 connections.
    static let ordinaryDescriptors = 4_096

    /// Whether the numbers of streams and connections are the defaults.
    var hasUsualDescriptors: Bool {
        let usual = ServiceConfiguration()
        return maximumStreams == usual.maximumStreams && http.connectionLimit == usual.http.connectionLimit
    }

    /// - Parameter streams: Returns the number of open streams.
    func transport(
        workers: Int, _ shares: DescriptorShares, streams: @escaping @Sendable () -> Int, certificates: Certificates?
    ) -> HTTPServerConfiguration {
        var transport = http
        transport.host = host
        transport.connectionsPerOwner = ownerLimits.connectionsPerAddress
        transport.connectionRate = ownerLimits.connectionRate
        // A proxy uses few connections for many clients, so it has no limit per address.
        let proxies = TrustedProxies(trustedProxies)
        transport.owner = { [ownerLimits] in proxies.isTrusted($0) ? nil : ownerLimits.owner(ofAddress: $0) }
        transport.port = port
        transport.workers = workers
        transport.connectionLimit = shares.connections(beside: 0)
        if shares.isLowered { transport.connectionRoom = { shares.connections(beside: streams()) } }
        transport.streamLimit = maximumStreams
        transport.bodyBudget = bodyBudget
        transport.certificates = certificates
        return transport
    }

    var streams: StreamConfiguration {
        var streams = StreamConfiguration()
        streams.maximumStreams = maximumStreams
        streams.stallTimeout = stallTimeout
        return streams
    }
}
