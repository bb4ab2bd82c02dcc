// The service's settings. The parser validates values; this holds the result.

package import Gateway
package import HTTPTransport
package import Machine
package import OperatingSystem
package import Webhooks

/// The files of a certificate.
package struct CertificateFiles: Hashable, Sendable {
    /// The certificate chain: the server's own certificate and the intermediate ones.
    package var chain: String
    package var key: String

    package init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}

/// The service's configuration.
package struct ServiceConfiguration: Sendable {
    /// This program's version, as shown to streams and on the command line.
    package static let version = "1.0.0"
    /// The version of the API contract.
    package static let apiVersion = "v1"
    /// The folder that is searched first for time zones.
    package var zoneFolder: String?
    /// The version of the store layout that the program writes.
    package var storeLayout = 0

    /// The address to listen on.
    package var host = "127.0.0.1"
    /// The port; 0 picks a free one.
    package var port: UInt16 = 8080
    /// The PEM files of a certificate chain and its key for TLS; nil for plain HTTP.
    package var certificate: CertificateFiles?
    /// Ticks per second, 1 to 1,000.
    package var tickRate = 60
    /// The number of threads that serve requests, and of those that write streams. 0 uses one per core for requests, and one
    /// fewer for streams.
    package var workers = 0
    /// How streams are sent; nil selects the best way that the kernel allows.
    package var sendPath: SendPath?
    /// The viewer's folder; nil serves none.
    package var publicDirectory: String?
    /// Whether to start the demo's resources.
    package var isDemo = false
    /// Host names that requests may use in addition to localhost; `*.example.com` for subdomains, `*` for all.
    package var allowedHosts: [String] = []
    /// Origins such as `https://app.example.com` and `https://*.example.com` whose pages may read and write, in addition to
    /// this server's own; `*` lets all other origins read.
    package var corsOrigins: [String] = []
    /// Origins whose pages may only read; `*` for all.
    package var readingOrigins: [String] = []
    /// Headers that pages of other origins may send in addition to the known ones.
    package var corsHeaders: [String] = []
    /// Whether pages of every origin may only read.
    package var isReadOnly = false
    /// Checks tokens; nil if none are required.
    package var authority: TokenAuthority?
    /// Reads the rules for tokens again; nil if they can't change.
    package var readPolicy: (@Sendable () -> Result<AccessPolicy, PolicyFailure>)?
    /// The audit log; nil for none.
    package var audit: AuditLog?
    /// The transport's other settings.
    package var http = HTTPServerConfiguration()
    /// The limits of one token or address.
    package var ownerLimits = OwnerLimitSettings()
    /// Networks of proxies that are trusted to name the client.
    package var trustedProxies: [IPNetwork] = []
    /// The header in which proxies name the client.
    package var proxyHeader = ProxyHeader.forwardedFor
    /// The longest request body, in bytes.
    package var bodyLimit = 64 * 1024
    /// The longest body of a batch, in bytes.
    package var batchLimit = 4 * 1024 * 1024
    /// The most lines of a batch.
    package var batchLines = 10_000
    /// The settings that all replicas of a board share, besides the update rate.
    package var machine = MachineSettings()

    /// The settings that all replicas of a board share.
    package var machineSettings: MachineSettings {
        var settings = machine
        settings.updateRate = ownerLimits.updateRate
        return settings
    }

    /// The limits of a stream request.
    package var streamBounds = StreamBounds()
    /// The most streams at a time.
    package var maximumStreams = 15_000
    /// The most topics of one stream.
    package var maximumTopics = 10_000
    /// The most named events kept for replay.
    package var historyEvents = 10_000
    /// The most bytes of named events kept for replay.
    package var historyBytes = 32 << 20
    /// Seconds that a named event is kept for replay.
    package var historySeconds = 900.0
    /// Seconds that a stream may accept no data before it is closed.
    package var stallTimeout = 30.0
    /// Seconds between heartbeats of an idle stream.
    package var heartbeat = 15.0
    /// Seconds that a stopping server reports itself as not ready and still serves, so that load balancers notice before
    /// requests are rejected.
    package var lameDuck = 0.0
    /// Seconds that a drain may take.
    package var drainTimeout = 10.0
    /// Seconds without progress after which the tick thread counts as stuck.
    package var stuckAfter = 2.0
    package var webhooks = WebhookConfiguration()
    /// Whether the process that this one takes over from still runs and serves the same address.
    package var hasPredecessor: @Sendable () -> Bool = { false }

    package init() {}

    /// Whether other machines can reach the address.
    package var isReachedByOthers: Bool {
        AccessRules(address: host, hosts: [], origins: []).isReachedByOthers
    }

    /// The first of `allowedHosts` that does not name this machine itself, as with a proxy in front.
    package var publicHost: String? { allowedHosts.first { !AccessRules.isOfThisMachine($0) } }

    /// Whether a text is valid in `corsOrigins` and `readingOrigins`.
    package static func isOrigin(_ text: String) -> Bool { AccessRules.isOrigin(text) }

    /// Whether a text is valid in `allowedHosts`.
    package static func isHost(_ text: String) -> Bool { AccessRules.isHost(text) }

    /// Whether a text is valid in `corsHeaders`.
    package static func isHeader(_ text: String) -> Bool { AccessRules.isHeader(text) }
}

/// Why the rules for tokens can't be used. The text never contains a token.
package struct PolicyFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
