// Spans of time as text.

/// A span in whole seconds.
public struct TimeSpan: Hashable, Sendable {
    public let seconds: Int64

    public init(seconds: Int64) {
        self.seconds = max(0, seconds)
    }

    /// `0:08`, `1:05:09`, `2:03:04:05`.
    public var clock: String {
        let parts = [seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60]
        let shown = parts.drop { $0 == 0 }.count
        let kept = parts.suffix(max(2, shown))
        return kept.enumerated().map { $0.offset > 0 && $0.element < 10 ? "0\($0.element)" : "\($0.element)" }
            .joined(separator: ":")
    }

    /// `2 h 5 min`, `8 s`: the two greatest units.
    public var units: String {
        let parts = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }
        return shown.isEmpty ? "0 s" : shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
