// How a track's number is shown: as a ticker or as a progress.

package import Labels

/// Converts a track's value into text.
package enum Rendering: Hashable, Sendable {
    case ticker(TickerRendering)
    case progress(ProgressRendering)

    /// The target's decimals, used if neither a client nor a format sets decimals. They stay when a motion is cancelled,
    /// whatever decimals the value then has.
    package var inferredDecimals: Int {
        switch self {
        case .ticker(let rendering): rendering.inferredDecimals
        case .progress(let rendering): rendering.inferredDecimals
        }
    }

    /// Decimals that the client set.
    package var decimals: Int? {
        switch self {
        case .ticker(let rendering): rendering.decimals
        case .progress(let rendering): rendering.decimals
        }
    }

    package var format: NumberFormat? {
        switch self {
        case .ticker(let rendering): rendering.format
        case .progress(let rendering): rendering.format
        }
    }

    /// The specification it was made from.
    var spec: LabelSpec {
        switch self {
        case .ticker(let rendering):
            LabelSpec(content: .ticker(rendering.text), format: rendering.format, decimals: rendering.decimals)
        case .progress(let rendering):
            LabelSpec(
                content: .progress(rendering.style), format: rendering.format, decimals: rendering.decimals)
        }
    }

    /// Whether it was made from this specification.
    func isMade(of spec: LabelSpec) -> Bool {
        guard spec.decimals == decimals else { return false }
        return switch (self, spec.content) {
        case (.ticker(let rendering), .ticker(let text)): rendering.text == text && rendering.format == spec.format
        case (.progress(let rendering), .progress(let style)):
            rendering.style == style && rendering.style.scales == style.scales && rendering.format == spec.format
        case (.ticker, .progress), (.progress, .ticker): false
        }
    }

    /// Returns the rendering of a specification for a number that moves to `target`: `self` if the specification is nil or its
    /// own, and the target has the decimals of its plan.
    /// - Throws: `CommandError.invalid` naming the field that is wrong.
    func applying(as spec: LabelSpec?, for target: ExactDecimal, planner: any Planner) throws(CommandError) -> Rendering
    {
        if let spec, !isMade(of: spec) { return try spec.rendering(planner) { _ in target.scale } }
        switch self {
        case .ticker(let rendering):
            return .ticker(try rendering.adopting(inferredDecimals: target.scale, planner: planner))
        case .progress(let rendering):
            return .progress(try rendering.adopting(inferredDecimals: target.scale, planner: planner))
        }
    }
}
