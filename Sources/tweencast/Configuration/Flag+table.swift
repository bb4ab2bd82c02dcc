// All flags, in the order of the help. Each entry has its name, range, target and meaning.

import Base
import Gateway
import HTTPTransport
import Machine
import OperatingSystem
import ReplicationRedis
import TweencastService
import Webhooks

extension Flag {
    /// By name.
    static let named = [String: Flag](all.map { ($0.name, $0) }) { first, _ in first }

    static let groups: [Group] = [
        Group(title: "Configuration", flags: itself), Group(title: "Network", flags: network),
        Group(title: "Who may do what", flags: access), Group(title: "State", flags: state),
        Group(title: "Running", flags: running), Group(title: "Log", flags: log),
        Group(title: "Requests and connections", flags: transport),
        Group(title: "Limits of the whole server", flags: bounds),
        Group(title: "Limits of one token or address", flags: owners),
        Group(title: "Webhooks", flags: webhooks),
    ]

    static let all: [Flag] = groups.flatMap(\.flags)

    /// The name of the flag for the configuration file.
    static let configuration = "config"

    private static let itself: [Flag] = [
        Flag(
            configuration, "FILE",
            "a file of settings, one name = value a line, a subset of TOML (default none)"
        ) { _, _ in }.outsideFiles,
        Flag("check-config", nil, "check every setting and the files it names, then exit") {
            options, _ in if options.action == .serve { options.action = .checkConfiguration }
        }.outsideFiles,
    ]

    private static let network: [Flag] = [
        Flag("host", "ADDRESS", "address to listen on (default 127.0.0.1)") { $0.service.host = $1.text },
        Flag("port", "PORT", "port; 0 picks a free one (default 8080)") {
            (options, value) throws(CommandLineOptions.Refusal) in
            options.service.port = UInt16(clamping: try value.whole(0...65_535))
        },
        Flag(
            "base-path", "PATH",
            "the path under which a proxy forwards requests unchanged: /tweens (default the root)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard let path = value.basePath else { throw value.refusal("a path such as /tweens") }
            options.service.http.basePath = path
        },
        Flag(
            "allowed-host", "NAMES",
            "host names accepted besides localhost and, on a server that others reach, IP addresses;\n"
                + "comma-separated: *.example.com for every subdomain; * for any (default none)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard value.list.allSatisfy(ServiceConfiguration.isHost) else {
                throw value.refusal("host names such as board.example.com and *.example.com, or *")
            }
            options.service.allowedHosts += value.list
        }.reloadable,
        .origins(
            "cors-origin", \.service.corsOrigins,
            "other origins whose pages may read and write, comma-separated:\n"
                + "https://app.example.com, https://*.example.com; * lets all others read (default none)"
        ).reloadable,
        .origins(
            "cors-read-origin", \.service.readingOrigins,
            "other origins whose pages may read but not write,\n"
                + "comma-separated; * for all (default none)"
        ).reloadable,
        Flag(
            "cors-header", "NAMES",
            "more headers that pages of other origins may send besides the known ones,\n"
                + "comma-separated: x-b3-traceid (default none)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard value.list.allSatisfy(ServiceConfiguration.isHeader) else {
                throw value.refusal("names of headers such as x-b3-traceid")
            }
            options.service.corsHeaders += value.list
        }.reloadable,
        Flag("tls-cert", "FILE", "TLS certificate chain in PEM; reloaded on SIGHUP (default none)") {
            $0.certificate = $1.text
        },
        Flag("tls-key", "FILE", "its private key in PEM, without a password (default none)") { $0.key = $1.text },
    ]

    private static let access: [Flag] = [
        Flag(
            "auth", "FILES",
            "who may do what, comma-separated: tokens:FILE, and keys for JWTs: jwks:FILE,\n"
                + "hs256:FILE, rs256:FILE, es256:FILE, eddsa:FILE; reloaded on SIGHUP (default none: no token needed)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            // An empty list would let everyone in.
            guard !value.list.isEmpty, value.list.allSatisfy({ options.tokens.add($0) }) else {
                throw value.refusal("one of \(TokenSources.kinds), a colon, and a file")
            }
        },
        Flag("auth-issuer", "TEXT", "the iss that JWTs must have (default any)") { $0.tokens.issuer = $1.text },
        Flag("auth-audience", "TEXT", "the aud that JWTs must have (default: those with an aud are rejected)") {
            $0.tokens.audience = $1.text
        },
        .time("auth-leeway", 0...600, \.tokens.leeway, "clock skew allowed for JWTs, in seconds"),
        Flag("read-only", nil, "browsers may only read; curl and services may still write") { options, _ in
            options.service.isReadOnly = true
        }.reloadable,
        Flag("insecure", nil, "serve other machines without tokens") { options, _ in
            options.isInsecure = true
        },
        Flag(
            "audit", "FILE",
            "file for the audit trail: a line of JSON for each change; reopened on SIGHUP (default none)"
        ) {
            $0.service.audit = AuditLog(path: $1.text)
        },
        Flag(
            "trusted-proxy", "NETS",
            "networks of proxies whose forwarded client address is trusted: 10.0.0.0/8 (default none)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            for text in value.list {
                guard let network = IPNetwork(text) else { throw value.refusal("networks such as 10.0.0.0/8") }
                options.service.trustedProxies.append(network)
            }
        },
        .choice(
            "proxy-header", "NAME", among: ProxyHeader.allCases,
            "the header with that address: x-forwarded-for or forwarded (default x-forwarded-for)", named: \.rawValue
        ) { $0.service.proxyHeader = $1 },
    ]

    private static let state: [Flag] = [
        Flag("data", "FOLDER", "where state is stored (default ./data)", subject: "store") {
            $0.store = .folder($1.text)
        },
        Flag("ephemeral", nil, "keep state in memory only", subject: "store") { options, _ in options.store = .memory },
        Flag(
            "store", "URL",
            "sqlite:FOLDER, the same as --data FOLDER, or a log that replicas share:\n"
                + "redis://[user:password@]host[:port][/database]?name=BOARD"
        ) { (options, value) throws(CommandLineOptions.Refusal) in options.store = try value.store },
        .whole(
            "redis-wait", 0...100, \.redisWait,
            "Redis replicas that must have a change before it is acknowledged"),
        .choice(
            "redis-empty", "HOW", among: EmptyRedisPolicy.allCases,
            "if the Redis has lost the board that replicas have: refuse changes, or restore it (default refuse)",
            named: \.rawValue
        ) { $0.whenRedisIsEmpty = $1 },
        .whole(
            "snapshot-entries", 256...1_000_000_000, \.snapshotEntries,
            "log entries between two snapshots of a shared log"),
    ]

    private static let running: [Flag] = [
        .whole("tick-rate", 1...1_000, \.service.tickRate, "ticks a second, 1 to 1000"),
        .whole(
            "workers", 1...256, \.service.workers,
            "threads of each kind: for requests, and for streams",
            shows: "one per core; one fewer for streams"),
        .choice(
            "send", "HOW", among: SendPath.allCases,
            "how streams are written: epoll makes one system call a stream, uring (io_uring)\n"
                + "one for many (default uring if the kernel allows it)", named: \.rawValue
        ) { $0.service.sendPath = $1 },
        Flag("public", "FOLDER", "the viewer's files (default public, beside the program or here)") {
            $0.service.publicDirectory = $1.text
        },
        Flag("demo", nil, "start the demo's tickers, progress views and schedule") { options, _ in
            options.service.isDemo = true
        },
        .time(
            "lame-duck", 0...3_600, \.service.lameDuck,
            "on SIGTERM, seconds to keep serving while /readyz says 503"),
        .time("drain-timeout", 0...3_600, \.service.drainTimeout, "seconds the drain may take after that"),
    ]

    private static let log: [Flag] = [
        .choice(
            "log-format", "HOW", among: LogFormat.allCases,
            "log format on standard error: text or json (default text)", named: \.name
        ) { $0.logFormat = $1 }.reloadable,
        .choice(
            "log-level", "LEVEL", among: LogLevel.allCases,
            "the lowest level that is logged: debug, info, warning or error (default info)", named: \.name
        ) { $0.logLevel = $1 }.reloadable,
        .choice(
            "access-log", "LEVEL", among: LogLevel.allCases + [nil],
            "the level at which each request is logged, or off (default debug)", named: { $0?.name ?? "off" }
        ) { $0.accessLevel = $1 }.reloadable,
    ]

    private static let bounds: [Flag] = [
        .whole(
            "board-bytes", 1 << 20...1 << 40, \.service.machine.boardBytes,
            "bytes of tickers, progress views and schedules"),
        .whole("max-tracks", 1...100_000_000, \.service.machine.tracks, "tickers and progress views"),
        .whole("max-schedules", 1...100_000_000, \.service.machine.schedules, "schedules"),
        .whole(
            "max-delayed-actions", 1...100_000_000, \.service.machine.delayedActions,
            "actions waiting for their time"),
        .whole("max-streams", 1...1_000_000, \.service.maximumStreams, "open streams"),
        .whole("max-topics", 1...1_000_000, \.service.maximumTopics, "topics of one stream"),
        .whole("max-request-topics", 1...1_000_000, \.service.streamBounds.topics, "topics one request may name"),
        .whole("history", 0...10_000_000, \.service.historyEvents, "named events kept for replay"),
        .whole("history-bytes", 1 << 10...1 << 32, \.service.historyBytes, "bytes of kept events"),
        .time("history-minutes", 0...525_600, \.service.historySeconds, unit: 60, "minutes that events are kept"),
        .whole("idempotency-keys", 1...10_000_000, \.service.machine.retryKeys, "answers kept for retries"),
        .whole("idempotency-bytes", 1 << 20...1 << 40, \.service.machine.retryBytes, "bytes of kept answers"),
        .time(
            "idempotency-minutes", 1...10_080, \.service.machine.retrySeconds, unit: 60, "minutes that answers are kept"
        ),
        .time(
            "stall-timeout", 1...3_600, \.service.stallTimeout,
            "seconds after which a stream that reads nothing is closed"),
        .time("heartbeat", 1...3_600, \.service.heartbeat, "seconds between heartbeats on a silent stream"),
    ]

    private static let transport: [Flag] = [
        .whole("max-connections", 1...1_000_000, \.service.http.connectionLimit, "connections, not counting streams"),
        .whole("head-bytes", 1 << 10...1 << 20, \.service.http.headLimit, "bytes of a request line and its headers"),
        .whole("max-query-parameters", 1...1_000_000, \.service.http.parameterLimit, "query parameters of a request"),
        .whole("body-bytes", 1 << 10...1 << 26, \.service.bodyLimit, "bytes of a request body"),
        .whole("batch-bytes", 1 << 10...BatchBudget.maximumBytes, \.service.batchLimit, "bytes of a batch"),
        .whole("batch-lines", 1...BatchBudget.maximumLines, \.service.batchLines, "lines of a batch"),
        .time(
            "head-timeout", 1...3_600, \.service.http.headTimeout,
            "seconds until the first request's headers are complete"),
        .time(
            "body-timeout", 1...3_600, \.service.http.bodyTimeout,
            "seconds for a request body, plus one for each 32 KiB"),
        .whole(
            "idle-timeout", 1...3_600, \.service.http.timeoutSeconds, "seconds a keep-alive connection may stay idle"),
    ]

    /// Limits per token, or per address without one.
    private static let owners: [Flag] = [
        .whole(
            "max-connections-per-address", 1...1_000_000, \.service.ownerLimits.connectionsPerAddress,
            "connections of one address, not counting streams"),
        .whole(
            "connection-rate", 0...1_000_000, \.service.ownerLimits.connectionRate,
            "new connections a second from one address; 0 for no limit"),
        .whole(
            "request-rate", 0...1_000_000, \.service.ownerLimits.requestRate,
            "requests a second of one token, or of one address without a token; 0 for no limit"
        ).reloadable,
        .whole(
            "update-rate", 0...10_000_000, \.service.ownerLimits.updateRate,
            "updates a second of one token or address, each line of a batch counts; 0 for no limit"
        )
        .reloadable,
        .whole(
            "refused-token-rate", 0...1_000_000, \.service.ownerLimits.refusedTokenRate,
            "rejected tokens a second from one address; 0 for no limit"
        ).reloadable,
        .whole(
            "max-streams-per-address", 1...1_000_000, \.service.ownerLimits.streamsPerAddress,
            "streams of one address without a token"
        ).reloadable,
        .whole("max-streams-per-token", 1...1_000_000, \.service.ownerLimits.streamsPerToken, "streams of one token")
            .reloadable,
        Flag(
            "unlimited-from", "NETS",
            "networks without limits per address (default 127.0.0.0/8,::1)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            options.service.ownerLimits.unlimited = []
            for text in value.list where text != "none" {
                guard let network = IPNetwork(text) else { throw value.refusal("networks such as 10.0.0.0/8, or none") }
                options.service.ownerLimits.unlimited.append(network)
            }
        },
    ]

    private static let webhooks: [Flag] = [
        Flag(
            "webhook-host", "NAMES",
            "hosts that webhooks may call, comma-separated: hooks.example.com, *.example.com, * (any\n"
                + "public host), 10.0.0.5:9000 (default none)"
        ) { $0.webhookHosts += $1.list },
        Flag(
            "webhook-network", "NETS",
            "networks that webhooks may reach besides public addresses: 10.0.0.0/8 (default none)"
        ) { $0.webhookNetworks += $1.list },
        Flag(
            "webhook-secret", "TEXT",
            "the key that signs webhooks, whsec_ and base64; best set in the environment", isSecret: true
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard let secrets = WebhookSecrets(value.text) else {
                throw CommandLineOptions.Refusal(
                    message: "\(value.origin): must be whsec_ and the base64 of 24 to 64 bytes")
            }
            options.service.webhooks.secrets = secrets
        },
        .time("webhook-timeout", 1...300, \.service.webhooks.timeout, "seconds a webhook call may take"),
        .whole(
            "webhook-attempts", 1...100, \.service.machine.webhooks.attempts,
            "attempts before a webhook is dropped"),
    ]
}
