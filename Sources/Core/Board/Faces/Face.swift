// How a track's number is shown: one of two faces.

package import Labels

/// What turns a track's value into text.
package enum Face: Hashable, Sendable {
    case ticker(TickerFace)
    case progress(ProgressFace)

    /// The decimals of the target that the number is shown with, where neither a client nor a format fixes them. They
    /// stay when a motion is cancelled, whatever decimals the value has by then.
    package var inferredDecimals: Int {
        switch self {
        case .ticker(let face): face.inferredDecimals
        case .progress(let face): face.inferredDecimals
        }
    }

    /// Digits after the point that the client fixed.
    package var decimals: Int? {
        switch self {
        case .ticker(let face): face.decimals
        case .progress(let face): face.decimals
        }
    }

    package var format: NumberFormat? {
        switch self {
        case .ticker(let face): face.format
        case .progress(let face): face.format
        }
    }

    /// What it was made of.
    var recipe: FaceRecipe {
        switch self {
        case .ticker(let face):
            FaceRecipe(content: .ticker(face.text), format: face.format, decimals: face.decimals)
        case .progress(let face):
            FaceRecipe(
                content: .progress(face.looks), format: face.format, decimals: face.decimals)
        }
    }

    /// Whether it was made of that very recipe.
    func isMade(of recipe: FaceRecipe) -> Bool {
        guard recipe.decimals == decimals else { return false }
        return switch (self, recipe.content) {
        case (.ticker(let face), .ticker(let text)): face.text == text && face.format == recipe.format
        case (.progress(let face), .progress(let looks)): face.looks == looks && face.format == recipe.format
        default: false
        }
    }

    /// The face of a recipe, for a number on its way to `target`; this one where it is as asked for, or nothing is.
    /// - Throws: `CommandError.invalid` naming the field that no face can be made of.
    func dressed(as recipe: FaceRecipe?, for target: ExactDecimal, planner: any Planner) throws(CommandError) -> Face {
        if let recipe, !isMade(of: recipe) { return try recipe.face(planner) { _ in target.scale } }
        switch self {
        case .ticker(let face): return .ticker(try face.adopting(inferredDecimals: target.scale, planner: planner))
        case .progress(let face): return .progress(try face.adopting(inferredDecimals: target.scale, planner: planner))
        }
    }
}
