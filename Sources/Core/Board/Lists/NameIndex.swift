// The ids of everything on a board, by kind and in order, for lists and patterns.

import Base

struct NameIndex: Sendable {
    private var tickers = SortedList<String>()
    private var progress = SortedList<String>()
    private var schedules = SortedList<String>()

    mutating func insert(_ name: ResourceName) { self[name.kind].insert(name.id) }

    mutating func remove(_ name: ResourceName) { self[name.kind].remove(name.id) }

    /// The number of ids of a kind.
    func count(of kind: ResourceKind) -> Int { self[kind].count }

    /// Returns the first ids of a kind that begin with a prefix.
    /// - Parameters:
    ///   - prefix: The prefix; empty matches all.
    ///   - id: Only ids after it are returned; it need not exist.
    func ids(of kind: ResourceKind, beginningWith prefix: String, after id: String?, limit: Int) -> [String] {
        // The prefix itself sorts before all other ids that begin with it.
        guard let id, id >= prefix else {
            return self[kind].elements(limit, from: prefix, isIncluded: true) { $0.hasPrefix(prefix) }
        }
        return self[kind].elements(limit, from: id) { $0.hasPrefix(prefix) }
    }

    private subscript(kind: ResourceKind) -> SortedList<String> {
        get {
            switch kind {
            case .ticker: tickers
            case .progress: progress
            case .schedule: schedules
            }
        }
        _modify {
            switch kind {
            case .ticker: yield &tickers
            case .progress: yield &progress
            case .schedule: yield &schedules
            }
        }
    }
}
