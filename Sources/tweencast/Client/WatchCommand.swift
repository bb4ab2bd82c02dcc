// `tweencast watch`: shows what resources show, on a terminal, in a pipe or in a file.

import Base
import Glibc
import OperatingSystem
import Synchronization
import TweencastClient
import Wire

/// What is watched, and where it is shown.
struct WatchRequest: Sendable {
    let names: [ClientName]
    let endsWhenDone: Bool
    /// The file that has the texts; nil for standard output.
    let file: String?
    let framesPerSecond: Double?

    init(_ arguments: ClientArguments) throws(ClientUsage) {
        var names: [ClientName] = []
        for word in arguments.operands { names.append(try ClientName(word, takesPatterns: true)) }
        self.names = names
        endsWhenDone = arguments.has(.untilDone)
        file = arguments[.file]
        framesPerSecond = try arguments.number(.fps, 0.1...1_000)
    }
}

/// Where the frames go.
protocol WatchOutput: Sendable {
    /// Frames a second unless the user says otherwise.
    var usualRate: Double { get }

    /// Shows what has come.
    /// - Returns: false if it can't be shown.
    func receive(_ item: StreamItem) -> Bool
}

/// A line for each frame, its id and its text, with a tab between them.
struct WatchLines: WatchOutput {
    let usualRate = 1.0

    func receive(_ item: StreamItem) -> Bool {
        switch item {
        case .frame(let frame):
            ClientProgram.print("\(frame.topic.name)\t\(TerminalText(frame.text).text)\n") == .done
        case .connected, .event, .disconnected: true
        }
    }
}

/// The lines of a file: the text that came last for each name, empty where there is none.
struct WatchFileLines: Sendable {
    private let names: [ClientName]
    private var frames: [ResourceFrame?]

    init(_ names: [ClientName]) {
        self.names = names
        frames = names.map { _ in nil }
    }

    /// - Returns: The file's text; nil if nothing changes.
    mutating func receive(_ item: StreamItem) -> String? {
        switch item {
        case .frame(let frame):
            guard let index = names.firstIndex(where: { $0.matches(frame.topic) }) else { return nil }
            frames[index] = frame
        case .event(let event) where event.name == "removed":
            // A name may stand for several, of which another may be the one that is shown.
            guard let index = frames.firstIndex(where: { $0 != nil && $0?.topic == event.topic }) else { return nil }
            frames[index] = nil
        case .event(let event) where event.name == "reset":
            guard frames.contains(where: { $0 != nil }) else { return nil }
            frames = names.map { _ in nil }
        case .connected, .event, .disconnected: return nil
        }
        return frames.map { ($0.map { TerminalText($0.text).text } ?? "") + "\n" }.joined()
    }
}

/// A file with a line for each name, its text, replaced at each change: who reads it sees whole texts.
final class WatchFile: WatchOutput {
    let usualRate = 10.0

    private let path: String
    private let lines: Mutex<WatchFileLines>

    init(_ path: String, _ names: [ClientName]) {
        self.path = path
        lines = Mutex(WatchFileLines(names))
    }

    func receive(_ item: StreamItem) -> Bool {
        guard let lines = lines.withLock({ $0.receive(item) }) else { return true }
        do throws(FileReplacement.Failure) {
            try FileReplacement(of: path).write(Array(lines.utf8), isDurable: false)
            return true
        } catch {
            ClientProgram.complain("\(path): \(error)")
            return false
        }
    }
}

/// Rows on a terminal.
final class WatchTerminal: WatchOutput {
    let usualRate = 30.0

    private let server: String
    private let screen: Mutex<TerminalScreen>

    /// The most rows that are kept, since the terminal may become larger.
    private static let mostRows = 1_000

    /// - Parameter names: A row each, but for patterns, whose rows come with what they match.
    init(_ names: [ClientName], server: String, _ layout: TerminalLayout) {
        self.server = server
        let ids = names.filter { !$0.isPattern }.map(\.id)
        screen = Mutex(TerminalScreen(layout, names: ids, mostRows: Self.mostRows))
    }

    func receive(_ item: StreamItem) -> Bool {
        change { screen in
            switch item {
            case .connected: screen.status = nil
            case .frame(let frame): screen.show(TerminalFrame(frame))
            case .event(let event) where event.name == "removed":
                if let topic = event.topic { screen.remove(TerminalFrame.name(of: topic)) }
            case .event(let event) where event.name == "reset": screen.reset()
            case .event: break
            case .disconnected(let reason): screen.status = "no connection to \(server) (\(reason)), trying again"
            }
        }
    }

    /// Draws again for a terminal of another size.
    func resize() { _ = change { _ in } }

    /// Draws below what others have written while the process was stopped.
    func redraw() { _ = change { $0.forget() } }

    private func change(_ change: (inout TerminalScreen) -> Void) -> Bool {
        screen.withLock { screen in
            change(&screen)
            guard let size = TerminalSize(of: 1) else { return true }
            screen.resize(width: size.columns, height: size.rows)
            return OutputDescriptor(1).writeAll(screen.draw(), isPatient: true)
        }
    }
}

extension WatchRequest {
    /// Shows frames until the command ends. Signals of the terminal come on the main thread, this one.
    func run(_ client: Client, server: String) -> Never {
        let hasRows = file == nil && isatty(1) == 1 && Self.variable("TERM") != "dumb"
        let terminal = hasRows ? WatchTerminal(names, server: server, Self.layout) : nil
        let output: any WatchOutput = terminal ?? file.map { WatchFile($0, names) } ?? WatchLines()
        // The terminal has a row for it.
        let outage = terminal == nil ? WatchOutage(server: server) : nil
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGWINCH, SIGCONT] { unsafe sigaddset(&signals, signal) }
        // Before other threads begin, which inherit the mask.
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        terminal?.resize()
        Task { ClientProgram.end(await watch(client, output, outage)) }
        if terminal == nil, file == nil {
            // Nothing may change for hours, so a write would find out too late that the reader has gone.
            OutputDescriptor(1).waitUntilUnread()
            raise(SIGPIPE)
            ClientProgram.end(.failed)
        }
        while true {
            switch unsafe sigwaitinfo(&signals, nil) {
            case SIGCONT: terminal?.redraw()
            case SIGWINCH: terminal?.resize()
            default: break
            }
        }
    }

    private func watch(
        _ client: Client, _ output: any WatchOutput, _ outage: WatchOutage?
    ) async -> ClientExit {
        var outage = outage
        var options = StreamOptions()
        options.framesPerSecond = framesPerSecond ?? output.usualRate
        var goals = WatchGoals(names)
        do throws(ClientError) {
            var items = client.items(of: names.flatMap(\.topics), options).makeAsyncIterator()
            while let item = try await items.next() {
                if let complaint = outage?.receive(item) { ClientProgram.complain(complaint) }
                guard output.receive(item) else { return .failed }
                if let end = goals.receive(item), endsWhenDone { return end }
            }
            return .failed
        } catch {
            ClientProgram.complain(error.description)
            return ClientExit(error)
        }
    }

    /// Returns a variable of the environment; nil where it is empty or missing.
    private static func variable(_ name: String) -> String? {
        guard let text = unsafe getenv(name).map({ unsafe String(cString: $0) }), !text.isEmpty else { return nil }
        return text
    }

    private static var layout: TerminalLayout {
        let locale = (variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? "").lowercased()
        var layout = TerminalLayout()
        layout.hasColor = variable("NO_COLOR") == nil
        layout.isUnicode = locale.contains("utf-8") || locale.contains("utf8")
        return layout
    }
}

extension TerminalFrame {
    fileprivate convenience init(_ frame: ResourceFrame) {
        self.init(
            topic: Self.name(of: frame.topic), name: TerminalText(frame.topic.name), text: frame.text,
            fraction: frame.fraction)
    }

    fileprivate static func name(of topic: Topic) -> String { "\(topic.kind.rawValue):\(topic.name)" }
}
