// The display strings of a ticker, formatted with its own label. They decide nothing about motion.

import Base

/// All display strings of a ticker.
public struct TickerDescriptor: Descriptor {
    /// The shown number, without the label's text.
    public let value: String
    /// The label with the shown number.
    public let text: String
    /// The number at the end of the motion; nil when nothing moves.
    public let target: String?
    /// The motion's progress (`42%`), truncated; nil when nothing moves.
    public let percent: String?
    /// `rising`, `falling` or `steady`.
    public let trend: String
    /// The text for screen readers: the label with the end value, which doesn't change with every frame.
    public let accessible: String

    /// - Parameters:
    ///   - label: the ticker's label, not escaped.
    ///   - value: the shown value.
    ///   - exact: the shown value, if all its digits are known.
    ///   - target: the exact end value.
    ///   - progress: the motion's progress, 0...1; nil when nothing moves, and the exact value is shown.
    ///   - velocity: units per second of a motion that goes there and back, since its target doesn't tell its current
    ///     direction.
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

    /// The known strings by name.
    public var fields: [(name: String, text: String)] {
        Self.present([
            ("value", value), ("text", text), ("target", target), ("percent", percent), ("trend", trend),
            ("accessible", accessible),
        ])
    }
}
