// Runs a client's command: output, errors and exit codes. Nothing of a server is set up here, so that it starts fast.

import Base
import Glibc
import HTTPClient
import OperatingSystem
import TweencastClient

/// Why a client's command ends.
enum ClientExit: Int32, Sendable {
    case done = 0
    /// The server refused, or what it said can't be printed.
    case failed = 1
    case usage = 2
    case noResource = 3
    /// No answer came for as long as the command may retry.
    case noAnswer = 4

    init(_ error: ClientError) {
        switch error {
        case .refused(let problem) where problem.status == 404: self = .noResource
        case .invalidRequest: self = .usage
        default: self = error.isTemporary ? .noAnswer : .failed
        }
    }
}

/// A client's command as a process.
enum ClientProgram {
    /// Runs a command.
    /// - Parameter words: The arguments behind the command.
    static func run(_ command: ClientCommand, _ words: [String]) -> Never {
        let settings = ClientSettings { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
        do throws(ClientUsage) {
            let arguments = try ClientArguments(command, words)
            if arguments.has(.help) { end(print(command.help)) }
            let server = arguments[.server] ?? settings.server
            let client = try client(server, arguments, settings)
            switch command {
            case .set, .add, .progress, .notify, .get, .list:
                if let request = try ClientRequest(arguments, settings) { start(request, client) }
            case .watch: try WatchRequest(arguments).run(client, server: server)
            case .pipe: try PipeRequest(arguments).run(client, server: server)
            case .exec: try ExecRequest(arguments).run(client, server: server)
            }
        } catch {
            complain("\(error.message)\nTry tweencast \(command.rawValue) --help.")
        }
        end(.usage)
    }

    private static func client(
        _ server: String, _ arguments: ClientArguments, _ settings: ClientSettings
    ) throws(ClientUsage) -> Client {
        var configuration = Client.Configuration()
        configuration.token = settings.token
        // Over plain http the file is of no use, whatever is wrong with it.
        if server.lowercased().hasPrefix("https:"), let complaint = AuthorityFile.complaint {
            throw ClientUsage(message: complaint)
        }
        configuration.authorities = AuthorityFile.path
        configuration.patience =
            try arguments.seconds(.timeout) ?? .seconds(ClientSettings.usualTimeout(of: arguments.command))
        // A terminal shows why it takes so long; a log doesn't, since most retries succeed.
        if isatty(2) == 1, !arguments.command.isWork { configuration.onRetry = { complain("\($0); trying again") } }
        let client = Client(server, configuration)
        if let refusal = client.addressRefusal {
            let source = arguments.has(.server) ? "--server" : "TWEENCAST_URL"
            throw ClientUsage(message: "\(source): \(refusal)")
        }
        guard Client.canSend(settings.token ?? "") else {
            throw ClientUsage(message: "TWEENCAST_TOKEN: \(Client.tokenRefusal)")
        }
        return client
    }

    /// Runs a request on this thread, the main one.
    private static func start(_ request: ClientRequest, _ client: Client) -> Never {
        Task(executorPreference: MainThread.executor) {
            do throws(ClientError) {
                end(print(try await request.run(client)))
            } catch {
                complain(error.description)
                end(ClientExit(error))
            }
        }
        MainThread.executor.run()
    }

    /// Prints lines; none if the text is empty.
    static func print(_ text: String) -> ClientExit {
        guard !text.isEmpty else { return .done }
        let bytes = Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
        guard OutputDescriptor(1).writeAll(bytes, isPatient: true) else {
            complain("cannot write to standard output")
            return .failed
        }
        return .done
    }

    static func complain(_ text: String) {
        let lines = text.split(separator: "\n").map { TerminalText(String($0)).text }.joined(separator: "\n")
        _ = OutputDescriptor(2).writeAll(Array("tweencast: \(lines)\n".utf8))
    }

    /// Ends the process at once: libcurl's thread may be running.
    static func end(_ code: ClientExit) -> Never { _exit(code.rawValue) }
}

extension ClientRequest {
    /// Asks the server.
    /// - Returns: What is printed.
    func run(_ client: Client) async throws(ClientError) -> String {
        switch self {
        case .set(let id, let number, let motion):
            let state = try await client.ticker(id).set(
                number, duration: motion.duration, label: motion.label, easing: motion.easing, key: motion.key)
            return motion.printsJSON ? state.json : ""
        case .add(let id, let number, let motion):
            let state = try await client.ticker(id).add(
                number, duration: motion.duration, label: motion.label, easing: motion.easing, key: motion.key)
            return motion.printsJSON ? state.json : ""
        case .progress(let id, let number, let total, let motion):
            let state = try await client.progress(id).set(
                number, of: total.map { .known($0) }, duration: motion.duration, label: motion.label,
                easing: motion.easing, key: motion.key)
            return motion.printsJSON ? state.json : ""
        case .notify(let name, let json, let key):
            try await client.notify(name, json: json, key: key)
            return ""
        case .get(let name, let printsJSON):
            let state = try await name.state(client)
            return printsJSON ? state.json : TerminalText(state.text).text
        case .list(let prefix):
            var lines = ""
            for kind in ClientName.allKinds {
                for state in try await client.list(kind, prefix: prefix) {
                    lines += "\(kind.rawValue)\t\(state.id)\t\(TerminalText(state.text).text)\n"
                }
            }
            return lines
        }
    }
}

extension ClientName {
    /// Returns what it shows: of several kinds the first that there is.
    func state(_ client: Client) async throws(ClientError) -> ResourceState {
        for kind in kinds {
            do throws(ClientError) {
                switch kind {
                case .ticker: return try await client.ticker(id).state()
                case .progress: return try await client.progress(id).state()
                case .schedule: return try await client.schedule(id).state()
                }
            } catch {
                guard self.kind == nil, ClientExit(error) == .noResource else { throw error }
            }
        }
        throw .refused(ClientError.Problem(status: 404, detail: "there is no ticker, progress or schedule \(id)"))
    }
}
