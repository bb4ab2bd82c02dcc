// The commands that ask a server, and their flags: the tables of their help, the manual and completion.

import TweencastClient

/// A command of a client.
enum ClientCommand: String, CaseIterable, Sendable {
    case set, add, progress, notify, get, list, watch, pipe, exec

    /// Its flags, in the order of the help.
    var flags: [ClientFlag] {
        switch self {
        case .set, .add, .progress: [.duration, .label, .easing, .json, .key] + Self.common
        case .notify: [.json, .key] + Self.common
        case .get: [.json] + Self.common
        case .list: Self.common
        case .watch: [.untilDone, .file, .fps, .server, .help]
        case .pipe: [.total, .bytes, .label] + Self.common
        case .exec: [.label] + Self.common
        }
    }

    /// Whether it follows work of this machine, which the server must not hold up.
    var isWork: Bool {
        switch self {
        case .pipe, .exec: true
        case .set, .add, .progress, .notify, .get, .list, .watch: false
        }
    }

    /// What it changes; of those that change nothing, any.
    var kind: Topic.Kind {
        switch self {
        case .set, .add, .get, .list, .watch: .ticker
        case .progress, .pipe, .exec: .progress
        case .notify: .notification
        }
    }

    private static let common: [ClientFlag] = [.server, .timeout, .help]

    /// How many words besides flags it takes.
    var operands: ClosedRange<Int> {
        switch self {
        case .set, .add, .progress: 2...2
        case .notify: 1...2
        case .get, .pipe: 1...1
        case .list: 0...1
        case .watch: 1...Self.mostNames
        case .exec: 2...Int.max
        }
    }

    /// The most names that one stream is asked for.
    private static let mostNames = 100

    /// Its first line of help.
    var usage: String { "tweencast \(rawValue) \(Command(rawValue: rawValue)?.summary.arguments ?? "")" }

    /// The output of `tweencast set --help`.
    var help: String {
        let lines = flags.map { "  " + $0.head.padded(to: Self.column) + $0.help(for: self) }
        return """
            \(usage)
            \(Command(rawValue: rawValue)?.summary.help ?? "")

            \(lines.joined(separator: "\n"))

            The environment has the server's address in TWEENCAST_URL and a token in TWEENCAST_TOKEN. SSL_CERT_FILE names the
            certificate authorities of an https server, if they aren't the machine's.
            Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no such resource, 4 no answer in time.
            """
    }

    private static let column = 20
}

/// A flag of a client's commands.
enum ClientFlag: String, CaseIterable, Sendable {
    case duration, label, easing, json, key, total, bytes
    case untilDone = "until-done"
    case file, fps, server, timeout, help

    /// Its argument's name in the help; nil for a switch.
    var argument: String? {
        switch self {
        case .duration, .timeout: "SECONDS"
        case .label: "TEXT"
        case .easing: "NAME"
        case .key: "KEY"
        case .total, .fps: "N"
        case .file: "FILE"
        case .server: "URL"
        case .json, .bytes, .untilDone, .help: nil
        }
    }

    /// `--duration SECONDS`
    var head: String { "--\(rawValue)" + (argument.map { " \($0)" } ?? "") }

    /// Its meaning.
    func help(for command: ClientCommand) -> String {
        switch self {
        case .duration: "the time of the way (default the server's)"
        case .label: "the text around the number: '$0.00', '{percent}%'"
        case .easing: "the curve of the way: ease-out"
        case .json: command == .notify ? "TEXT is JSON, and sent as it is" : "print the server's answer"
        case .key: "carry it out once, however often it is sent with this key (default $TWEENCAST_KEY)"
        case .total: "how many are expected"
        case .bytes: "count bytes in place of lines"
        case .untilDone: "exit when all are done: 0, or 1 if one was cancelled or removed"
        case .file: "replace this file with what they show, a line each, and print nothing"
        case .fps: "frames a second (default 30 on a terminal, 10 into a file, 1 elsewhere)"
        case .server: "the server (default $TWEENCAST_URL, or \(ClientSettings.usualServer))"
        case .timeout:
            "how long to retry while there is no answer (default \(ClientSettings.usualTimeout(of: command)))"
        case .help: "print this"
        }
    }
}

extension String {
    /// Returns the text with spaces behind it, up to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
