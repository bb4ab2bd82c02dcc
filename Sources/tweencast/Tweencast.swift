// The program: parses arguments, runs a service, returns an exit code.

import Base
import Gateway
import Glibc
import HTTPTransport
import OperatingSystem
import ReplicationRedis
import Storage
import StorageSQLite
import TweencastService

@main
struct Tweencast {
    /// Seconds that a shutdown may take beyond the drain before the process is killed.
    private static let shutdownGrace = 5
    /// Seconds for writing the log's last lines.
    private static let logFarewell = 1.0

    static func main() {
        ProcessSetup.openStandardDescriptors()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let command = arguments.first.flatMap(ClientCommand.init) {
            ClientProgram.run(command, Array(arguments.dropFirst()))
        }
        // All files, boards and their copies included, are private to the user.
        umask(0o077)
        // Before any error is printed.
        Log.standard.isForJournal = Environment.journal != nil && Environment.journal == OutputDescriptor(2).place
        let options: CommandLineOptions
        do throws(CommandLineOptions.Refusal) {
            options = try CommandLineOptions(
                arguments: arguments, environment: Environment.variables)
        } catch {
            complain("\(error.message)\nTry --help.")
            exit(2)
        }
        setLog(options)
        switch options.action {
        case .help: exit(report(Flag.text))
        case .completion(let shell): exit(report(shell.script))
        case .manual: exit(report(Manual.page))
        case .version: exit(report("tweencast \(ServiceConfiguration.version)"))
        case .configuration: exit(report(Flag.listing(of: options.settings)))
        case .checkConfiguration: exit(check(options))
        case .health:
            let service = options.service
            let probe = HealthProbe(
                host: service.host, port: service.port, speaksTLS: service.certificate != nil)
            exit(probe.isHealthy() ? 0 : 1)
        case .backup(let file): exit(run(.backUp(to: file), options))
        case .restore(let file): exit(run(.restore(from: file), options))
        case .examine(let file): exit(run(.examine(file), options))
        case .copy(let source, let target): exit(copy(from: source, to: target, options))
        case .token(let command): exit(makeToken(command, options))
        case .serve: exit(serve(options))
        }
    }

    /// Checks the settings and the files they name.
    private static func check(_ options: CommandLineOptions) -> Int32 {
        do throws(ServiceError) {
            if case .failure(let failure) = options.tokens.isEmpty ? .success(AccessPolicy()) : options.tokens.policy()
            {
                complain("\(failure)")
                return 2
            }
            try look(at: options)
            for (name, reason) in Environment.unused { complain("\(name): \(reason)") }
            return report("the configuration is good")
        } catch {
            complain(error)
            return 2
        }
    }

    /// Checks what can be checked beside a running server: files, and the store's layout.
    private static func look(at options: CommandLineOptions) throws(ServiceError) {
        try Service.check(options.service)
        if let refusal = options.service.audit?.obstacle { throw ServiceError.system("--audit: \(refusal)") }
        guard case .folder(let folder) = options.store else { return }
        do throws(StoreError) {
            try SQLiteStore.checkLayout(of: path(in: folder))
        } catch {
            throw ServiceError.store(error)
        }
    }

    private static func setLog(_ options: CommandLineOptions) {
        Log.standard.format = options.logFormat
        Log.standard.level = options.logLevel
        Log.standard.accessLevel = options.accessLevel
    }

    private static func serve(_ options: CommandLineOptions) -> Int32 {
        // Before any thread: all threads inherit the mask, so only `wait` receives the signals.
        let signals = ServerSignals()
        var options = options
        do {
            if let listener = try Supervisor.inheritListener() { try options.listen(on: listener) }
        } catch {
            complain("the socket that was handed over can't be used: \(error)")
            return 2
        }
        if options.service.sendPath == .uring, let code = SendPath.obstacleToRings(streams: 1) {
            complain("--send: io_uring can't be used here: \(unsafe String(cString: strerror(code)))")
            return 2
        }
        if !options.tokens.isEmpty {
            let read = { @Sendable [tokens = options.tokens] in tokens.policy() }
            switch read() {
            case .success(let policy): options.service.authority = TokenAuthority(policy)
            case .failure(let failure):
                complain("\(failure)")
                return 2
            }
            options.service.readPolicy = read
        }
        Handover.prepare()
        let predecessor = Handover.findPredecessor()
        if let predecessor {
            // Before asking a serving predecessor to leave, check that this process can use its settings.
            do throws(ServiceError) {
                try look(at: options)
            } catch {
                complain(error)
                return 1
            }
            options.service.hasPredecessor = { predecessor.isThere }
        }
        Service.warn(ofUnused: Environment.unused)
        do throws(StoreError) {
            let store = try store(at: options.store, options, after: predecessor)
            return run(options, store, after: predecessor, until: signals)
        } catch {
            complain("the data folder can't be used: \(error.cause)")
            return 1
        }
    }

    private static func run(
        _ options: CommandLineOptions, _ store: PersistenceBackend, after predecessor: Handover.Predecessor?,
        until signals: ServerSignals
    ) -> Int32 {
        do throws(ServiceError) {
            var options = options
            options.service.storeLayout = SQLiteStore.layout
            if let refusal = options.service.audit?.start() { throw ServiceError.system("--audit: \(refusal)") }
            // While a predecessor serves, no client waits for this process.
            let service = try Service(options.service, store: store, waits: predecessor == nil)
            let port = try service.start()
            let host = options.service.host.contains(":") ? "[\(options.service.host)]" : options.service.host
            // Written unbuffered: a supervisor waits for this line, and a pipe would delay a printed one.
            let scheme = options.service.certificate == nil ? "http" : "https"
            _ = report("listening on \(scheme)://\(host):\(port)")
            let watchdog = Supervisor.watchdogInterval.map { Watchdog(supervisorInterval: $0, isWell: service.isAlive) }
            if let watchdog, !watchdog.start() { throw ServiceError.system("no thread") }
            Supervisor.notify("READY=1")
            predecessor?.reportServing()
            let successor = serve(service, options, until: signals)
            watchdog?.stop()
            if let successor, let failure = successor.awaitService() {
                return startAgain(insteadOf: successor, because: failure)
            }
            Log.finish(within: logFarewell)
            return 0
        } catch {
            if case .own(let store) = store { store.close() }
            Log.finish(within: logFarewell)
            complain(error)
            return 1
        }
    }

    /// Serves until a signal ends it.
    /// - Returns: The successor, if there is one.
    private static func serve(
        _ service: Service, _ options: CommandLineOptions, until signals: ServerSignals
    ) -> Handover.Successor? {
        var latest = options
        var successor: Handover.Successor?
        let end = signals.wait {
            load(service)
        } reload: {
            latest = reload(service, from: latest, startedWith: options)
        } handOver: {
            successor = handOver(service, options, unless: { signals.areEnding })
            return successor != nil
        }
        if end == .asked { Supervisor.notify("STOPPING=1") }
        stop(service, because: end, options.service)
        return successor
    }

    /// Retries to load a board that could not be loaded at start.
    /// - Returns: Whether it is loaded.
    private static func load(_ service: Service) -> Bool {
        do throws(ServiceError) {
            return try service.open()
        } catch {
            complain(error)
            return false
        }
    }

    /// Restarts the program in this process, since the successor has ended or was ended.
    private static func startAgain(
        insteadOf successor: Handover.Successor, because failure: Handover.Failure
    ) -> Int32 {
        Service.warn(ofNoSuccessor: "\(failure); this one restarts itself")
        Supervisor.notify("MAINPID=\(getpid())")
        Log.finish(within: logFarewell)
        complain("\(successor.startAgain(arguments: Array(CommandLine.arguments.dropFirst())))")
        return 1
    }

    private static func complain(_ error: ServiceError) {
        switch error {
        case .addressInUse(let port): complain("port \(port) is in use")
        case .badAddress(let host): complain("--host: \(host) is no address of this machine")
        case .badFolder(let folder): complain("--public: the folder \(folder) can't be read")
        case .badCertificate(let cause): complain("--tls-cert: \(cause)")
        case .badKey(let cause): complain("--tls-key: \(cause)")
        case .log(let cause): complain("--store: \(cause)")
        case .store(let error): complain("the data folder can't be used: \(error.cause)")
        case .system(let cause): complain("the system refused: \(cause)")
        }
    }

    /// Reads the settings and the files they name again.
    /// - Parameter latest: The previous settings.
    /// - Returns: The new settings, or the previous ones if they can't be used.
    private static func reload(
        _ service: Service, from latest: CommandLineOptions, startedWith first: CommandLineOptions
    ) -> CommandLineOptions {
        Supervisor.notify("RELOADING=1")
        defer { Supervisor.notify("READY=1") }
        do throws(CommandLineOptions.Refusal) {
            let read = try CommandLineOptions(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: Environment.variables)
            try read.check(inServerStartedWith: first)
            let changed = read.changes(from: latest).filter(\.isReloadable)
            let kept = read.changes(from: first).filter { !$0.isReloadable }
            setLog(read)
            service.reload(.read(read.service, changed: changed.map(\.name), kept: kept.map(\.name)))
            return read
        } catch {
            service.reload(.refused(error.message))
            return latest
        }
    }

    /// - Returns: The successor that serves on the service's socket; nil if there is none.
    private static func handOver(
        _ service: Service, _ options: CommandLineOptions, unless isAskedToEnd: () -> Bool
    ) -> Handover.Successor? {
        guard options.store != .memory else {
            Service.warn(ofNoSuccessor: "the board is in memory, and would be lost")
            return nil
        }
        guard let listener = service.share() else {
            Service.warn(ofNoSuccessor: "no descriptors")
            return nil
        }
        do throws(Handover.Failure) {
            let next = try Handover.begin(
                listener: listener, arguments: Array(CommandLine.arguments.dropFirst()), unless: isAskedToEnd)
            // Without this, a supervisor would take this process' end for the service's. It also restarts the watchdog's
            // interval for the successor.
            Supervisor.notify("MAINPID=\(next.number)\nWATCHDOG=1")
            return next
        } catch {
            service.keepSocket()
            Service.warn(ofNoSuccessor: error.description)
            return nil
        }
    }

    private static func stop(
        _ service: Service, because end: ServerSignals.End, _ configuration: ServiceConfiguration
    ) {
        // After a hand-over, load balancers needn't send clients elsewhere.
        let lameDuck = end == .asked ? configuration.lameDuck : 0
        let seconds = Int(saturating: (lameDuck + configuration.drainTimeout).rounded(.up))
        _ = ProcessSetup.end(within: seconds.addingSaturated(shutdownGrace))
        if lameDuck > 0 { service.retire(for: lameDuck) }
        service.stop()
        // All that is left is waiting for the successor.
        if end == .succeeded { ProcessSetup.endInItsTime() }
    }

    /// - Parameter predecessor: A process that may hold the store and will release it.
    private static func store(
        at location: CommandLineOptions.StoreLocation, _ options: CommandLineOptions,
        after predecessor: Handover.Predecessor?
    ) throws(StoreError) -> PersistenceBackend {
        switch location {
        case .memory: return .own(EphemeralStore())
        case .redis(let address):
            return .shared(
                RedisLogOpener(
                    address, wait: options.redisWait, snapshotEntries: UInt64(clamping: options.snapshotEntries),
                    whenEmpty: options.whenRedisIsEmpty))
        case .folder(let folder):
            try SQLiteStore.makeFolder(folder)
            return .own(try openStore(at: path(in: folder), after: predecessor))
        }
    }

    private static func openStore(
        at path: String, after predecessor: Handover.Predecessor?
    ) throws(StoreError) -> SQLiteStore {
        let interval = Supervisor.watchdogInterval.map { Int64(saturating: $0 / 2 * 1e9) }
        var nextBeat = SystemClock.monotonic()
        var hasAsked = false
        while true {
            // Checked before opening: if the holder has ended by then, the store is free.
            let predecessor = predecessor.flatMap { SQLiteStore.isHeld(path, by: $0.number) ? $0 : nil }
            do throws(StoreError) {
                let store = try SQLiteStore(path: path)
                if interval != nil { Supervisor.notify("WATCHDOG=1") }
                return store
            } catch {
                guard error.code == .locked, let predecessor else { throw error }
                if !hasAsked {
                    // Only ask a serving predecessor to leave if the store can be read.
                    _ = try SQLiteStore.examine(path)
                    predecessor.askToLetGo()
                    hasAsked = true
                }
            }
            // The predecessor limits its own shutdown. Meanwhile, keep the supervisor's watchdog satisfied.
            if let interval, nextBeat <= SystemClock.monotonic() {
                Supervisor.notify("WATCHDOG=1")
                nextBeat = SystemClock.monotonic().addingSaturated(interval)
            }
            SystemClock.sleep(nanoseconds: 10_000_000)
        }
    }

    private static func run(_ command: StoreCommand, _ options: CommandLineOptions) -> Int32 {
        do throws(StoreCommand.Refusal) {
            guard let text = try command.run(options.store) else { return 0 }
            return report(text)
        } catch {
            complain(error.message)
            return error.code
        }
    }

    private static func makeToken(_ command: TokenCommand, _ options: CommandLineOptions) -> Int32 {
        do throws(PolicyFailure) {
            return report(try command.run(options.tokens), ending: "")
        } catch {
            complain(error.description)
            return 1
        }
    }

    private static func copy(
        from source: CommandLineOptions.StoreLocation, to target: CommandLineOptions.StoreLocation,
        _ options: CommandLineOptions
    ) -> Int32 {
        do throws(CopyCommand.Refusal) {
            let text = try CopyCommand(source: source, target: target, options: options).run()
            Log.finish(within: logFarewell)
            return report(text)
        } catch {
            Log.finish(within: logFarewell)
            complain("nothing was copied: \(error.message)")
            return 1
        }
    }

    /// The name of the store's file in its folder.
    static let storeName = "tweencast.sqlite"

    static func path(in folder: String) -> String { "\(folder)/\(storeName)" }

    private static func complain(_ text: String) {
        let level = Log.standard.isForJournal ? "<3>" : ""
        let lines = "tweencast: \(text)".split(separator: "\n").map { level + $0 + "\n" }
        _ = OutputDescriptor(2).writeAll(Array(lines.joined().utf8))
    }

    /// Writes to standard output.
    /// - Returns: The exit code: 1 if not everything was written, as on a full disk.
    private static func report(_ text: String, ending: String = "\n") -> Int32 {
        guard OutputDescriptor(1).writeAll(Array((text + ending).utf8)) else {
            complain("cannot write to standard output")
            return 1
        }
        return 0
    }
}
