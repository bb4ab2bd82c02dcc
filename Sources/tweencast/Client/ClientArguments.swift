// The words of a client's command: flags and operands, checked without asking anyone.

import TweencastClient

/// Why the words can't be used.
struct ClientUsage: Error, Hashable {
    let message: String
}

/// What the environment says.
struct ClientSettings: Sendable {
    static let usualServer = "http://localhost:8080"

    /// Seconds that a command retries unless the user says otherwise.
    static func usualTimeout(of command: ClientCommand) -> Int { command.isWork ? 3 : 10 }

    var server = usualServer
    var token: String?
    var key: String?

    /// - Parameter variable: Returns a variable's value; nil or empty where there is none.
    init(_ variable: (String) -> String?) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        server = value("TWEENCAST_URL") ?? Self.usualServer
        token = value("TWEENCAST_TOKEN")
        key = value("TWEENCAST_KEY")
    }
}

/// The words behind a command.
struct ClientArguments: Sendable {
    let command: ClientCommand
    private(set) var operands: [String] = []
    /// How many operands came before `--`, behind which all words are operands; nil without it.
    private(set) var separator: Int?
    private var values: [ClientFlag: String] = [:]

    /// - Parameter words: Those behind the command.
    init(_ command: ClientCommand, _ words: [String]) throws(ClientUsage) {
        self.command = command
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word != "--" else {
                separator = operands.count
                operands += rest
                break
            }
            guard Self.isFlag(word) else {
                operands.append(word)
                continue
            }
            try read(word, &rest)
        }
        guard !has(.help) else { return }
        guard command.operands.contains(operands.count) else { throw ClientUsage(message: "usage: \(command.usage)") }
    }

    /// Returns whether a word is a flag, and not a negative number, with a total behind it or not.
    private static func isFlag(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && Amount(String(word.prefix { $0 != "/" })) == nil
    }

    private mutating func read(_ word: String, _ rest: inout ArraySlice<String>) throws(ClientUsage) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = word == "-h" ? "help" : String(parts[0].drop { $0 == "-" })
        guard let flag = ClientFlag(rawValue: name), command.flags.contains(flag) else {
            if command == .watch, name == ClientFlag.timeout.rawValue {
                throw ClientUsage(message: "watch has no --timeout: it tries again until it is ended")
            }
            throw ClientUsage(message: "unknown argument \(parts[0])")
        }
        guard flag.argument != nil else {
            guard parts.count == 1 else { throw ClientUsage(message: "--\(name) takes no value") }
            values[flag] = ""
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw ClientUsage(message: "--\(name) needs a value")
        }
        values[flag] = value
    }

    // MARK: - Values

    func has(_ flag: ClientFlag) -> Bool { values[flag] != nil }

    subscript(_ flag: ClientFlag) -> String? { values[flag] }

    /// A flag's seconds, up to 365 days.
    func seconds(_ flag: ClientFlag) throws(ClientUsage) -> Duration? {
        guard let text = values[flag] else { return nil }
        guard let seconds = Double(text), (0...31_536_000).contains(seconds) else {
            throw ClientUsage(message: "--\(flag.rawValue): must be seconds from 0 to 31536000, not \(text)")
        }
        return .seconds(seconds)
    }

    /// A flag's number in a range.
    func number(_ flag: ClientFlag, _ range: ClosedRange<Double>) throws(ClientUsage) -> Double? {
        guard let text = values[flag] else { return nil }
        guard let number = Double(text), range.contains(number) else {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw ClientUsage(message: "--\(flag.rawValue): must be a number \(bounds), not \(text)")
        }
        return number
    }

    static func amount(_ text: some StringProtocol) throws(ClientUsage) -> Amount {
        guard let amount = Amount(String(text)) else {
            throw ClientUsage(message: "\(text) is no number, such as 250 or -12.50")
        }
        return amount
    }

    /// Returns the id of what the command changes, or the name of its notification: `revenue` or, as `get` has it,
    /// `ticker:revenue`.
    func id() throws(ClientUsage) -> String {
        let text = operands.first ?? ""
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // Any other colon is one of the id.
        let kind = parts.count == 2 ? Topic.Kind(rawValue: String(parts[0])) : nil
        guard let kind else {
            guard ResourceName.isValid(text) else { throw ClientName.refusal(text) }
            return text
        }
        guard kind == command.kind else {
            throw ClientUsage(
                message: "\(text) is a \(kind.rawValue), and \(command.rawValue) changes a \(command.kind.rawValue)")
        }
        guard ResourceName.isValid(parts[1]) else { throw ClientName.refusal(text) }
        return String(parts[1])
    }
}

/// A name of what is shown: an id of any kind, or of the kind before its colon.
struct ClientName: Hashable, Sendable {
    /// nil for any kind.
    let kind: ResourceKind?
    /// An id, or its beginning and a `*`.
    let id: String

    /// - Parameter text: `revenue`, `ticker:revenue` or, with `takesPatterns`, `room-*`.
    init(_ text: String, takesPatterns: Bool = false) throws(ClientUsage) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = parts.count == 2 ? ResourceKind(rawValue: String(parts[0])) : nil
        let id = kind == nil ? text : String(parts[1])
        guard takesPatterns ? ResourceName.isValidPattern(id) : ResourceName.isValid(id) else {
            throw Self.refusal(text)
        }
        (self.kind, self.id) = (kind, id)
    }

    static func refusal(_ text: String) -> ClientUsage { ClientUsage(message: ResourceName.refusal(text)) }

    var isPattern: Bool { id.hasSuffix("*") }

    /// The kinds that it may be of: for `get`, the first that there is.
    var kinds: [ResourceKind] { kind.map { [$0] } ?? Self.allKinds }

    /// All kinds, in the order in which they are listed.
    static let allKinds = ResourceKind.allCases

    /// What a stream is asked for.
    var topics: [Topic] {
        kinds.map { kind in
            switch kind {
            case .ticker: Topic(.ticker, id)
            case .progress: Topic(.progress, id)
            case .schedule: Topic(.schedule, id)
            }
        }
    }
}
