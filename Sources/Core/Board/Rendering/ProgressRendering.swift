// How a progress is shown: its template, its maximum, the format of its numbers, and its appearance.

package import Labels

/// A progress' template, maximum and appearance. An immutable class, so that a track is cheap to copy.
package final class ProgressRendering: Hashable, Sendable {
    package static let defaultLabel = "{percent}%"
    static let defaultMaximum = ExactDecimal(100)

    /// The style it was made from.
    package let style: ProgressStyle
    package var maximum: TrackUpdate.Maximum { style.maximum }
    package let format: NumberFormat?
    /// Decimals that the client set; nil infers them from the target.
    package let decimals: Int?
    /// The target's decimals with which the current plans were made.
    let inferredDecimals: Int
    /// Whether the text changes with time alone, so that it needs frames while nothing moves.
    package let followsTime: Bool
    /// Whether the text shows the rate or the remaining time.
    package let showsPace: Bool
    package let plain: ProgressLabel
    package let escaped: ProgressLabel
    /// The approximate size in bytes.
    let footprint: Int

    /// Creates a rendering with the plans for a motion whose target has this many decimals.
    /// - Throws: `CommandError.invalid` naming `label`, `indeterminate`, or what is wrong in `format`.
    convenience init(
        _ style: ProgressStyle, format: NumberFormat?, decimals: Int?, inferredDecimals: Int, planner: any Planner
    ) throws(CommandError) {
        let words = try format.map { format throws(CommandError) in try planner.words(in: format.locale) }
        var plain = try style.template(format, words ?? .english)
        plain.timeWords = words ?? .english
        plain.plan = try Self.plan(format, decimals, inferred: inferredDecimals, planner)
        var own = 0
        if case .value(let maximum) = style.maximum { own = maximum.scale }
        plain.maximumPlan = try Self.plan(format, decimals, inferred: own, planner)
        plain.percentStyle = try .style(of: format, decimals: decimals, planner)
        if let format { plain.leave(toFormat: format) }
        self.init(style, format: format, decimals: decimals, inferredDecimals: inferredDecimals, plain: plain)
    }

    private init(
        _ style: ProgressStyle, format: NumberFormat?, decimals: Int?, inferredDecimals: Int, plain: ProgressLabel
    ) {
        self.style = style
        self.format = format
        self.decimals = decimals
        self.inferredDecimals = inferredDecimals
        self.plain = plain
        escaped = plain.escapedForJSON()
        footprint =
            Self.size + Footprint.text(style.label) + (style.indeterminate.map(Footprint.text) ?? 0)
            + Footprint.block(style.appearance?.count ?? 0) + plain.byteCount + escaped.byteCount
            + (plain.percentStyle === PercentStyle.whole ? 0 : 2 * Self.percentSize)
        followsTime = plain.followsTime
        showsPace = plain.showsPace
    }

    /// Half of the finest step that its text and its bar show, in units of its number. A spring that is nearer to its end
    /// than that comes to rest.
    var halfUnit: Double {
        let ofNumber = plain.contains(.value) ? plain.plan.halfUnit : 0.5
        guard case .value(let maximum) = maximum, maximum > .zero else { return ofNumber }
        var finest = maximum.double / Self.barSteps / 2
        if plain.contains(.value) { finest = min(finest, ofNumber) }
        if plain.contains(.percent) {
            finest = min(finest, maximum.double / 200 / PercentStyle.unitsPerPercent(plain.percentStyle.decimals))
        }
        return finest
    }

    /// A thousandth of a bar is less than a pixel for most bars.
    private static let barSteps = 1_000.0

    /// The object itself, and the fixed part of every format.
    private static let size = 2 * MemoryLayout<ProgressLabel>.size + 200
    private static let percentSize = 2 * MemoryLayout<NumberPlan>.size + 32

    /// Returns the same rendering with the plan for a motion that starts: its decimals are the client's, or else the
    /// target's. The maximum keeps its own plan.
    func adopting(inferredDecimals: Int, planner: any Planner) throws(CommandError) -> ProgressRendering {
        guard inferredDecimals != self.inferredDecimals else { return self }
        let plan = try Self.plan(format, decimals, inferred: inferredDecimals, planner)
        guard plan != plain.plan else { return self }
        var adopted = plain
        adopted.plan = plan
        return ProgressRendering(
            style, format: format, decimals: decimals, inferredDecimals: inferredDecimals, plain: adopted)
    }

    /// Returns the format of its numbers in a reader's locale.
    func format(in locale: String) -> NumberFormat { .written(in: locale, format, as: plain.plan) }

    /// Returns the same rendering with its numbers in a reader's locale.
    func written(in locale: String, planner: any Planner) throws(CommandError) -> ProgressRendering {
        try ProgressRendering(
            style, format: format(in: locale), decimals: decimals, inferredDecimals: inferredDecimals, planner: planner)
    }

    private static func plan(
        _ format: NumberFormat?, _ decimals: Int?, inferred: Int, _ planner: any Planner
    ) throws(CommandError) -> NumberPlan {
        let asked = Decimals.shown(given: decimals, scale: inferred, in: format)
        guard let format else { return .plain(decimals: asked ?? inferred) }
        return try planner.plan(for: format, decimals: asked)
    }

    package static func == (left: ProgressRendering, right: ProgressRendering) -> Bool {
        left === right
            || left.style == right.style && left.format == right.format && left.decimals == right.decimals
                && left.plain == right.plain
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(style.label) }
}
