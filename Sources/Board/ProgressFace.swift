// How a progress is shown: its template, its maximum, the format of its numbers, and its looks.

package import Labels

/// A progress' template, maximum and looks.
package struct ProgressFace: Hashable, Sendable {
    package static let defaultLabel = "{percent}%"

    /// The template as given.
    package let label: String
    package let maximum: TrackUpdate.Maximum
    package let format: NumberFormat?
    /// Digits after the point that the client fixed; nil infers them from the target.
    package let decimals: Int?
    /// JSON handed to viewers as it is.
    package let appearance: [UInt8]?
    /// The text changes with time alone, so that it needs frames while nothing moves.
    package let followsTime: Bool
    /// The text shows how fast it goes, or how long it will take.
    package let showsPace: Bool
    package private(set) var plain: ProgressLabel
    package private(set) var escaped: ProgressLabel

    /// - Throws: `CommandError.invalid` naming `label`.
    package init(
        label: String, maximum: TrackUpdate.Maximum, format: NumberFormat? = nil, decimals: Int? = nil,
        appearance: [UInt8]?
    ) throws(CommandError) {
        self.label = label
        self.maximum = maximum
        self.format = format
        self.decimals = decimals
        self.appearance = appearance
        do {
            plain = try ProgressLabel(parsing: label)
        } catch {
            throw .invalid(field: "label", reason: "\(error)")
        }
        followsTime = plain.followsTime
        showsPace = plain.contains(.rate) || plain.contains(.eta)
        escaped = plain.escapedForJSON()
    }

    /// Takes the plans of the motion that starts: digits fixed by the client, else those of its target and, for the
    /// maximum, its own.
    mutating func adopt(inferredDecimals: Int, planner: any Planner) throws(CommandError) {
        var own = 0
        if case .value(let maximum) = maximum { own = maximum.scale }
        plain.plan = try plan(decimals: inferredDecimals, planner)
        plain.maximumPlan = try plan(decimals: own, planner)
        escaped = plain.escapedForJSON()
    }

    private func plan(decimals inferred: Int, _ planner: any Planner) throws(CommandError) -> NumberPlan {
        guard let format else { return .plain(decimals: decimals ?? inferred) }
        return try planner.plan(for: format, decimals: decimals ?? format.decimals(inferredFrom: inferred))
    }
}
