// `tweencast manual`: prints the manual page, from the same tables as the help (man(7), groff_man(7)).

import TweencastService

/// The manual page.
enum Manual {
    /// Its source, for `man`.
    static var page: String {
        let commands = CommandSummary.all.map { command in
            ".TP\n.B \(escaped([command.name, command.arguments].filter { !$0.isEmpty }.joined(separator: " ")))\n"
                + "\(sentence(command.help))"
        }
        let clients = ClientFlag.allCases.map { flag in
            let commands = ClientCommand.allCases.filter { $0.flags.contains(flag) }
            let place =
                commands.count == ClientCommand.allCases.count
                ? "" : " (\(commands.map(\.rawValue).joined(separator: ", ")))"
            return ".TP\n\\fB\\-\\-\(escaped(flag.rawValue))\\fR\(flag.argument.map { " \\fI\($0)\\fR" } ?? "")\n"
                + sentence((commands.first.map { flag.help(for: $0) } ?? "") + place)
        }
        let flags = Flag.groups.map { group in
            ".SS \"\(escaped(group.title))\"\n" + group.flags.map(item).joined(separator: "\n")
        }
        return """
            .TH TWEENCAST 1 "" "tweencast \(ServiceConfiguration.version)" "User Commands"
            .SH NAME
            tweencast \\- turns sparse updates into smooth motion, as event streams
            .SH SYNOPSIS
            .B tweencast
            .RI [ command ]
            .RI [ flags ]
            .SH DESCRIPTION
            Services post where a number should go. The server animates it there at a fixed rate and streams every frame as
            Server\\-Sent Events, over HTTP. What was acknowledged is kept, and goes on after a restart where it would be.
            .SH COMMANDS
            \(commands.joined(separator: "\n"))
            .SH CLIENT OPTIONS
            Of the commands that ask a server.
            \(clients.joined(separator: "\n"))
            .SH OPTIONS
            Of the server, and of the commands that concern its settings and its store.
            \(flags.joined(separator: "\n"))
            .SH ENVIRONMENT
            .B TWEENCAST_URL
            is the server that the client's commands ask,
            .B TWEENCAST_TOKEN
            the token that it asks for.
            .B SSL_CERT_FILE
            names a file of certificate authorities, in place of the machine's: for the https server that they ask, and for
            receivers of webhooks.
            Every flag of the server can be given by a variable:
            .B TWEENCAST_TICK_RATE=30
            stands for
            .BR "\\-\\-tick\\-rate 30" .
            The command line wins over the environment, and that over the file of
            .BR \\-\\-config .
            .SH FILES
            .TP
            .I /etc/tweencast/tweencast.toml
            The settings of the packaged service: a flag's name, = and its value a line.
            .TP
            .I /var/lib/tweencast
            Its store.
            .SH SIGNALS
            .TP
            .BR SIGTERM ", " SIGINT
            Shuts down: answers 503 at /readyz for the time of
            .BR \\-\\-lame\\-duck ,
            ends streams, commits what waits, and exits. A second one exits at once.
            .TP
            .B SIGHUP
            Reloads settings, tokens and certificates, and reopens the audit file.
            .TP
            .B SIGUSR2
            Starts the program again on the same socket, and hands over to it.
            .SH EXIT STATUS
            .TP
            .B 0
            Success.
            .TP
            .B 1
            The server can't be run, or what was asked for can't be done.
            .TP
            .B 2
            A setting or an argument is wrong; it is named.
            .TP
            .B 3
            A client's command: there is no such resource.
            .TP
            .B 4
            A client's command: no answer came in time. The same command may succeed later.
            .SH EXAMPLES
            .nf
            tweencast \\-\\-port 8080 \\-\\-data /var/lib/tweencast
            tweencast set revenue 1250 \\-\\-duration 3
            curl localhost:8080/v1/tickers/revenue \\-d '{"to": 1250, "duration": 3}'
            curl \\-N localhost:8080/v1/tickers/revenue/events
            .fi
            """
    }

    private static func item(_ flag: Flag) -> String {
        let argument = flag.argument.map { " \\fI\($0)\\fR" } ?? ""
        return ".TP\n\\fB\\-\\-\(escaped(flag.name))\\fR\(argument)\n\(sentence(flag.help))"
    }

    /// Returns a help text's lines as one paragraph.
    private static func sentence(_ text: String) -> String {
        let line = escaped(text.split(separator: "\n").joined(separator: " "))
        // A line that begins like this would be a formatter's request.
        return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "\\" ? "\\e" : $1 == "-" ? "\\-" : String($1) }
    }
}
