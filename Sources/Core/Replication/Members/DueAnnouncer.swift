// When this replica has the log told that something fell due: at its turn, and again when nothing has come of it.

package import Tween

/// What this replica has said of what is due.
package struct DueAnnouncer: Sendable {
    /// Seconds after which it is said again: the entry may have been lost.
    static let patience = 0.25

    /// What was said to be due, and when.
    private var said: (due: Instant, at: Instant)?
    /// Wanted beside what the machine says: a milestone was seen to be reached.
    private var extra: Instant?

    package init() {}

    /// An entry is wanted now.
    package mutating func wantNow(_ now: Instant) { extra = extra ?? now }

    /// The log has come to an instant.
    package mutating func pass(_ instant: Instant) {
        if let wanted = extra, wanted <= instant { extra = nil }
    }

    /// When this replica is to speak up unless an entry comes.
    /// - Parameters:
    ///   - wanted: From when on an entry is wanted; nil while none is.
    ///   - rank: How many replicas come before this one, for an instant.
    package func nextDue(_ wanted: Instant?, rank: (Instant) -> Int) -> Instant? {
        guard let due = [wanted, extra].compactMap({ $0 }).min() else { return nil }
        if let said, said.due == due { return said.at.advanced(bySeconds: Self.patience) }
        return due.advanced(bySeconds: Double(rank(due)) * AnnouncementOrder.patience)
    }

    /// What is to be said now; nil while it is nothing, or others' turn.
    package mutating func take(_ wanted: Instant?, at now: Instant, rank: (Instant) -> Int) -> Instant? {
        guard let due = [wanted, extra].compactMap({ $0 }).min(),
            let next = nextDue(wanted, rank: rank), next <= now
        else { return nil }
        said = (due, now)
        return due
    }
}
