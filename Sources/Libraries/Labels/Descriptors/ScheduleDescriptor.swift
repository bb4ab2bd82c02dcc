// The display strings of a schedule, with words in its label's language. The caller converts dates to seconds and text.

/// All display strings of a schedule.
public struct ScheduleDescriptor: Descriptor {
    /// The state of a schedule.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It will fire.
        case pending
        /// It is paused.
        case paused
        /// It has fired for the last time.
        case ended
    }

    /// The countdown label's text; nil when nothing is pending.
    public let text: String?
    /// `2 h 5 min`
    public let remaining: String?
    /// `2:05:00`
    public let clock: String?
    /// The next date, as formatted by the caller.
    public let due: String?
    /// `pending`, `paused` or `ended`.
    public let state: String
    /// `in 2 hours, 5 minutes`
    public let accessible: String

    /// Creates the strings of a schedule under a countdown label.
    ///
    /// - Parameters:
    ///   - label: the schedule's label, not escaped.
    ///   - seconds: seconds until it is due; nil if it won't fire again.
    ///   - due: the date, RFC 3339.
    ///   - state: its state.
    ///   - ended: the text once it has ended; nil for the label's.
    public init(
        _ label: CountdownLabel, seconds: Double?, due: String? = nil, state: State = .pending, ended: String? = nil
    ) {
        let span = seconds.map { TimeSpan(remaining: $0) }
        let ended = state == .ended ? ended : nil
        text = ended ?? span.map(label.text(of:))
        remaining = span?.text(.units, in: label.words)
        clock = span?.text(.clock, in: label.words)
        self.due = due
        self.state = state.rawValue
        let phrases = label.words.phrases
        let words = span?.text(.words, in: label.words)
        accessible =
            switch state {
            case .ended: ended ?? phrases.fired
            case .paused:
                [phrases.paused, words.map(phrases.left.text(around:))].compactMap { $0 }.joined(
                    separator: phrases.comma)
            case .pending where span?.totalSeconds == 0: phrases.dueNow
            case .pending: words.map(phrases.until.text(around:)) ?? phrases.notScheduled
            }
    }

    /// The known strings by name.
    public var fields: [(name: String, text: String)] {
        Self.present([
            ("text", text), ("remaining", remaining), ("clock", clock), ("due", due), ("state", state),
            ("accessible", accessible),
        ])
    }
}
