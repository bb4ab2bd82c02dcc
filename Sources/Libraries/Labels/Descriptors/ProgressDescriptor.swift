// The display strings of a progress, with words in its label's language.

/// All display strings of a progress.
public struct ProgressDescriptor: Descriptor {
    /// The state of a progress.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It advances.
        case running
        /// Nothing has arrived for a while.
        case stalled
        /// It is paused.
        case paused
        /// It has reached its maximum.
        case done
    }

    /// The shown value, without the label's text.
    public let value: String
    /// The label's text.
    public let text: String
    /// The maximum; nil if indeterminate.
    public let maximum: String?
    /// `42%`; nil if indeterminate.
    public let percent: String?
    /// `3:05`, the time since the start; nil if unknown.
    public let elapsed: String?
    /// Units per second.
    public let rate: String?
    /// `2 min 5 s`; nil if it is done or unknown.
    public let eta: String?
    /// `running`, `stalled`, `paused` or `done`.
    public let state: String
    /// `42 percent, 3 minutes left`
    public let accessible: String

    /// Creates the strings of values under a label, which must not be escaped.
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
        let words = label.timeWords
        elapsed = values.elapsed.map { TimeSpan(elapsed: $0).text(.clock, in: words) }
        rate = values.rate.map { label.plan(forRate: $0).text(of: $0) }
        eta = state == .done ? nil : values.eta.map { TimeSpan(remaining: $0).text(.units, in: words) }
        self.state = state.rawValue
        let phrases = words.phrases
        let unknown = label.needsMaximum ? value + phrases.comma + phrases.totalUnknown : text
        // Without a locale the words are English. With one, screen readers read the percent sign in the reader's language.
        let amount = words == .english ? values.shownPercent.map { "\(style.number.text(of: $0)) percent" } : percent
        let progress: String? =
            switch state {
            case .done: phrases.done
            case .stalled: phrases.stalled
            case .paused: phrases.paused
            case .running: values.eta.map { phrases.left.text(around: TimeSpan(remaining: $0).roughly(in: words)) }
            }
        accessible = [amount ?? unknown, progress].compactMap { $0 }.joined(separator: phrases.comma)
    }

    /// The known strings by name.
    public var fields: [(name: String, text: String)] {
        Self.present([
            ("value", value), ("text", text), ("maximum", maximum), ("percent", percent), ("elapsed", elapsed),
            ("rate", rate), ("eta", eta), ("state", state), ("accessible", accessible),
        ])
    }
}
