// How a ticker's number is shown: the text around it and its format.

package import Labels

/// A ticker's label and the format of its number.
package struct TickerFace: Hashable, Sendable {
    /// The text around the number, as a client gave it.
    package enum Text: Hashable, Sendable {
        /// A text with a number, and which of its numbers moves (0 is the first); or a plural message.
        case label(String, index: Int)
        /// What stands before and after the number: nothing is looked for in it.
        case parts(prefix: String, suffix: String)
    }

    package let text: Text
    package let format: NumberFormat?
    /// Digits after the point that the client fixed; nil infers them from the target.
    package let decimals: Int?
    /// The label cut around its number, with the plan in force.
    package private(set) var plain: TickerLabel
    /// The same with its static parts escaped for JSON, so that a frame only appends bytes.
    package private(set) var escaped: TickerLabel

    /// - Parameter text: A plural message such as `{n, plural, one {# coin} other {# coins}}` is in the language of the
    ///   format's locale.
    /// - Throws: `CommandError.invalid` naming `label` or `index`.
    package init(text: Text, format: NumberFormat?, decimals: Int?) throws(CommandError) {
        self.text = text
        self.format = format
        self.decimals = decimals
        plain = try Self.cut(text, language: format?.locale ?? "en")
        escaped = plain.escapedForJSON()
    }

    private static func cut(_ text: Text, language: String) throws(CommandError) -> TickerLabel {
        switch text {
        case .parts(let prefix, let suffix):
            return TickerLabel(prefix: prefix, suffix: suffix)
        case .label(let label, _) where TickerLabel.isMessage(label):
            do throws(LabelError) {
                return try TickerLabel(message: label, language: language)
            } catch {
                throw .invalid(field: "label", reason: "\(error)")
            }
        case .label(let label, let index):
            let plain = TickerLabel(label, index: index)
            guard index == 0 || plain.number != nil else {
                let count = TickerLabel.numberCount(in: label)
                throw .invalid(field: "index", reason: "the label has \(count) numbers; 0 is the first")
            }
            return plain
        }
    }

    /// Takes the plan of the motion that starts: digits fixed by the client, else those of its target.
    mutating func adopt(inferredDecimals: Int, planner: any Planner) throws(CommandError) {
        var plan: NumberPlan
        if let format {
            plan = try planner.plan(for: format, decimals: decimals ?? format.decimals(inferredFrom: inferredDecimals))
        } else {
            let digits = decimals ?? inferredDecimals
            plan = plain.isGrouped ? .grouped(decimals: digits) : .plain(decimals: digits)
        }
        plain.plan = plan
        escaped.plan = plan.escapedForJSON()
    }
}
