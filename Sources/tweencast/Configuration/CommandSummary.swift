// The program's commands, for the help, the manual and shell completion.

/// A command, by the first word of the arguments.
enum Command: String, CaseIterable, Sendable {
    case serve, set, add, progress, notify, get, list, watch, pipe, exec
    case config, health, backup, restore, check, copy, token, completion, manual, version, help

    /// Its description, and that of its arguments.
    var summary: CommandSummary {
        switch self {
        case .serve: summary("[flags]", "run the server (the default command)")
        case .set: summary("ID NUMBER [flags]", "move a ticker to a number")
        case .add: summary("ID NUMBER [flags]", "add to a ticker")
        case .progress: summary("ID NUMBER[/TOTAL] [flags]", "move a progress")
        case .notify: summary("NAME [TEXT] [flags]", "publish a notification")
        case .get: summary("ID [flags]", "print what a ticker, progress or schedule shows")
        case .list: summary("[PREFIX] [flags]", "print all tickers, progress views and schedules")
        case .watch: summary("ID... [flags]", "show what they show, as it changes")
        case .pipe: summary("ID [--total N] [flags]", "pass standard input on, and show its lines as a progress")
        case .exec: summary("ID [flags] -- COMMAND...", "run a command, and show its time as a progress")
        case .config:
            summary("[flags]", "print the effective settings and where each was set, as a file for --config")
        case .health: summary("[flags]", "exit 0 when the server on --host and --port is healthy")
        case .backup: summary("FILE [--data FOLDER]", "copy the store into a new file; the server may run")
        case .restore: summary("FILE [--data FOLDER]", "restore a copy into a folder without a store")
        case .check: summary("[FILE] [--data FOLDER]", "verify a copy, or the store; the server may run")
        case .copy:
            summary(
                "--from URL --to URL",
                "copy a board to an empty store; both URLs as for --store;\nstop its servers first")
        case .token:
            summary(
                "[--name TEXT] [--publish TOPICS] [--subscribe TOPICS] [--admin] [--for SECONDS] [--into FILE]",
                "print a new token, and add its entry to the file of tokens of --into;\n"
                    + "without --into print a JWT signed with a key of --auth, or without\na key a token and its entry")
        case .completion: summary("SHELL", "print completions for bash, zsh or fish")
        case .manual: summary("", "print the manual page, for man -l -")
        case .version: summary("", "print the program's version")
        case .help: summary("", "print this")
        }
    }

    private func summary(_ arguments: String, _ help: String) -> CommandSummary {
        CommandSummary(name: rawValue, arguments: arguments, help: help)
    }
}

/// A command and its description.
struct CommandSummary: Sendable {
    let name: String
    /// Its arguments in usage syntax.
    let arguments: String
    /// One line or more.
    let help: String

    static let all = Command.allCases.map(\.summary)

    private static let column = 28

    /// The command's lines in the help.
    var helpLines: String {
        let head = ["tweencast", name, arguments].filter { !$0.isEmpty }.joined(separator: " ")
        let indent = "\n" + String(repeating: " ", count: Self.column)
        let text = help.split(separator: "\n").joined(separator: indent)
        guard head.count < Self.column - 1 else { return head + indent + text }
        return head + String(repeating: " ", count: Self.column - head.count) + text
    }
}
