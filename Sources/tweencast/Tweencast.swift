// The program: arguments in, a service run, an exit code out.

import Access
import Conversions
import Glibc
import HTTPTransport
import RedisLink
import ReplicationRedis
import Storage
import StorageSQLite
import Threads
import TweencastService

@main
struct Tweencast {
    /// Seconds that a shutdown may take beyond the drain's time before the process is ended whatever holds it up.
    private static let shutdownGrace = 5
    /// Seconds that the log's last lines have to go out.
    private static let logFarewell = 1.0

    static func main() {
        ProcessEdge.openStandardDescriptors()
        // Whatever is written, boards and their copies included, is for whoever runs it alone.
        umask(0o077)
        let options: CommandLineOptions
        do throws(CommandLineOptions.Refusal) {
            options = try CommandLineOptions(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: Environment.variables)
        } catch {
            complain("\(error.message)\nTry --help.")
            exit(2)
        }
        switch options.action {
        case .help: print(Flag.text)
        case .version: print("tweencast \(ServiceConfiguration.version)")
        case .health:
            let service = options.service
            let probe = HealthProbe(
                host: service.host, port: service.port, speaksTLS: service.certificate != nil)
            exit(probe.isHealthy() ? 0 : 1)
        case .backup(let file): exit(backUp(options.store, to: file))
        case .copy(let source, let target): exit(copy(from: source, to: target, options))
        case .token(let command): exit(makeToken(command, options))
        case .serve: exit(serve(options))
        }
    }

    private static func serve(_ options: CommandLineOptions) -> Int32 {
        // Before any thread: all inherit the mask, so that the signals come to `wait` alone.
        let signals = ServerSignals()
        var options = options
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
        do throws(StoreError) {
            return run(options, try store(at: options.store, options), until: signals)
        } catch {
            complain("the data folder can't be used: \(error)")
            return 1
        }
    }

    private static func run(
        _ options: CommandLineOptions, _ store: ChangeStore, until signals: ServerSignals
    ) -> Int32 {
        do throws(ServiceError) {
            if let refusal = options.service.audit?.start() { throw ServiceError.system("--audit: \(refusal)") }
            let service = try Service(options.service, store: store)
            let port = try service.start()
            let host = options.service.host.contains(":") ? "[\(options.service.host)]" : options.service.host
            // Written at once: a supervisor waits for this line, and a pipe would hold a printed one back.
            let scheme = options.service.certificate == nil ? "http" : "https"
            write("listening on \(scheme)://\(host):\(port)", to: 1)
            signals.wait(reload: service.reload)
            _ = ProcessEdge.end(
                within: Int(saturating: options.service.drainTimeout.rounded(.up)).addingSaturated(shutdownGrace))
            service.stop()
            Log.finish(within: logFarewell)
            return 0
        } catch {
            if case .own(let store) = store { store.close() }
            switch error {
            case .addressInUse(let port): complain("port \(port) is in use")
            case .badAddress(let host): complain("--host: \(host) is no address of this machine")
            case .badFolder(let folder): complain("--public: the folder \(folder) can't be read")
            case .badCertificate(let cause): complain("--tls-cert: \(cause)")
            case .badKey(let cause): complain("--tls-key: \(cause)")
            case .log(let cause): complain("--store: \(cause)")
            case .store(let cause): complain("the data folder can't be used: \(cause)")
            case .system(let cause): complain("the system refused: \(cause)")
            }
            return 1
        }
    }

    private static func store(
        at location: CommandLineOptions.StoreLocation, _ options: CommandLineOptions
    ) throws(StoreError) -> ChangeStore {
        switch location {
        case .memory: return .own(EphemeralStore())
        case .redis(let address):
            return .shared(
                RedisLogOpener(
                    address, wait: options.redisWait, snapshotEntries: UInt64(clamping: options.snapshotEntries)))
        case .folder(let folder):
            if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
                throw StoreError(.readOnly, "the folder \(folder) can't be made")
            }
            return .own(try SQLiteStore(path: path(in: folder)))
        }
    }

    private static func makeToken(_ command: TokenCommand, _ options: CommandLineOptions) -> Int32 {
        do throws(PolicyFailure) {
            write(try command.run(options.tokens), to: 1, ending: "")
            return 0
        } catch {
            complain(error.description)
            return 1
        }
    }

    private static func backUp(_ location: CommandLineOptions.StoreLocation, to file: String) -> Int32 {
        guard case .folder(let folder) = location else {
            complain("only a data folder can be backed up; a Redis has means of its own")
            return 2
        }
        do throws(StoreError) {
            try SQLiteStore.backUp(path(in: folder), to: file)
            return 0
        } catch {
            complain("no backup was made: \(error.cause)")
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
            write(text, to: 1)
            return 0
        } catch {
            Log.finish(within: logFarewell)
            complain("nothing was copied: \(error.message)")
            return 1
        }
    }

    /// The name of the file that has a store, in its folder.
    static let storeName = "tweencast.sqlite"

    static func path(in folder: String) -> String { "\(folder)/\(storeName)" }

    private static func complain(_ text: String) { write("tweencast: \(text)", to: 2) }

    private static func write(_ text: String, to descriptor: Int32, ending: String = "\n") {
        let line = Array((text + ending).utf8)
        _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
