// How a track's number is shown: the text around a ticker's, the template and maximum of a progress.

package import Labels

/// What turns a track's value into text.
package enum Face: Hashable, Sendable {
    case ticker(TickerFace)
    case progress(ProgressFace)
}

/// A ticker's label and the format of its number.
package struct TickerFace: Hashable, Sendable {
    /// The label as given.
    package var label: String
    /// Which number of the label moves; 0 is the first.
    package var index: Int
    package var format: NumberFormat?
    /// Digits after the point that the client fixed; nil infers them from the target.
    package var decimals: Int?
    /// The label cut around its number, with the plan in force.
    package private(set) var plain: TickerLabel
    /// The same with its static parts escaped for JSON, so that a frame only appends bytes.
    package private(set) var escaped: TickerLabel

    package init(label: String, index: Int, format: NumberFormat?, decimals: Int?) {
        self.label = label
        self.index = index
        self.format = format
        self.decimals = decimals
        plain = TickerLabel(label, index: index)
        escaped = plain.escapedForJSON()
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

/// A progress' template, maximum and looks.
package struct ProgressFace: Hashable, Sendable {
    package static let defaultLabel = "{percent}%"
    /// The template as given.
    package var label: String
    package var maximum: TrackUpdate.Maximum
    /// JSON handed to viewers as it is.
    package var appearance: [UInt8]?
    package private(set) var plain: ProgressLabel
    package private(set) var escaped: ProgressLabel

    /// - Throws: `CommandError.invalid` naming `label`.
    package init(label: String, maximum: TrackUpdate.Maximum, appearance: [UInt8]?) throws(CommandError) {
        self.label = label
        self.maximum = maximum
        self.appearance = appearance
        do {
            plain = try ProgressLabel(parsing: label)
        } catch {
            throw .invalid(field: "label", reason: "\(error)")
        }
        escaped = plain.escapedForJSON()
    }
}
