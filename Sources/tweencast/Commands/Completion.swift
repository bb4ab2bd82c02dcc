// `tweencast completion`: prints the completion scripts of shells.

/// A shell with completion.
enum Completion: String, CaseIterable, Hashable, Sendable {
    case bash, zsh, fish

    /// The completion script.
    var script: String {
        switch self {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The command that prints a script, and its arguments.
    private static let name = "completion"
    private static let shells = allCases.map(\.rawValue)
    private static let shellList = shells.joined(separator: " ")

    private static var commands: [String] { CommandSummary.all.map(\.name) }

    private var bash: String {
        func flags(taking argument: String) -> String {
            Flag.all.filter { $0.argument == argument }.map { "--\($0.name)" }.joined(separator: "|")
        }
        let choices = Flag.all.filter { !$0.words.isEmpty }.map { ("--\($0.name)", $0.words) }
        let lines = (choices + [(Self.name, Self.shells)]).map { what, words in
            """
                    \(what))
                        mapfile -t COMPREPLY < <(compgen -W "\(words.joined(separator: " "))" -- "$current") ;;

            """
        }
        let words = Self.commands + Flag.all.map { "--\($0.name)" }
        let clients = ClientCommand.allCases.map { command in
            """
                    \(command.rawValue))
                        mapfile -t COMPREPLY < <(compgen -W "\(Self.flags(of: command))" -- "$current")
                        return ;;

            """
        }
        return """
            # Completions of tweencast for bash.
            _tweencast() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                # --flag=value comes as three words.
                if [[ $current == = ]]; then
                    current=
                elif [[ $previous == = ]]; then
                    previous=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                [[ $COMP_CWORD -gt 1 ]] && case ${COMP_WORDS[1]} in
            \(clients.joined())\
                esac
                case $previous in
            \(lines.joined())\
                    \(flags(taking: "FILE"))|backup|restore|check)
                        mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
                    \(flags(taking: "FOLDER")))
                        mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
                    *)
                        mapfile -t COMPREPLY < <(compgen -W "\(words.joined(separator: " "))" -- "$current") ;;
                esac
            }
            complete -o filenames -F _tweencast tweencast
            """
    }

    private static func flags(of command: ClientCommand) -> String {
        command.flags.map { "--\($0.rawValue)" }.joined(separator: " ")
    }

    private var zsh: String {
        let commands = CommandSummary.all.map { "'\($0.name):\(Self.quoted($0.help))'" }
        let flags = Flag.all.map { flag in
            let head = "'--\(flag.name)\(flag.argument == nil ? "" : "=")[\(Self.quoted(flag.summary))]"
            return switch flag.argument {
            case nil: head + "'"
            case "FILE": head + ":FILE:_files'"
            case "FOLDER": head + ":FOLDER:_files -/'"
            case let argument? where !flag.words.isEmpty:
                head + ":\(argument):(\(flag.words.joined(separator: " ")))'"
            case let argument?: head + ":\(argument):'"
            }
        }
        let clients = ClientCommand.allCases.map { command in
            let flags = command.flags.map { flag in
                let value = flag.argument.map { "=[\(Self.quoted(flag.help(for: command)))]:\($0):" }
                let tail = flag.argument == "FILE" ? "_files" : ""
                return "'--\(flag.rawValue)\(value ?? "[\(Self.quoted(flag.help(for: command)))]")\(tail)'"
            }
            return "\(command.rawValue)) _arguments '*:: :_files' \(flags.joined(separator: " ")); return ;;"
        }
        return """
            #compdef tweencast
            # Completions of tweencast for zsh.
            local -a commands=(\(commands.joined(separator: "\n    ")))
            if ((CURRENT > 2)); then
                case $words[2] in
                    \(clients.joined(separator: "\n        "))
                esac
            fi
            _arguments \\
                '1: :{ _describe command commands }' \\
                '2: :{ [[ $words[2] == \(Self.name) ]] && compadd \(Self.shellList) || _files }' \\
                \(flags.joined(separator: " \\\n    "))
            """
    }

    private var fish: String {
        let commands = CommandSummary.all.map {
            "complete -c tweencast -n __fish_use_subcommand -f -a \($0.name) -d '\(Self.quoted($0.help))'"
        }
        // A server's flags, and those of each client's command behind it.
        let isNoClient =
            "'not __fish_seen_subcommand_from \(ClientCommand.allCases.map(\.rawValue).joined(separator: " "))'"
        let clients = ClientCommand.allCases.flatMap { command in
            command.flags.map { flag in
                let kind = flag.argument.map { $0 == "FILE" ? " -r" : " -x" } ?? ""
                return
                    "complete -c tweencast -n '__fish_seen_subcommand_from \(command.rawValue)' -l \(flag.rawValue)\(kind)"
                    + " -d '\(Self.quoted(flag.help(for: command)))'"
            }
        }
        let flags = Flag.all.map { flag in
            let kind = flag.argument == nil ? "" : flag.argument == "FILE" || flag.argument == "FOLDER" ? " -r" : " -x"
            let words = flag.words.isEmpty ? "" : " -a '\(flag.words.joined(separator: " "))'"
            return
                "complete -c tweencast -n \(isNoClient) -l \(flag.name)\(kind)\(words) -d '\(Self.quoted(flag.summary))'"
        }
        let shells =
            "complete -c tweencast -n '__fish_seen_subcommand_from \(Self.name)' -f -a '\(Self.shellList)'"
        return "# Completions of tweencast for fish.\n"
            + (commands + [shells] + clients + flags).joined(separator: "\n")
    }

    /// Returns a text in one line that is safe inside single quotes and brackets.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " ").filter { !"'[]:".contains($0) }
    }
}
