// The work that one advance may do before frames and responses have their turn.

/// Work done since an advance began, in units of about a microsecond. It is counted, not measured: replicas do the same.
struct AdvanceWork: Hashable, Sendable {
    private(set) var units = 0

    /// An end of a motion, a removal of an expired track, or a firing, without its events and actions.
    private static let step = 6
    /// The bytes of an event that make a unit.
    private static let eventBytes = 16
    /// The bytes of a list's JSON that make a unit: keyframes, labels and nested lists are copied and stored.
    private static let sourceBytes = 64

    mutating func countStep() { units += Self.step }

    mutating func count(_ event: BoardEvent) { units += event.byteCount / Self.eventBytes }

    mutating func count(_ list: ActionList) { units += Self.units(of: list) }

    /// Estimates the units of a step with these actions.
    static func expected(_ actions: ActionList?) -> Int { step + (actions.map(units) ?? 0) }

    private static func units(of list: ActionList) -> Int {
        list.actions.reduce(list.source.count / sourceBytes) { $0 + $1.units }
    }
}

extension Action {
    /// The units of running it, without its events.
    fileprivate var units: Int {
        switch self {
        case .command, .later: 8
        case .notify, .webhook: 2
        }
    }
}
