// The strings of a ticker. It formats with the ticker's own label and decides nothing about motion.

import Base

/// All display strings of a ticker.
public struct TickerDescriptor: Descriptor {
    /// The number shown, without the label's text.
    public let value: String
    /// The label with the number shown.
    public let text: String
    /// The number at the end of the motion; nil when nothing moves.
    public let target: String?
    /// How far the motion is (`42%`), truncated; nil when nothing moves.
    public let percent: String?
    /// `rising`, `falling` or `steady`.
    public let trend: String
    /// What a screen reader says: the label with the value at the end, which doesn't change with every frame.
    public let accessible: String

    /// - Parameters:
    ///   - label: the ticker's label, not escaped.
    ///   - value: the value shown.
    ///   - exact: that, where all of its digits are known.
    ///   - target: the exact end value.
    ///   - progress: how far the motion is, 0...1; nil when nothing moves, and the exact value is shown.
    ///   - velocity: units a second of a motion that goes to and fro, so that its target says nothing of where it goes now.
    public init(
        _ label: TickerLabel, value: Double, exact: ExactDecimal? = nil, target: ExactDecimal, progress: Double? = nil,
        velocity: Double? = nil
    ) {
        accessible = label.text(of: target)
        guard let progress else {
            self.value = label.plan.text(of: target)
            text = accessible
            self.target = nil
            percent = nil
            trend = Self.steady
            return
        }
        self.value = exact.map(label.plan.text(of:)) ?? label.plan.text(of: value)
        var bytes: [UInt8] = []
        label.append(value, to: &bytes)
        text = exact.map(label.text(of:)) ?? String(decoding: bytes, as: UTF8.self)
        self.target = label.plan.text(of: target)
        percent = Self.percent(progress)
        trend = Self.trend(from: value, to: target.double, velocity)
    }

    static let steady = "steady"

    static func trend(from value: Double, to end: Double, _ velocity: Double?) -> String {
        let way = velocity ?? 0 == 0 ? end - value : velocity ?? 0
        return way > 0 ? "rising" : way < 0 ? "falling" : steady
    }

    static func percent(_ progress: Double) -> String {
        "\(Int(saturating: ProgressMath.shownFraction(progress) * 100))%"
    }

    /// The strings by name, those that are there.
    public var fields: [(name: String, text: String)] {
        Self.present([
            ("value", value), ("text", text), ("target", target), ("percent", percent), ("trend", trend),
            ("accessible", accessible),
        ])
    }
}
