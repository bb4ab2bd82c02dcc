// What a rendering is made of, and renderings that were made already: most tracks of a large board look like others of it.

package import Base
package import Labels

/// Everything that a rendering shows but the number.
package struct LabelSpec: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case ticker(TickerRendering.Text)
        case progress(ProgressStyle)
    }

    package private(set) var content: Content
    @Boxed package private(set) var format: NumberFormat?
    /// Digits after the point that the client fixed.
    package private(set) var decimals: Int?

    /// A progress' maximum; nil for tickers, and while indeterminate.
    var maximum: Double? {
        guard case .progress(let style) = content, case .value(let maximum) = style.maximum else { return nil }
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
                .progress(ProgressStyle().applying(in: update))
            } else {
                .ticker(Self.text(of: update, showsWords: showsWords))
            }
        self.init(content: content, format: update.format, decimals: update.decimals)
    }

    private static func text(of update: TrackUpdate, showsWords: Bool?) -> TickerRendering.Text {
        guard let showsWords, let label = update.label else {
            return TickerRendering.Text.label("0", index: 0).applying(in: update)
        }
        return showsWords ? .words(label) : .label(label, index: update.index ?? 0)
    }

    /// What becomes of it with an update: what that leaves unsaid stays, but for the decimals, which an update gives anew.
    /// - Parameter replacing: The format too is given anew.
    func applying(in update: TrackUpdate, replacing: Bool = false) -> LabelSpec {
        let content: Content =
            switch content {
            case .ticker(let text):
                .ticker(text.applying(in: update))
            case .progress(let style):
                .progress(style.applying(in: update))
            }
        return LabelSpec(
            content: content, format: update.format ?? (replacing ? nil : format), decimals: update.decimals)
    }

    /// The same of a progress of which nothing was done before.
    var startingOver: LabelSpec {
        guard case .progress(var style) = content else { return self }
        style.initial = nil
        return LabelSpec(content: .progress(style), format: format, decimals: decimals)
    }

    /// - Parameter inferredDecimals: Decimals of the number's target, which may count from the number found in the label.
    /// - Throws: `CommandError.invalid` naming the field that no rendering can be made of.
    func rendering(
        _ planner: any Planner, inferredDecimals: (ExactDecimal?) throws(CommandError) -> Int
    ) throws(CommandError) -> Rendering {
        switch content {
        case .ticker(let text):
            let label = try text.cut(format, planner)
            return .ticker(
                try TickerRendering(
                    label, text: text, format: format, decimals: decimals,
                    inferredDecimals: try inferredDecimals(label.number), planner: planner))
        case .progress(let style):
            return .progress(
                try ProgressRendering(
                    style, format: format, decimals: decimals, inferredDecimals: try inferredDecimals(nil),
                    planner: planner))
        }
    }
}

/// Faces by what they are made of, for one thread that makes many.
package final class RenderingCache {
    /// Boards on which no rendering is like another are no worse off for the shelf.
    private static let capacity = 1_000

    /// Decimals are equal by value, but 100.00 is shown otherwise than 100.
    private struct Key: Hashable {
        var spec: LabelSpec
        var inferredDecimals: Int
        var maximumScale: Int?

        init(_ spec: LabelSpec, _ inferredDecimals: Int) {
            self.spec = spec
            self.inferredDecimals = inferredDecimals
            if case .progress(let style) = spec.content, case .value(let maximum) = style.maximum {
                maximumScale = maximum.scale
            }
        }
    }

    private let planner: any Planner
    private var renderings: [Key: Rendering] = [:]

    package init(planner: any Planner) {
        self.planner = planner
    }

    /// The rendering of a recipe, shared with all who asked for the same.
    /// - Parameter inferredDecimals: Decimals of the number's target.
    /// - Throws: `CommandError.invalid` naming the field that no rendering can be made of.
    package func rendering(_ spec: LabelSpec, inferredDecimals: Int) throws(CommandError) -> Rendering {
        let key = Key(spec, inferredDecimals)
        if let known = renderings[key] { return known }
        let rendering = try spec.rendering(planner) { _ in inferredDecimals }
        if renderings.count < Self.capacity { renderings[key] = rendering }
        return rendering
    }
}
