// What a face is made of, and faces that were made already: most tracks of a large board look like others of it.

package import Labels

/// Everything that a face shows but the number.
package struct FaceRecipe: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case ticker(TickerFace.Text)
        case progress(label: String, maximum: TrackUpdate.Maximum, appearance: [UInt8]?)
    }

    package var content: Content
    package var format: NumberFormat?
    /// Digits after the point that the client fixed.
    package var decimals: Int?
    /// Those of the target, which count where none are fixed.
    package var inferredDecimals = 0

    package init(content: Content, format: NumberFormat?, decimals: Int?) {
        self.content = content
        self.format = format
        self.decimals = decimals
    }

    /// - Throws: `CommandError.invalid` naming the field that no face can be made of.
    func face(_ planner: any Planner) throws(CommandError) -> Face {
        switch content {
        case .ticker(let text):
            return .ticker(
                try TickerFace(
                    text: text, format: format, decimals: decimals, inferredDecimals: inferredDecimals,
                    planner: planner))
        case .progress(let label, let maximum, let appearance):
            let face = try ProgressFace(
                label: label, maximum: maximum, format: format, decimals: decimals, appearance: appearance)
            return .progress(try face.adopting(inferredDecimals: inferredDecimals, planner: planner))
        }
    }
}

/// Faces by what they are made of, for one thread that makes many.
package final class FaceShelf {
    /// Boards on which no face is like another are no worse off for the shelf.
    private static let capacity = 1_000

    /// Decimals are equal by value, but 100.00 is shown otherwise than 100.
    private struct Key: Hashable {
        var recipe: FaceRecipe
        var maximumScale: Int?

        init(_ recipe: FaceRecipe) {
            self.recipe = recipe
            if case .progress(_, .value(let maximum), _) = recipe.content { maximumScale = maximum.scale }
        }
    }

    private let planner: any Planner
    private var faces: [Key: Face] = [:]

    package init(planner: any Planner) {
        self.planner = planner
    }

    /// The face of a recipe, shared with all who asked for the same.
    /// - Throws: `CommandError.invalid` naming the field that no face can be made of.
    package func face(_ recipe: FaceRecipe) throws(CommandError) -> Face {
        let key = Key(recipe)
        if let known = faces[key] { return known }
        let face = try recipe.face(planner)
        if faces.count < Self.capacity { faces[key] = face }
        return face
    }
}
