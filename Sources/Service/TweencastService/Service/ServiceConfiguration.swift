// What an operator may set. Values are checked where they are parsed; this is what they come to.

package import Gateway
package import HTTPTransport
package import Machine
package import Webhooks

/// Where a certificate is.
package struct CertificateFiles: Hashable, Sendable {
    /// The chain, the server's own certificate and those between it and a root.
    package var chain: String
    package var key: String

    package init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}

/// The service's configuration.
package struct ServiceConfiguration: Sendable {
    /// This program's version: what streams and the command line tell.
    package static let version = "1.0.0"
    /// The version of the contract that it serves.
    package static let apiVersion = "v1"
    /// Where the machine's time zones are looked for first.
    package var zoneFolder: String?
    /// The version of the layout of stores that it writes.
    package var storeLayout = 0

    /// Address to listen on.
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port: UInt16 = 8080
    /// Files of a certificate chain and its key in PEM, with which TLS is spoken; nil speaks plain HTTP.
    package var certificate: CertificateFiles?
    /// Ticks per second, 1 to 1,000.
    package var tickRate = 60
    /// Threads that serve requests, and as many that write streams; 0 takes one a core, and one less that write streams.
    package var workers = 0
    /// How streams are sent; nil takes the best that the kernel allows.
    package var sendPath: SendPath?
    /// Folder of the viewer; nil serves none.
    package var publicDirectory: String?
    /// Starts the demo's tickers, progresses and schedules.
    package var isDemo = false
    /// Host names besides localhost that requests may name, and `*.example.com` for those below one; `*` for all.
    package var allowedHosts: [String] = []
    /// Origins such as `https://app.example.com` and `https://*.example.com` whose pages may read and write besides this server's own; `*` lets all
    /// others read.
    package var corsOrigins: [String] = []
    /// Origins whose pages may read and nothing else; `*` for all.
    package var readingOrigins: [String] = []
    /// Headers that pages of other origins may send besides those that are known.
    package var corsHeaders: [String] = []
    /// Pages may change nothing, of whatever origin.
    package var isReadOnly = false
    /// Knows tokens; nil where nobody is asked for any.
    package var authority: TokenAuthority?
    /// Reads anew what tokens are held to; nil where that stays.
    package var readPolicy: (@Sendable () -> Result<AccessPolicy, PolicyFailure>)?
    /// Where changes are told of; nil tells nobody.
    package var audit: AuditLog?
    /// What the transport has beside what stands above.
    package var http = HTTPServerConfiguration()
    /// What one token or address may have.
    package var ownerLimits = OwnerLimitSettings()
    /// Networks of proxies that are believed whose request they pass on.
    package var trustedProxies: [IPNetwork] = []
    /// Where they say whose it is.
    package var proxyHeader = ProxyHeader.forwardedFor
    /// Longest request body, in bytes.
    package var bodyLimit = 64 * 1024
    /// Longest body of a batch, in bytes.
    package var batchLimit = 4 * 1024 * 1024
    /// Most lines of a batch.
    package var batchLines = 10_000
    /// What is the same on all replicas of a board.
    package var machine = MachineSettings()
    /// What a request for a stream may name.
    package var streamBounds = StreamBounds()
    /// Most streams at a time.
    package var maximumStreams = 15_000
    /// Most topics of one stream.
    package var maximumTopics = 10_000
    /// Most named events kept for replay.
    package var historyEvents = 10_000
    /// Most bytes of named events kept for replay.
    package var historyBytes = 32 << 20
    /// Seconds a named event is kept for replay.
    package var historySeconds = 900.0
    /// Seconds a stream may take nothing before it is cut off.
    package var stallTimeout = 30.0
    /// Seconds between heartbeats of a stream that has nothing else to send.
    package var heartbeat = 15.0
    /// Seconds for which a server that ends says that it isn't ready and serves on, so that whoever shares requests out
    /// sees it before anybody is turned away.
    package var lameDuck = 0.0
    /// Seconds a drain may take.
    package var drainTimeout = 10.0
    /// Seconds after which a tick thread that does nothing it should counts as stuck.
    package var stuckAfter = 2.0
    package var webhooks = WebhookConfiguration()
    /// Whether the process is there that this one takes over from, and serves the same address.
    package var hasPredecessor: @Sendable () -> Bool = { false }

    package init() {}

    /// Whether the address listened on is not of this machine alone.
    package var isReachedByOthers: Bool {
        AccessRules(address: host, hosts: [], origins: []).isReachedByOthers
    }

    /// The first of `allowedHosts` that is no name of this machine for itself: others have it lead here, by a proxy.
    package var publicHost: String? { allowedHosts.first { !AccessRules.isOfThisMachine($0) } }

    /// Whether a text can stand among `corsOrigins` and `readingOrigins`.
    package static func isOrigin(_ text: String) -> Bool { AccessRules.isOrigin(text) }

    /// Whether a text can stand among `allowedHosts`.
    package static func isHost(_ text: String) -> Bool { AccessRules.isHost(text) }

    /// Whether a text can stand among `corsHeaders`.
    package static func isHeader(_ text: String) -> Bool { AccessRules.isHeader(text) }
}

/// Why tokens can't be read; in words, without any of them.
package struct PolicyFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
