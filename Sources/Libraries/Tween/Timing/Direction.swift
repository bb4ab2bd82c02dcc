// The direction of a motion's cycles.

/// The playback direction of Web Animations and CSS.
public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Every cycle runs forwards.
    case normal
    /// Every cycle runs backwards.
    case reverse
    /// The first cycle forwards, the next backwards, and so on.
    case alternate
    /// The first cycle backwards, the next forwards, and so on.
    case alternateReverse = "alternate-reverse"
}
