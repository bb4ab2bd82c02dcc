// How a ticker's number is shown: the text around it and its format.

package import Labels

/// A ticker's label and the format of its number. An immutable class, so that a track is cheap to copy.
package final class TickerRendering: Hashable, Sendable {
    /// The text around the number, as a client sent it.
    package enum Text: Hashable, Sendable {
        /// A text with a number, and the index of the number that moves (0 is the first); or a message. If it has no number,
        /// the value replaces the text.
        case label(String, index: Int)
        /// A text without a number, shown as it is until an update moves the number.
        case words(String)
        /// The text before and after the number; numbers in it are ignored.
        case parts(prefix: String, suffix: String)
    }

    package let text: Text
    package let format: NumberFormat?
    /// Decimals that the client set; nil infers them from the target.
    package let decimals: Int?
    /// The target's decimals with which the current plan was made, or would have been.
    let inferredDecimals: Int
    /// The label, cut around its number, with the current plan.
    package let plain: TickerLabel
    /// The same label with its static parts escaped for JSON, so that a frame only appends bytes.
    package let escaped: TickerLabel
    /// Half a unit of the last shown digit.
    let halfUnit: Double
    /// The approximate size in bytes.
    let footprint: Int
    /// The approximate size of one of its texts in JSON, in bytes.
    let textBytes: Int

    /// Creates a rendering with the plan for a motion whose target has this many decimals.
    /// - Parameter label: The text, cut around its number.
    convenience init(
        _ label: TickerLabel, text: Text, format: NumberFormat?, decimals: Int?, inferredDecimals: Int,
        planner: any Planner
    ) throws(CommandError) {
        let plain = try Self.planned(
            label, format: format, decimals: decimals, inferredDecimals: inferredDecimals, planner: planner)
        self.init(text: text, format: format, decimals: decimals, inferredDecimals: inferredDecimals, plain: plain)
    }

    private init(text: Text, format: NumberFormat?, decimals: Int?, inferredDecimals: Int, plain: TickerLabel) {
        self.inferredDecimals = inferredDecimals
        self.text = text
        self.format = format
        self.decimals = decimals
        self.plain = plain
        escaped = plain.escapedForJSON()
        halfUnit = plain.plan.halfUnit
        textBytes = escaped.byteCount + Self.digits
        footprint = text.footprint + Self.size + plain.byteCount + escaped.byteCount(beside: plain)
    }

    /// Appends the label with a value in it. A method here, because reading the label from outside would copy it with all
    /// its references.
    /// - Parameter escaped: Whether static parts are escaped for a JSON string.
    func append(_ position: Position, escaped isEscaped: Bool, to bytes: inout [UInt8]) {
        switch (position, isEscaped) {
        case (.exact(let value), true): escaped.append(value, to: &bytes)
        case (.exact(let value), false): plain.append(value, to: &bytes)
        case (.moving(let value), true): escaped.append(value, to: &bytes)
        case (.moving(let value), false): plain.append(value, to: &bytes)
        }
    }

    /// Appends all display strings as a JSON object.
    func appendDescriptor(
        _ position: Position, target: ExactDecimal, progress: Double?, velocity: Double?, parts: [NumberPart]?,
        to bytes: inout [UInt8]
    ) {
        let exact: ExactDecimal? = if case .exact(let value) = position { value } else { nil }
        TickerDescriptor.appendJSON(
            escaped, value: position.double, exact: exact, target: target, progress: progress, velocity: velocity,
            parts: parts, to: &bytes)
    }

    /// The object itself, and the fixed part of every format.
    private static let size = 2 * MemoryLayout<TickerLabel>.size + 160

    /// Longer than most numbers, including signs and separators.
    private static let digits = 32

    /// Returns the same rendering with the plan for a motion that starts: its decimals are the client's, or else the target's.
    func adopting(inferredDecimals: Int, planner: any Planner) throws(CommandError) -> TickerRendering {
        guard inferredDecimals != self.inferredDecimals else { return self }
        let label = try Self.planned(
            plain, format: format, decimals: decimals, inferredDecimals: inferredDecimals, planner: planner)
        guard label.plan != plain.plan else { return self }
        return TickerRendering(
            text: text, format: format, decimals: decimals, inferredDecimals: inferredDecimals, plain: label)
    }

    /// Returns the format of its number in a reader's locale.
    func format(in locale: String) -> NumberFormat { .written(in: locale, format, as: plain.plan) }

    /// Returns the same rendering with its number in a reader's locale.
    func written(in locale: String, planner: any Planner) throws(CommandError) -> TickerRendering {
        let format = format(in: locale)
        let label = try Self.planned(
            plain, format: format, decimals: decimals, inferredDecimals: inferredDecimals, planner: planner)
        return TickerRendering(
            text: text, format: format, decimals: decimals, inferredDecimals: inferredDecimals, plain: label)
    }

    /// Returns a label with the plan for its decimals, by its format or as its number was written.
    private static func planned(
        _ label: TickerLabel, format: NumberFormat?, decimals: Int?, inferredDecimals: Int, planner: any Planner
    ) throws(CommandError) -> TickerLabel {
        let asked = Decimals.shown(given: decimals, scale: inferredDecimals, in: format)
        var label = label
        if let format {
            label.adopt(try planner.plan(for: format, decimals: asked), of: format)
        } else {
            label.plan.decimals = asked ?? inferredDecimals
        }
        return label
    }

    package static func == (left: TickerRendering, right: TickerRendering) -> Bool {
        left === right
            || left.text == right.text && left.format == right.format && left.decimals == right.decimals
                && left.plain == right.plain
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension TickerRendering.Text {
    /// Returns the text after an update. A label replaces prefix and suffix, and they replace it; a prefix keeps the suffix,
    /// and a suffix the prefix.
    func applying(in update: TrackUpdate) -> TickerRendering.Text {
        if update.prefix != nil || update.suffix != nil {
            guard case .parts(let prefix, let suffix) = self else {
                return .parts(prefix: update.prefix ?? "", suffix: update.suffix ?? "")
            }
            return .parts(prefix: update.prefix ?? prefix, suffix: update.suffix ?? suffix)
        }
        if let label = update.label {
            guard update.moves || update.index ?? 0 > 0 || label.isEmpty || TickerLabel.showsNumber(label) else {
                return .words(label)
            }
            return .label(label, index: update.index ?? 0)
        }
        switch (self, update.index) {
        case (.label(let label, _), let index?): return .label(label, index: index)
        case (.words(let words), let index) where update.moves || index ?? 0 > 0:
            return .label(words, index: index ?? 0)
        default: return self
        }
    }

    /// Cuts the text around its number, which stays as it is written.
    /// - Parameter format: Its separators determine how the number is read, and its language the plural forms of a message
    ///   such as `{n, plural, one {# coin} other {# coins}}`.
    /// - Throws: `CommandError.invalid` naming `label`, `index` or what is wrong in `format`.
    func cut(_ format: NumberFormat?, _ planner: any Planner) throws(CommandError) -> TickerLabel {
        guard case .label(let label, let index) = self else { return unread }
        let plan = try format.map { (format) throws(CommandError) in try planner.plan(for: format, decimals: nil) }
        do throws(LabelError) {
            if TickerLabel.isMessage(label) {
                return try TickerLabel(message: label, language: format?.locale ?? "en")
            }
            guard let format, let plan else { return try TickerLabel(reading: label, index: index) }
            return try TickerLabel(label, index: index, format: format, plan: plan)
        } catch {
            if case .noSuchNumber = error.reason { throw .invalid(field: "index", reason: "\(error)") }
            throw .invalid(field: "label", reason: "\(error)")
        }
    }

    /// The label of a text in which no number is searched.
    private var unread: TickerLabel {
        switch self {
        case .parts(let prefix, let suffix): TickerLabel(prefix: prefix, suffix: suffix)
        case .words(let words): TickerLabel(words: words)
        case .label: TickerLabel(prefix: "", suffix: "")
        }
    }
}
