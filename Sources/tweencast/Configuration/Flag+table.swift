// All flags, in the order of the help. Each entry has its name, range, target and meaning.

import Base
import Gateway
import HTTPTransport
import Machine
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
        Group(title: "Limits of the whole", flags: bounds),
        Group(title: "Limits of one token or address", flags: owners),
        Group(title: "Webhooks", flags: webhooks),
    ]

    static let all: [Flag] = groups.flatMap(\.flags)

    /// The name of the flag for the configuration file.
    static let configuration = "config"

    private static let itself: [Flag] = [
        Flag(
            configuration, "FILE",
            "a file of settings, a flag's name = its value a line: a subset of TOML (none is read)"
        ) { _, _ in }.outsideFiles,
        Flag("check-config", nil, "look at all that is set and at the files that it names, and serve nothing") {
            options, _ in if options.action == .serve { options.action = .check }
        }.outsideFiles,
    ]

    private static let network: [Flag] = [
        Flag("host", "ADDRESS", "address to listen on (127.0.0.1)") { $0.service.host = $1.text },
        Flag("port", "PORT", "port; 0 picks a free one (default 8080)") {
            (options, value) throws(CommandLineOptions.Refusal) in
            options.service.port = UInt16(clamping: try value.whole(0...65_535))
        },
        Flag(
            "base-path", "PATH",
            "where a proxy has the server that passes paths on as they come: /tweens (the root)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard let path = value.basePath else { throw value.refusal("a path such as /tweens") }
            options.service.http.basePath = path
        },
        Flag(
            "allowed-host", "NAMES",
            "host names that requests may carry besides localhost and, on an address\n"
                + "that others reach, addresses; comma-separated: *.example.com; * for all (none)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard value.list.allSatisfy(ServiceConfiguration.isHost) else {
                throw value.refusal("host names such as board.example.com and *.example.com, or *")
            }
            options.service.allowedHosts += value.list
        }.reloadable,
        .origins(
            "cors-origin", \.service.corsOrigins,
            "origins whose pages may read and write besides the server's own,\n"
                + "comma-separated: https://app.example.com, https://*.example.com; * lets all others\n"
                + "read (none)"
        ).reloadable,
        .origins(
            "cors-read-origin", \.service.readingOrigins,
            "origins whose pages may read and not write,\n"
                + "comma-separated; * for all (none)"
        ).reloadable,
        Flag(
            "cors-header", "NAMES",
            "headers that pages of other origins may send besides those that are known,\n"
                + "comma-separated: x-b3-traceid (none)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard value.list.allSatisfy(ServiceConfiguration.isHeader) else {
                throw value.refusal("names of headers such as x-b3-traceid")
            }
            options.service.corsHeaders += value.list
        }.reloadable,
        Flag("tls-cert", "FILE", "certificate chain in PEM to speak TLS with; read again on SIGHUP (none)") {
            $0.certificate = $1.text
        },
        Flag("tls-key", "FILE", "its key in PEM, without a password (none)") { $0.key = $1.text },
    ]

    private static let access: [Flag] = [
        Flag(
            "auth", "FILES",
            "who may do what, comma-separated: tokens:FILE, and keys of JWTs: jwks:FILE,\n"
                + "hs256:FILE, rs256:FILE, es256:FILE, eddsa:FILE; reloaded on SIGHUP (default none: no token needed)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            // An empty list would let everyone in.
            guard !value.list.isEmpty, value.list.allSatisfy({ options.tokens.add($0) }) else {
                throw value.refusal("one of \(TokenSources.kinds), a colon, and a file")
            }
        },
        Flag("auth-issuer", "TEXT", "iss that JWTs must have (any)") { $0.tokens.issuer = $1.text },
        Flag("auth-audience", "TEXT", "what must stand in the aud of JWTs (those with an aud are refused)") {
            $0.tokens.audience = $1.text
        },
        .time("auth-leeway", 0...600, \.tokens.leeway, "seconds by which clocks of JWTs may differ"),
        Flag("read-only", nil, "pages may only look: changes come by curl and services") { options, _ in
            options.service.isReadOnly = true
        }.reloadable,
        Flag("insecure", nil, "let other machines reach a server without tokens") { options, _ in
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
            "networks of proxies that are believed whose request they pass on: 10.0.0.0/8 (none)"
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            for text in value.list {
                guard let network = IPNetwork(text) else { throw value.refusal("networks such as 10.0.0.0/8") }
                options.service.trustedProxies.append(network)
            }
        },
        .choice(
            "proxy-header", "NAME", among: ProxyHeader.allCases,
            "the one header in which they say so: x-forwarded-for, or forwarded (x-forwarded-for)", named: \.rawValue
        ) { $0.service.proxyHeader = $1 },
    ]

    private static let state: [Flag] = [
        Flag("data", "FOLDER", "where state is kept (./data)", subject: "store") { $0.store = .folder($1.text) },
        Flag("ephemeral", nil, "keep state in memory only", subject: "store") { options, _ in options.store = .memory },
        Flag(
            "store", "URL",
            "sqlite:FOLDER, the same as --data FOLDER, or a log that replicas share:\n"
                + "redis://[user:password@]host[:port][/database]?name=BOARD"
        ) { (options, value) throws(CommandLineOptions.Refusal) in options.store = try value.store },
        .whole(
            "redis-wait", 0...100, \.redisWait,
            "replicas of the Redis that must have a change before it is acknowledged"),
        .whole(
            "snapshot-entries", 256...1_000_000_000, \.snapshotEntries,
            "entries of a shared log behind a snapshot before the next is written"),
    ]

    private static let running: [Flag] = [
        .whole("tick-rate", 1...1_000, \.service.tickRate, "ticks a second, 1 to 1000"),
        .whole(
            "workers", 1...256, \.service.workers,
            "threads that serve requests, and as many that write streams",
            shows: "one a core, one less that write streams"),
        .choice(
            "send", "HOW", among: SendPath.allCases,
            "how streams are sent: epoll, with a call for each, or uring, with one for many\n"
                + "by io_uring (uring where the kernel allows it)", named: \.rawValue
        ) { $0.service.sendPath = $1 },
        Flag("public", "FOLDER", "the viewer's files (public)") { $0.service.publicDirectory = $1.text },
        Flag("demo", nil, "start the demo's tickers, progress views and schedule") { options, _ in
            options.service.isDemo = true
        },
        .time(
            "lame-duck", 0...3_600, \.service.lameDuck,
            "on SIGTERM, seconds to keep serving while /readyz says 503"),
        .time("drain-timeout", 0...3_600, \.service.drainTimeout, "seconds a shutdown may take beyond that"),
    ]

    private static let log: [Flag] = [
        .choice(
            "log-format", "HOW", among: LogFormat.allCases,
            "how lines on standard error are written: text, or json (text)", named: \.name
        ) { $0.logFormat = $1 }.reloadable,
        .choice(
            "log-level", "LEVEL", among: LogLevel.allCases,
            "the least that is written: debug, info, warning or error (info)", named: \.name
        ) { $0.logLevel = $1 }.reloadable,
        .choice(
            "access-log", "LEVEL", among: LogLevel.allCases + [nil],
            "the level of a line for each request, or off (debug)", named: { $0?.name ?? "off" }
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
            "actions that wait for their time"),
        .whole("max-streams", 1...1_000_000, \.service.maximumStreams, "streams at a time"),
        .whole("max-topics", 1...1_000_000, \.service.maximumTopics, "topics of one stream"),
        .whole("max-request-topics", 1...1_000_000, \.service.streamBounds.topics, "topics that a request may name"),
        .whole("history", 0...10_000_000, \.service.historyEvents, "named events kept for replay"),
        .whole("history-bytes", 1 << 10...1 << 32, \.service.historyBytes, "bytes of such events"),
        .time("history-minutes", 0...525_600, \.service.historySeconds, unit: 60, "minutes they are kept"),
        .whole("idempotency-keys", 1...10_000_000, \.service.machine.retryKeys, "answers kept for retries"),
        .whole("idempotency-bytes", 1 << 20...1 << 40, \.service.machine.retryBytes, "bytes of such answers"),
        .time("idempotency-minutes", 1...10_080, \.service.machine.retrySeconds, unit: 60, "minutes they are kept"),
        .time("stall-timeout", 1...3_600, \.service.stallTimeout, "seconds a stream may take nothing"),
        .time("heartbeat", 1...3_600, \.service.heartbeat, "seconds between heartbeats of a silent stream"),
    ]

    private static let transport: [Flag] = [
        .whole("max-connections", 1...1_000_000, \.service.http.connectionLimit, "connections, but for streams"),
        .whole("head-bytes", 1 << 10...1 << 20, \.service.http.headLimit, "bytes of a request's line and headers"),
        .whole("max-query-parameters", 1...1_000_000, \.service.http.parameterLimit, "parameters of a query"),
        .whole("body-bytes", 1 << 10...1 << 26, \.service.bodyLimit, "bytes of a body"),
        .whole("batch-bytes", 1 << 10...BatchBudget.maximumBytes, \.service.batchLimit, "bytes of a batch"),
        .whole("batch-lines", 1...BatchBudget.maximumLines, \.service.batchLines, "lines of a batch"),
        .time("head-timeout", 1...3_600, \.service.http.headTimeout, "seconds for a connection's first head"),
        .time("body-timeout", 1...3_600, \.service.http.bodyTimeout, "seconds for a body, and one for each 32 KiB"),
        .whole("idle-timeout", 1...3_600, \.service.http.timeoutSeconds, "seconds from an answer to the next head"),
    ]

    /// Limits per token, or per address without one.
    private static let owners: [Flag] = [
        .whole(
            "max-connections-per-address", 1...1_000_000, \.service.ownerLimits.connectionsPerAddress,
            "connections of one address, but for streams"),
        .whole(
            "connection-rate", 0...1_000_000, \.service.ownerLimits.connectionRate,
            "new connections a second of one address; 0 for no limit"),
        .whole(
            "request-rate", 0...1_000_000, \.service.ownerLimits.requestRate,
            "requests a second of one token, or address without one; 0 for no limit"
        ).reloadable,
        .whole("update-rate", 0...10_000_000, \.service.ownerLimits.updateRate, "changes a second of the same")
            .reloadable,
        .whole(
            "refused-token-rate", 0...1_000_000, \.service.ownerLimits.refusedTokenRate,
            "tokens a second that don't count, of one address"
        ).reloadable,
        .whole(
            "max-streams-per-address", 1...1_000_000, \.service.ownerLimits.streamsPerAddress,
            "streams of one address without a token"
        ).reloadable,
        .whole("max-streams-per-token", 1...1_000_000, \.service.ownerLimits.streamsPerToken, "streams of one token")
            .reloadable,
        Flag(
            "unlimited-from", "NETS",
            "networks whose addresses have no limits of their own (127.0.0.0/8,::1)"
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
                + "public host), 10.0.0.5:9000 (none)"
        ) { $0.webhookHosts += $1.list },
        Flag(
            "webhook-network", "NETS", "networks they may reach besides public addresses: 10.0.0.0/8 (none)"
        ) { $0.webhookNetworks += $1.list },
        Flag(
            "webhook-secret", "TEXT",
            "whsec_ and base64: what webhooks are signed with; best given by the environment", isSecret: true
        ) { (options, value) throws(CommandLineOptions.Refusal) in
            guard let secrets = WebhookSecrets(value.text) else {
                throw CommandLineOptions.Refusal(
                    message: "\(value.origin): must be whsec_ and the base64 of 24 to 64 bytes")
            }
            options.service.webhooks.secrets = secrets
        },
        .time("webhook-timeout", 1...300, \.service.webhooks.timeout, "seconds a call may take"),
        .whole(
            "webhook-attempts", 1...100, \.service.machine.webhooks.attempts,
            "attempts before a webhook is given up"),
    ]
}
