// How a track's number is shown: one of two renderings.

package import Labels

/// What turns a track's value into text.
package enum Rendering: Hashable, Sendable {
    case ticker(TickerRendering)
    case progress(ProgressRendering)

    /// The decimals of the target that the number is shown with, where neither a client nor a format fixes them. They
    /// stay when a motion is cancelled, whatever decimals the value has by then.
    package var inferredDecimals: Int {
        switch self {
        case .ticker(let rendering): rendering.inferredDecimals
        case .progress(let rendering): rendering.inferredDecimals
        }
    }

    /// Digits after the point that the client fixed.
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

    /// What it was made of.
    var spec: LabelSpec {
        switch self {
        case .ticker(let rendering):
            LabelSpec(content: .ticker(rendering.text), format: rendering.format, decimals: rendering.decimals)
        case .progress(let rendering):
            LabelSpec(
                content: .progress(rendering.style), format: rendering.format, decimals: rendering.decimals)
        }
    }

    /// Whether it was made of that very recipe.
    func isMade(of spec: LabelSpec) -> Bool {
        guard spec.decimals == decimals else { return false }
        return switch (self, spec.content) {
        case (.ticker(let rendering), .ticker(let text)): rendering.text == text && rendering.format == spec.format
        case (.progress(let rendering), .progress(let style)):
            rendering.style == style && rendering.format == spec.format
        default: false
        }
    }

    /// The rendering of a recipe, for a number on its way to `target`; this one where it is as asked for, or nothing is.
    /// - Throws: `CommandError.invalid` naming the field that no rendering can be made of.
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
