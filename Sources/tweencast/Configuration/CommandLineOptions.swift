// Builds a configuration from arguments, environment and a file. Every rejected value is reported with its flag and place.

import Glibc
import HTTPTransport
import OperatingSystem
import Replication
import ReplicationRedis
import TweencastService
import Webhooks

/// The parsed command and its options.
struct CommandLineOptions: Sendable {
    enum Action: Hashable, Sendable {
        case serve
        /// `--check-config`: checks the settings, and whether the server could start.
        case checkConfiguration
        /// Prints the effective settings.
        case configuration
        /// Asks a running server for its health, for a container's health check.
        case health
        /// Copies the store into a file; a server may be using it.
        case backup(String)
        /// Copies such a file to the place of a missing store.
        case restore(String)
        /// `check`: verifies a store, a backup or the one that would be served.
        case examine(String?)
        /// Copies a board from one store to another.
        case copy(from: StoreLocation, to: StoreLocation)
        /// Makes a token.
        case token(TokenCommand)
        case help
        case completion(Completion)
        case manual
        case version
    }

    /// The location of the store.
    enum StoreLocation: Hashable, Sendable {
        case folder(String)
        case memory
        case redis(RedisAddress)
    }

    /// Why the options were rejected.
    struct Refusal: Error, Hashable, CustomStringConvertible {
        let message: String

        var description: String { message }
    }

    var action = Action.serve
    /// All settings and their places.
    private(set) var settings = Settings()
    var store = StoreLocation.folder("./data")
    /// How many of a Redis' replicas must have a change before it is acknowledged.
    var redisWait = 0
    /// What happens to a board that the Redis has lost while replicas have it.
    var whenRedisIsEmpty = EmptyRedisPolicy.refuse
    /// The most changes after a snapshot of a shared log before the next one is written.
    var snapshotEntries = Int(SnapshotPlan.usualEntries)
    var service = ServiceConfiguration()
    var tokens = TokenSources()
    /// Other machines may reach the server without tokens.
    var isInsecure = false
    /// Files for TLS; both or neither.
    var certificate: String?
    var key: String?
    var webhookHosts: [String] = []
    var webhookNetworks: [String] = []
    var logFormat = LogFormat.text
    var logLevel = LogLevel.info
    /// The level of access log lines; nil writes none.
    var accessLevel: LogLevel? = .debug

    /// The defaults.
    static let standard = CommandLineOptions()

    /// The viewer's files: beside the program, as in the archive, or here, as in a clone; nil if there are none.
    private static var usualPublic: String? {
        let name = "public"
        return [ProgramFile.path(beside: name), name].compactMap { $0 }.first { unsafe access($0, R_OK) == 0 }
    }

    private init() {}

    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - environment: `TWEENCAST_PORT=9000` means `--port 9000`, and so on.
    init(arguments: [String], environment: [String: String]) throws(Refusal) {
        self = Self.standard
        try settings.add(environment: environment)
        service.zoneFolder = Environment.zoneFolder
        var rest = arguments[...]
        try readCommand(&rest)
        while let argument = rest.popFirst() { try read(argument, &rest) }
        if let path = settings.all.last(where: { $0.flag.name == Flag.configuration })?.value {
            try settings.add(try Self.file(path))
        }
        for setting in settings.inForce where !setting.isOff { try setting.flag.set(&self, setting.value) }
        // A missing default folder means no pages; a missing folder that was set is an error.
        if !settings.sets("public") { service.publicDirectory = Self.usualPublic }
        try checkWebhooks()
        try checkCertificate()
        try checkAccess()
    }

    /// Returns the flags whose settings have changed.
    func changes(from before: CommandLineOptions) -> [Flag] {
        let (now, then) = (settings.values, before.settings.values)
        return Flag.all.filter { flag in
            let values = [now, then].map { ($0[flag.name] ?? []).map { [$0.value.text, "\($0.isOff)"] } }
            return values[0] != values[1]
        }
    }

    private static func file(_ path: Flag.Value) throws(Refusal) -> ConfigurationFile {
        let bytes: [UInt8]
        do throws(FileBytes.Failure) {
            bytes = try FileBytes.read(path.text, limit: ConfigurationFile.maximumBytes)
        } catch {
            throw Refusal(message: "\(path.origin): \(path.text) can't be read")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(message: "\(path.origin): \(path.text) is no UTF-8")
        }
        return try ConfigurationFile(text, name: path.text)
    }

    private mutating func readCommand(_ rest: inout ArraySlice<String>) throws(Refusal) {
        guard let command = rest.first.flatMap(Command.init) else { return }
        rest.removeFirst()
        switch command {
        case .serve: action = .serve
        case .health: action = .health
        case .config: action = .configuration
        case .help: action = .help
        case .manual: action = .manual
        case .version: action = .version
        case .backup: action = .backup(try Self.file(&rest, "backup needs the file to write"))
        case .restore: action = .restore(try Self.file(&rest, "restore needs the file that backup wrote"))
        case .completion:
            let shells = Completion.allCases.map(\.rawValue).joined(separator: ", ")
            guard let shell = rest.popFirst().flatMap({ Completion(rawValue: $0) }) else {
                throw Refusal(message: "completion needs one of \(shells)")
            }
            action = .completion(shell)
        case .check: action = .examine(rest.first?.hasPrefix("-") ?? true ? nil : rest.removeFirst())
        case .token: action = .token(try TokenCommand(&rest))
        case .copy: action = try Self.copy(&rest)
        case .set, .add, .progress, .notify, .get, .list, .watch, .pipe, .exec:
            // `Tweencast.main` has run it without the server's settings.
            throw Refusal(message: "\(command.rawValue) is a client's command")
        }
    }

    private static func file(_ rest: inout ArraySlice<String>, _ refusal: String) throws(Refusal) -> String {
        guard let file = rest.popFirst(), !file.hasPrefix("-") else { throw Refusal(message: refusal) }
        return file
    }

    /// Serves on a socket that already listens.
    mutating func listen(on listener: Supervisor.Listener) throws(Refusal) {
        service.http.listener = listener.descriptor
        (service.host, service.port) = (listener.host, listener.port)
        try checkAccess()
    }

    /// Requires tokens or `--insecure` if other machines can reach the server, directly or through a proxy.
    private func checkAccess() throws(Refusal) {
        guard [.serve, .checkConfiguration].contains(action), tokens.isEmpty, !isInsecure, let opening else { return }
        throw Refusal(message: "\(opening) lets other machines in: set --auth, or --insecure to allow everyone")
    }

    /// The setting that lets other machines reach the server; nil if none does.
    private var opening: String? {
        if service.isReachedByOthers { return "--host \(service.host)" }
        if !service.trustedProxies.isEmpty { return "--trusted-proxy" }
        return service.publicHost.map { "--allowed-host \($0)" }
    }

    /// Checks reloaded settings. A server that was started without tokens can't be opened to other machines.
    func check(inServerStartedWith first: CommandLineOptions) throws(Refusal) {
        guard first.tokens.isEmpty, !first.isInsecure, let opening else { return }
        throw Refusal(
            message: "\(opening) lets other machines in, and this server has neither --auth nor --insecure: restart it")
    }

    private mutating func checkCertificate() throws(Refusal) {
        switch (certificate, key) {
        case (nil, nil): break
        case (let chain?, let key?): service.certificate = CertificateFiles(chain: chain, key: key)
        case (_?, nil): throw Refusal(message: "--tls-cert needs --tls-key: a certificate is of no use without its key")
        case (nil, _?): throw Refusal(message: "--tls-key needs --tls-cert: the certificate that the key is of")
        }
    }

    /// Requires a secret for webhooks: receivers could not tell unsigned calls from forged ones.
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

    /// Parses the first arguments of `copy`: two places, in any order.
    private static func copy(_ rest: inout ArraySlice<String>) throws(Refusal) -> Action {
        var places: [String: StoreLocation] = [:]
        for _ in 0..<2 {
            let parts = (rest.popFirst() ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            guard ["--from", "--to"].contains(name), places[name] == nil,
                let text = parts.count == 2 ? String(parts[1]) : rest.popFirst()
            else { break }
            places[name] = try Flag.Value(text: text, origin: name).store
        }
        guard let source = places["--from"], let target = places["--to"] else {
            throw Refusal(message: "copy needs --from URL and --to URL, as --store takes them; other flags come behind")
        }
        return .copy(from: source, to: target)
    }

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
        guard argument.hasPrefix("--"), let flag = Flag.named[String(parts[0].dropFirst(2))] else {
            throw Refusal(message: "unknown argument \(argument)\(Flag.hint(for: String(parts[0].drop { $0 == "-" })))")
        }
        let origin = "--\(flag.name)"
        var text = ""
        if flag.argument == nil {
            guard parts.count == 1 else { throw Refusal(message: "\(origin) takes no value") }
        } else {
            guard let given = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw Refusal(message: "\(origin) needs a value")
            }
            text = given
        }
        settings.add(Setting(flag: flag, value: Flag.Value(text: text, origin: origin), place: .commandLine))
    }
}
