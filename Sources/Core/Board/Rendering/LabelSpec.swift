// The specification of a rendering, and a cache of renderings: most tracks of a large board look like others.

package import Base
package import Labels

/// Everything that a rendering shows except the number.
package struct LabelSpec: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case ticker(TickerRendering.Text)
        case progress(ProgressStyle)
    }

    package private(set) var content: Content
    @Boxed package private(set) var format: NumberFormat?
    /// Decimals that the client set.
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

    /// Creates the specification for an update of a new track.
    /// - Parameter showsWords: Whether a label without a number is shown as it is; nil: only if the update does not move the
    ///   number.
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

    /// Returns the specification after an update. Omitted fields stay, except for the decimals, which each update replaces.
    /// - Parameter replacing: Whether the format is replaced, too.
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

    /// The same specification, for a progress of which nothing was done before.
    var startingOver: LabelSpec {
        guard case .progress(var style) = content else { return self }
        style.initial = nil
        return LabelSpec(content: .progress(style), format: format, decimals: decimals)
    }

    /// Creates the rendering.
    /// - Parameter inferredDecimals: Returns the decimals of the number's target, given the number found in the label. It is
    ///   called once, even if decimals are set: a new ticker starts at that number.
    /// - Throws: `CommandError.invalid` naming the field that is wrong.
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

extension ProgressStyle {
    var scales: LabelSpec.Scales {
        guard case .value(let maximum) = maximum else { return LabelSpec.Scales(initial: initial?.scale) }
        return LabelSpec.Scales(maximum: maximum.scale, initial: initial?.scale)
    }
}

extension LabelSpec {
    /// Digits after the points of a progress' numbers. Decimals are equal by value, but 100.00 is shown differently from 100.
    struct Scales: Hashable {
        var maximum: Int?
        var initial: Int?
    }

    var scales: Scales {
        guard case .progress(let style) = content else { return Scales() }
        return style.scales
    }
}

/// A cache of renderings by specification, for one thread.
package final class RenderingCache {
    /// The most renderings that are shared: a limit for a board on which all differ.
    private static let capacity = 1_000

    private struct Key: Hashable {
        var spec: LabelSpec
        var inferredDecimals: Int
        var scales: LabelSpec.Scales
    }

    private let planner: any Planner
    private var renderings: [Key: Rendering] = [:]

    package init(planner: any Planner) {
        self.planner = planner
    }

    /// Returns the rendering of a specification, shared between tracks with the same one while there is room.
    /// - Parameter inferredDecimals: Decimals of the number's target.
    /// - Throws: `CommandError.invalid` naming the field that is wrong.
    package func rendering(_ spec: LabelSpec, inferredDecimals: Int) throws(CommandError) -> Rendering {
        let key = Key(spec: spec, inferredDecimals: inferredDecimals, scales: spec.scales)
        if let known = renderings[key] { return known }
        let rendering = try spec.rendering(planner) { _ in inferredDecimals }
        if renderings.count < Self.capacity { renderings[key] = rendering }
        return rendering
    }
}
