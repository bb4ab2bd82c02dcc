// What a client's command asks for: its words as values.

import TweencastClient

/// A command with its arguments.
enum ClientRequest: Sendable {
    /// How an update is carried out.
    struct Motion: Sendable {
        var duration: Duration?
        var label: String?
        var easing: String?
        var key: String?
        /// Whether the answer is printed.
        var printsJSON = false
    }

    case set(String, Amount, Motion)
    case add(String, Amount, Motion)
    case progress(String, Amount, total: Amount?, Motion)
    /// - Parameter json: The data; nil for none.
    case notify(String, json: String?, key: String?)
    case get(ClientName, printsJSON: Bool)
    case list(prefix: String)

    /// - Parameters:
    ///   - arguments: Not those of `--help`.
    ///   - settings: The environment's.
    /// - Returns: nil for a command that is more than one request.
    init?(_ arguments: ClientArguments, _ settings: ClientSettings) throws(ClientUsage) {
        let key = arguments[.key] ?? settings.key
        if let key, !RetryKey.isValid(key) { throw ClientUsage(message: "--key: \(RetryKey.refusal)") }
        var motion = Motion(
            label: arguments[.label], easing: arguments[.easing], key: key, printsJSON: arguments.has(.json))
        motion.duration = try arguments.seconds(.duration)
        let words = arguments.operands
        switch arguments.command {
        case .set: self = .set(try arguments.id(), try ClientArguments.amount(words[1]), motion)
        case .add: self = .add(try arguments.id(), try ClientArguments.amount(words[1]), motion)
        case .progress:
            let parts = words[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let total = parts.count == 2 ? try ClientArguments.amount(parts[1]) : nil
            self = .progress(try arguments.id(), try ClientArguments.amount(parts[0]), total: total, motion)
        case .notify:
            let text = words.count == 2 ? words[1] : nil
            self = .notify(
                try arguments.id(), json: arguments.has(.json) ? text : text.map(Self.quoted), key: key)
        case .get: self = .get(try ClientName(words[0]), printsJSON: arguments.has(.json))
        case .list:
            // No id has an asterisk: `room-*` is what a prefix looks like for `watch`.
            let prefix = words.first ?? ""
            self = .list(prefix: prefix.hasSuffix("*") ? String(prefix.dropLast()) : prefix)
        case .watch, .pipe, .exec: return nil
        }
    }

    /// Returns a text as JSON (RFC 8259, 7).
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
