// The output of `--help` and `tweencast config`: the flags in groups, and the effective settings.

import Base

extension Flag {
    /// Related flags.
    struct Group: Sendable {
        let title: String
        let flags: [Flag]
    }

    private static let column = 25

    /// The output of `--help`.
    static var text: String {
        let groups = groups.map { group in "\(group.title):\n" + group.flags.map(\.helpLines).joined(separator: "\n") }
        return """
            \(CommandSummary.all.map(\.helpLines).joined(separator: "\n"))

            The commands set to exec ask a server; tweencast set --help has their flags. A server has these:

            \(groups.joined(separator: "\n\n"))

            Every flag can be given as an environment variable, TWEENCAST_TICK_RATE=30, and as a line of the file of
            --config, tick-rate = 30. The command line wins over the environment, and that over the file.
            """
    }

    private var helpLines: String {
        let head = "  --\(name)\(argument.map { " " + $0 } ?? "") "
        let indent = String(repeating: " ", count: Self.column)
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n" + indent)
        return head + String(repeating: " ", count: max(0, Self.column - head.count)) + lines
    }

    /// Its meaning, without the default.
    var summary: String {
        guard help.hasSuffix(")"), let start = help.lastIndex(of: "(") else { return help }
        return help[..<start].trimmingPrefix(" ").split(separator: "\n").joined(separator: " ")
    }

    // MARK: - Effective settings

    /// Returns the output of `tweencast config`: a file with the same settings and their origins, without secrets.
    static func listing(of settings: Settings) -> String {
        let values = settings.values
        return groups.map { group in
            "# \(group.title)\n"
                + group.flags.map { $0.listing(of: values[$0.name] ?? []) }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private func listing(of values: [Setting]) -> String {
        guard let last = values.last else { return "# \(name): \(standard)" }
        let origin = "  # \(last.value.origin)"
        guard argument != nil else { return "\(canStandInFile ? "" : "# ")\(name) = \(!last.isOff)\(origin)" }
        guard !isSecret else { return "# \(name): set, not shown\(origin)" }
        guard canStandInFile else { return "# \(name): \(last.value.shown)\(origin)" }
        let texts = values.map { Self.quoted($0.value.shown) }
        return "\(name) = \(texts.count > 1 ? "[\(texts.joined(separator: ", "))]" : texts[0])\(origin)"
    }

    /// Its default: the parentheses at the end of the help.
    private var standard: String {
        guard argument != nil else { return "false" }
        guard help.hasSuffix(")"), let start = help.lastIndex(of: "(") else { return "not set" }
        let text = help[help.index(after: start)...].dropLast().split(separator: "\n").joined(separator: " ")
        return String(text.trimmingPrefix(#/default:? /#))
    }

    private static func quoted(_ text: String) -> String {
        if Int(text) != nil { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    // MARK: - Unknown names

    /// Returns a similar flag's name, for the end of an error.
    static func hint(for name: String) -> String {
        NearestName.hint(for: name, among: all.map(\.name))
    }
}
