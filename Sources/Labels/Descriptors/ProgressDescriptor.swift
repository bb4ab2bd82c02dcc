// The strings of a progress, in English where they are words.

/// All display strings of a progress.
public struct ProgressDescriptor: Descriptor {
    /// Where a progress stands.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It moves on.
        case running
        /// Nothing has arrived for a while.
        case stalled
        /// It is held.
        case paused
        /// It has reached its maximum.
        case done
    }

    /// The value shown, without the label's text.
    public let value: String
    /// The label's text.
    public let text: String
    /// The maximum; nil when indeterminate.
    public let maximum: String?
    /// `42%`; nil when indeterminate.
    public let percent: String?
    /// `3:05`, since the start; nil when unknown.
    public let elapsed: String?
    /// Units per second.
    public let rate: String?
    /// `2 min 5 s`
    public let eta: String?
    /// `running`, `stalled`, `paused` or `done`.
    public let state: String
    /// `42 percent, 3 minutes left`
    public let accessible: String

    /// The strings of these values under that label, which must not be escaped.
    public init(_ label: ProgressLabel, _ values: ProgressLabel.Values, state: State = .running) {
        let style = label.percentStyle
        percent = values.shownPercent.map(style.signed.text(of:))
        value =
            (label.showsShare ? percent : nil) ?? values.exactCurrent.map(label.plan.text(of:))
            ?? label.plan.text(of: values.value)
        text = label.text(of: values)
        maximum =
            label.showsShare && values.maximum != nil
            ? style.signed.text(of: 100)
            : values.maximumOnTheWay.map(label.maximumPlan.text(of:)) ?? values.maximum.map(label.maximumPlan.text(of:))
        elapsed = values.elapsed.map { TimeSpan(elapsed: $0).clock(in: style.number.digits) }
        rate = values.rate.map { label.plan(forRate: $0).text(of: $0) }
        eta = values.eta.map { TimeSpan(remaining: $0).text(.units) }
        self.state = state.rawValue
        let unknown = label.needsMaximum ? "\(value), total unknown" : text
        let amount = values.shownPercent.map { "\(style.number.text(of: $0)) percent" } ?? unknown
        accessible = Self.sentence(amount, values.eta, state)
    }

    /// The strings by name, those that are there.
    public var fields: [(name: String, text: String)] {
        Self.present([
            ("value", value), ("text", text), ("maximum", maximum), ("percent", percent), ("elapsed", elapsed),
            ("rate", rate), ("eta", eta), ("state", state), ("accessible", accessible),
        ])
    }

    private static func sentence(_ amount: String, _ eta: Double?, _ state: State) -> String {
        switch state {
        case .done: return "\(amount), done"
        case .stalled, .paused: return "\(amount), \(state.rawValue)"
        case .running: return eta.map { "\(amount), \(roughly($0)) left" } ?? amount
        }
    }

    /// One unit in words: a listener doesn't want the seconds of an hour.
    private static func roughly(_ seconds: Double) -> String {
        let words = TimeSpan(remaining: seconds).text(.words)
        return String(words.prefix { $0 != "," })
    }
}
