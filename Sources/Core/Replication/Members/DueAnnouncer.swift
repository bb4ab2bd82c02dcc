// When this replica announces in the log that something fell due: in its turn, and again if no entry follows.

package import Tween

/// This replica's announcements.
package struct DueAnnouncer: Sendable {
    /// Seconds before an announcement is repeated, since its entry may have been lost.
    static let repeatInterval = 0.25

    /// The last announced instant, and when it was announced.
    private var said: (due: Instant, at: Instant)?
    /// An additional instant at which an entry is needed: a milestone was reached.
    private var extra: Instant?

    package init() {}

    /// Requests an entry for now.
    package mutating func wantNow(_ now: Instant) { extra = extra ?? now }

    /// Records that the log has reached an instant.
    package mutating func pass(_ instant: Instant) {
        if let wanted = extra, wanted <= instant { extra = nil }
    }

    private func due(_ wanted: Instant?) -> Instant? { [wanted, extra].lazy.compactMap { $0 }.min() }

    /// Returns when this replica must announce unless an entry arrives.
    /// - Parameters:
    ///   - wanted: The instant from which on an entry is needed; nil if none is.
    ///   - rank: Returns the number of replicas that come before this one for an instant.
    package func nextDue(_ wanted: Instant?, rank: (Instant) -> Int) -> Instant? {
        guard let due = due(wanted) else { return nil }
        if let said, said.due == due { return said.at.advanced(bySeconds: Self.repeatInterval) }
        return due.advanced(bySeconds: Double(rank(due)) * AnnouncementOrder.interval)
    }

    /// Takes the instant to announce now; nil if there is none, or it is another replica's turn.
    package mutating func announce(_ wanted: Instant?, at now: Instant, rank: (Instant) -> Int) -> Instant? {
        // Before the rank, which costs more.
        guard let due = due(wanted), due <= now, let next = nextDue(wanted, rank: rank), next <= now else { return nil }
        said = (due, now)
        return due
    }
}
