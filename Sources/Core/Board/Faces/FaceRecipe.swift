// What a face is made of, and faces that were made already: most tracks of a large board look like others of it.

package import Base
package import Labels

/// Everything that a face shows but the number.
package struct FaceRecipe: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case ticker(TickerFace.Text)
        case progress(ProgressLooks)
    }

    package private(set) var content: Content
    @Boxed package private(set) var format: NumberFormat?
    /// Digits after the point that the client fixed.
    package private(set) var decimals: Int?

    /// A progress' maximum; nil for tickers, and while indeterminate.
    var maximum: Double? {
        guard case .progress(let looks) = content, case .value(let maximum) = looks.maximum else { return nil }
        return maximum.double
    }

    init(content: Content, format: NumberFormat?, decimals: Int?) {
        self.content = content
        self.format = format
        self.decimals = decimals
    }

    /// What an update makes of a track that isn't there yet.
    /// - Parameter showsWords: Whether a label without a number is shown as it is; nil: unless the update moves the number.
    package init(_ kind: ResourceKind, in update: TrackUpdate, showsWords: Bool? = nil) {
        let content: Content =
            if kind == .progress {
                .progress(ProgressLooks().dressed(in: update))
            } else {
                .ticker(Self.text(of: update, showsWords: showsWords))
            }
        self.init(content: content, format: update.format, decimals: update.decimals)
    }

    private static func text(of update: TrackUpdate, showsWords: Bool?) -> TickerFace.Text {
        guard let showsWords, let label = update.label else {
            return TickerFace.Text.label("0", index: 0).dressed(in: update)
        }
        return showsWords ? .words(label) : .label(label, index: update.index ?? 0)
    }

    /// What becomes of it with an update: what that leaves unsaid stays, but for the decimals, which an update gives anew.
    /// - Parameter replacing: The format too is given anew.
    func dressed(in update: TrackUpdate, replacing: Bool = false) -> FaceRecipe {
        let content: Content =
            switch content {
            case .ticker(let text):
                .ticker(text.dressed(in: update))
            case .progress(let looks):
                .progress(looks.dressed(in: update))
            }
        return FaceRecipe(
            content: content, format: update.format ?? (replacing ? nil : format), decimals: update.decimals)
    }

    /// The same of a progress of which nothing was done before.
    var startingOver: FaceRecipe {
        guard case .progress(var looks) = content else { return self }
        looks.initial = nil
        return FaceRecipe(content: .progress(looks), format: format, decimals: decimals)
    }

    /// - Parameter inferredDecimals: Decimals of the number's target, which may count from the number found in the label.
    /// - Throws: `CommandError.invalid` naming the field that no face can be made of.
    func face(
        _ planner: any Planner, inferredDecimals: (ExactDecimal?) throws(CommandError) -> Int
    ) throws(CommandError) -> Face {
        switch content {
        case .ticker(let text):
            let label = try text.cut(format, planner)
            return .ticker(
                try TickerFace(
                    label, text: text, format: format, decimals: decimals,
                    inferredDecimals: try inferredDecimals(label.number), planner: planner))
        case .progress(let looks):
            return .progress(
                try ProgressFace(
                    looks, format: format, decimals: decimals, inferredDecimals: try inferredDecimals(nil),
                    planner: planner))
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
        var inferredDecimals: Int
        var maximumScale: Int?

        init(_ recipe: FaceRecipe, _ inferredDecimals: Int) {
            self.recipe = recipe
            self.inferredDecimals = inferredDecimals
            if case .progress(let looks) = recipe.content, case .value(let maximum) = looks.maximum {
                maximumScale = maximum.scale
            }
        }
    }

    private let planner: any Planner
    private var faces: [Key: Face] = [:]

    package init(planner: any Planner) {
        self.planner = planner
    }

    /// The face of a recipe, shared with all who asked for the same.
    /// - Parameter inferredDecimals: Decimals of the number's target.
    /// - Throws: `CommandError.invalid` naming the field that no face can be made of.
    package func face(_ recipe: FaceRecipe, inferredDecimals: Int) throws(CommandError) -> Face {
        let key = Key(recipe, inferredDecimals)
        if let known = faces[key] { return known }
        let face = try recipe.face(planner) { _ in inferredDecimals }
        if faces.count < Self.capacity { faces[key] = face }
        return face
    }
}
