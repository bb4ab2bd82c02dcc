// The program's commands, for the help, the manual and shell completion.

/// A command and its description.
struct CommandSummary: Sendable {
    let name: String
    /// Its arguments in usage syntax.
    let arguments: String
    /// One line or more.
    let help: String

    static let all = [
        CommandSummary(name: "serve", arguments: "[flags]", help: "run the server (the default command)"),
        CommandSummary(
            name: "config", arguments: "[flags]",
            help: "print the effective settings and where each was set, as a file for --config"),
        CommandSummary(
            name: "health", arguments: "[flags]",
            help: "exit 0 when the server on --host and --port is healthy"),
        CommandSummary(
            name: "backup", arguments: "FILE [--data FOLDER]",
            help: "copy the store into a new file; the server may run"),
        CommandSummary(
            name: "restore", arguments: "FILE [--data FOLDER]", help: "restore a copy into a folder without a store"),
        CommandSummary(
            name: "check", arguments: "[FILE] [--data FOLDER]",
            help: "verify a copy, or the store; the server may run"),
        CommandSummary(
            name: "copy", arguments: "--from URL --to URL",
            help: "copy a board to an empty store; both URLs as for --store;\nstop its servers first"),
        CommandSummary(
            name: "token",
            arguments: "[--name TEXT] [--publish TOPICS] [--subscribe TOPICS] [--admin] [--for SECONDS] [--into FILE]",
            help: "print a new token, and add its entry to the file of tokens of --into;\n"
                + "without --into print a JWT signed with a key of --auth, or without\n"
                + "a key a token and its entry"),
        CommandSummary(
            name: "completion", arguments: "SHELL", help: "print completions for bash, zsh or fish"),
        CommandSummary(name: "manual", arguments: "", help: "print the manual page, for man -l -"),
        CommandSummary(name: "version", arguments: "", help: "print the program's version"),
    ]

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
