// Conflation of completions: a feed that posts thousands of updates a second to one ticker ends thousands of motions
// that no frame ever showed. The first of a tick are told one by one, the rest in one event.

import Board
import Wire

/// Superseded motions of the present tick, by track.
struct SupersededCrowds {
    /// The most superseded motions of a track that a tick tells one by one.
    static let individual = 16

    private var counts: [ResourceName: Int] = [:]
    private var crowds: [ResourceName: SupersededCrowd] = [:]

    /// Counts a superseded motion.
    /// - Returns: Whether it was merged, so that it must not be told by itself.
    mutating func exceeds(_ name: ResourceName, animation: UInt64, _ reading: Reading) -> Bool {
        let count = counts[name, default: 0] + 1
        counts[name] = count
        guard count > Self.individual else { return false }
        let first = crowds[name]?.first ?? animation
        let merged = (crowds[name]?.count ?? 0) + 1
        crowds[name] = SupersededCrowd(first: first, last: animation, count: merged, reading: reading)
        return true
    }

    /// Takes what was merged since the last tick, by name, so that the order is the same in every run.
    mutating func take() -> [(ResourceName, SupersededCrowd)] {
        counts.removeAll(keepingCapacity: true)
        guard !crowds.isEmpty else { return [] }
        defer { crowds.removeAll(keepingCapacity: true) }
        return crowds.sorted { ($0.key.kind.rawValue, $0.key.id) < ($1.key.kind.rawValue, $1.key.id) }
            .map { ($0.key, $0.value) }
    }
}
