// Arguments and environment to a configuration. Every bad value is refused by the name of its flag.

import TweencastService
import Webhooks

/// What the program was asked to do.
struct CommandLineOptions: Sendable {
    enum Action: Hashable, Sendable {
        case serve
        /// Asks a running server for its health; what a container's health check calls.
        case health
        /// Copies the store into a file, also while a server uses it.
        case backup(String)
        case help
        case version
    }

    /// Where state is kept.
    enum StoreLocation: Hashable, Sendable {
        case folder(String)
        case memory
    }

    /// A flag that can't be taken.
    struct Refusal: Error, Hashable {
        let message: String
    }

    var action = Action.serve
    var store = StoreLocation.folder("./data")
    var service = ServiceConfiguration()
    private var webhookHosts: [String] = []
    private var webhookNetworks: [String] = []

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - environment: `TWEENCAST_PORT=9000` stands for `--port 9000`, and so on; flags win.
    init(arguments: [String], environment: [String: String]) throws(Refusal) {
        service.publicDirectory = "public"
        for flag in Flag.allCases {
            guard let value = environment[flag.variable] else { continue }
            guard flag.takesValue else {
                if value != "0", value != "false", value != "" { try apply(flag, "", from: flag.variable) }
                continue
            }
            try apply(flag, value, from: flag.variable)
        }
        var rest = arguments[...]
        if let first = rest.first, let command = Self.commands[first] {
            action = command
            rest.removeFirst()
        } else if rest.first == "backup" {
            rest.removeFirst()
            guard let file = rest.popFirst(), !file.hasPrefix("-") else {
                throw Refusal(message: "backup needs the file to write")
            }
            action = .backup(file)
        }
        while let argument = rest.popFirst() {
            try read(argument, &rest)
        }
        try checkWebhooks()
    }

    /// A webhook that can't prove where it comes from would be an invitation to forge one.
    private mutating func checkWebhooks() throws(Refusal) {
        do throws(WebhookRefusal) {
            service.webhooks.policy = try WebhookPolicy(hosts: webhookHosts, networks: webhookNetworks)
        } catch {
            throw Refusal(message: "--webhook-host or --webhook-network: \(error.reason)")
        }
        if service.webhooks.policy.isOpen, service.webhooks.secrets == nil {
            throw Refusal(message: "--webhook-host needs --webhook-secret: webhooks are signed")
        }
    }

    private static func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    private static let commands: [String: Action] = [
        "serve": .serve, "health": .health, "help": .help, "version": .version,
    ]

    private mutating func read(_ argument: String, _ rest: inout ArraySlice<String>) throws(Refusal) {
        if argument == "--help" || argument == "-h" {
            action = .help
            return
        }
        if argument == "--version" {
            action = .version
            return
        }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard argument.hasPrefix("--"), let flag = Flag(rawValue: String(parts[0].dropFirst(2))) else {
            throw Refusal(message: "unknown argument \(argument)")
        }
        guard flag.takesValue else {
            guard parts.count == 1 else { throw Refusal(message: "--\(flag.rawValue) takes no value") }
            try apply(flag, "", from: argument)
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw Refusal(message: "--\(flag.rawValue) needs a value")
        }
        try apply(flag, value, from: "--\(flag.rawValue)")
    }

    private mutating func apply(_ flag: Flag, _ value: String, from origin: String) throws(Refusal) {
        switch flag {
        case .host: service.host = value
        case .port: service.port = UInt16(try Self.whole(value, 0...65_535, origin))
        case .data: store = .folder(value)
        case .ephemeral: store = .memory
        case .store:
            guard value.hasPrefix("sqlite:"), value.count > 7 else {
                throw Refusal(message: "\(origin): must be sqlite:FOLDER, not \(value)")
            }
            store = .folder(String(value.dropFirst(7)))
        case .tickRate: service.tickRate = try Self.whole(value, 1...1_000, origin)
        case .workers: service.workers = try Self.whole(value, 1...256, origin)
        case .publicFolder: service.publicDirectory = value
        case .demo: service.isDemo = true
        case .allowedHost: service.allowedHosts += Self.list(value)
        case .webhookHost: webhookHosts += Self.list(value)
        case .webhookNetwork: webhookNetworks += Self.list(value)
        case .webhookSecret:
            guard let secrets = WebhookSecrets(value) else {
                throw Refusal(message: "\(origin): must be whsec_ and the base64 of 24 to 64 bytes")
            }
            service.webhooks.secrets = secrets
        case .webhookTimeout: service.webhooks.timeout = Double(try Self.whole(value, 1...300, origin))
        case .webhookAttempts: service.webhooks.retries.attempts = try Self.whole(value, 1...100, origin)
        case .maximumStreams: service.maximumStreams = try Self.whole(value, 1...1_000_000, origin)
        case .historyMinutes: service.historySeconds = 60 * Double(try Self.whole(value, 0...525_600, origin))
        case .history: service.historyEvents = try Self.whole(value, 0...10_000_000, origin)
        case .retryKeys: service.retryKeys = try Self.whole(value, 1...10_000_000, origin)
        case .stallTimeout: service.stallTimeout = Double(try Self.whole(value, 1...3_600, origin))
        case .heartbeat: service.heartbeat = Double(try Self.whole(value, 1...3_600, origin))
        case .drainTimeout: service.drainTimeout = Double(try Self.whole(value, 0...3_600, origin))
        }
    }

    private static func whole(
        _ text: String, _ range: ClosedRange<Int>, _ origin: String
    ) throws(Refusal) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw Refusal(
                message:
                    "\(origin): must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return value
    }
}

/// The flags, by the name they have after `--`.
enum Flag: String, CaseIterable {
    case host, port, data, ephemeral, store, workers, demo, history, heartbeat
    case tickRate = "tick-rate"
    case publicFolder = "public"
    case allowedHost = "allowed-host"
    case maximumStreams = "max-streams"
    case stallTimeout = "stall-timeout"
    case drainTimeout = "drain-timeout"
    case historyMinutes = "history-minutes"
    case retryKeys = "idempotency-keys"
    case webhookHost = "webhook-host"
    case webhookNetwork = "webhook-network"
    case webhookSecret = "webhook-secret"
    case webhookTimeout = "webhook-timeout"
    case webhookAttempts = "webhook-attempts"

    var takesValue: Bool { self != .ephemeral && self != .demo }

    /// The environment variable that stands for the flag.
    var variable: String {
        "TWEENCAST_" + rawValue.uppercased().split(separator: "-").joined(separator: "_")
    }

    static let help = """
        tweencast [serve] [flags]   run the server
        tweencast health [flags]    exit 0 when the server on --host and --port is healthy
        tweencast backup FILE [--data FOLDER]
                                    copy the store into a new file; the server may run
        tweencast version

          --host ADDRESS         address to listen on (127.0.0.1)
          --port PORT            port; 0 takes a free one (8080)
          --data FOLDER          where state is kept (./data)
          --ephemeral            keep state in memory only
          --store sqlite:FOLDER  the same as --data FOLDER
          --tick-rate N          ticks a second, 1 to 1000 (60)
          --workers N            threads that serve requests, and as many that write streams (one a core)
          --public FOLDER        the viewer's files (public)
          --demo                 start the demo's tickers, progress views and schedule
          --allowed-host NAMES   host names besides loopback that requests may carry, comma-separated
          --max-streams N        streams at a time (15000)
          --history N            named events kept for replay (10000)
          --history-minutes N    minutes they are kept (15)
          --idempotency-keys N   answers kept for retries, 24 hours at most (100000)
          --stall-timeout N      seconds a stream may take nothing (30)
          --heartbeat N          seconds between heartbeats of a silent stream (15)
          --drain-timeout N      seconds a shutdown may take (10)
          --webhook-host NAMES   hosts that webhooks may call, comma-separated: hooks.example.com, *.example.com, * (any
                                 public host), 10.0.0.5:9000 (none)
          --webhook-network NETS networks they may reach besides public addresses: 10.0.0.0/8 (none)
          --webhook-secret TEXT  whsec_ and base64: what webhooks are signed with; best given by the environment
          --webhook-timeout N    seconds a call may take (10)
          --webhook-attempts N   attempts before a webhook is given up (12)

        Every flag can be given as an environment variable: TWEENCAST_TICK_RATE=30.
        """
}
