// Whether an effect shows outside its active time.

/// The fill mode of Web Animations and CSS.
public enum FillMode: String, Hashable, Sendable, CaseIterable {
    /// Only while active.
    case none
    /// Also after the end.
    case forwards
    /// Also before the start.
    case backwards
    /// Before and after.
    case both

    var reachesBack: Bool { self == .backwards || self == .both }
    var reachesForward: Bool { self == .forwards || self == .both }
}
