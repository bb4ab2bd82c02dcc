// `tweencast completion`: what shells need to complete the program's commands and flags.

/// A shell that completes what is typed.
enum Completion: String, CaseIterable, Hashable, Sendable {
    case bash, zsh, fish

    /// The script that the shell reads.
    var script: String {
        switch self {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static var commands: [String] { CommandSummary.all.map(\.name) }

    private var bash: String {
        func flags(taking argument: String) -> String {
            Flag.all.filter { $0.argument == argument }.map { "--\($0.name)" }.joined(separator: "|")
        }
        let words = Self.commands + Flag.all.map { "--\($0.name)" }
        return """
            # Completions of tweencast for bash.
            _tweencast() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                case $previous in
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

    private var zsh: String {
        let commands = CommandSummary.all.map { "'\($0.name):\(Self.quoted($0.help))'" }
        let flags = Flag.all.map { flag in
            let head = "'--\(flag.name)[\(Self.quoted(flag.summary))]"
            return switch flag.argument {
            case nil: head + "'"
            case "FILE": head + ":FILE:_files'"
            case "FOLDER": head + ":FOLDER:_files -/'"
            case let argument?: head + ":\(argument):'"
            }
        }
        return """
            #compdef tweencast
            # Completions of tweencast for zsh.
            local -a commands=(\(commands.joined(separator: "\n    ")))
            _arguments \\
                '1: :{ _describe command commands }' \\
                '2:FILE:_files' \\
                \(flags.joined(separator: " \\\n    "))
            """
    }

    private var fish: String {
        let commands = CommandSummary.all.map {
            "complete -c tweencast -n __fish_use_subcommand -f -a \($0.name) -d '\(Self.quoted($0.help))'"
        }
        let flags = Flag.all.map { flag in
            let kind = flag.argument == nil ? "" : flag.argument == "FILE" || flag.argument == "FOLDER" ? " -r" : " -x"
            return "complete -c tweencast -l \(flag.name)\(kind) -d '\(Self.quoted(flag.summary))'"
        }
        return "# Completions of tweencast for fish.\n" + (commands + flags).joined(separator: "\n")
    }

    /// A text in one line, within single quotes and within brackets.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " ").filter { !"'[]:".contains($0) }
    }
}
