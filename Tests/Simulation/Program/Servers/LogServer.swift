// One server of the log: its entries, and the replicas that report to it. A promoted or restored server is another one.

import Replication
import Tween
import TweencastService

/// The data of a server that keeps the log.
final class LogServer {
    /// Nanoseconds for which a lease holds after a heartbeat, and without one of which a replica counts as gone.
    private static let lease: Int64 = .seconds(3)
    private static let silence: Int64 = .seconds(10)

    private let world: World
    /// The board that the log goes on behind; nil if it has all entries since its beginning.
    let base: LoadedBoard?
    private(set) var entries: [RawEntry]
    private var members: [String: (seen: Int64, report: ReplicaReport)] = [:]
    private var steward: (name: String, until: Int64)?
    /// Whether it has another history than the server before it, so that its first session begins an epoch.
    var isOfNewHistory = false
    /// Whether it has lost all that it had.
    private(set) var isEmpty = false

    /// Begins a log: an empty one, or one behind a board that a replica has written back.
    init(_ world: World, base: LoadedBoard? = nil, entries: [RawEntry] = []) {
        (self.world, self.base, self.entries) = (world, base, entries)
    }

    /// Returns a server that lacks the last entries, but for the first.
    func copy(lacking count: Int) -> LogServer {
        let kept = max(base == nil ? 1 : 0, entries.count - count)
        let copy = LogServer(world, base: base, entries: Array(entries.prefix(kept)))
        (copy.members, copy.steward, copy.isOfNewHistory) = (members, steward, true)
        return copy
    }

    /// Loses all that it has.
    func empty() {
        isEmpty = true
        entries = []
        (members, steward) = ([:], nil)
    }

    // MARK: - Entries

    /// Unix nanoseconds, in whole microseconds.
    var now: Instant { Instant(nanoseconds: (SimulatedMachine.beginning + world.now) / 1_000 * 1_000) }
    private var start: LogPosition { base?.follower.position ?? .start }
    var head: LogPosition { entries.last?.position ?? start }

    /// Appends an entry, unless the log has passed the instant that it announces.
    /// - Returns: The entry; nil if it was dropped.
    func append(_ draft: DraftEntry) -> RawEntry? {
        if let due = draft.due, head.instant > due { return nil }
        let instant = head.sequence == 0 ? now : max(now, head.instant.advanced(byNanoseconds: .microseconds(1)))
        let position = LogPosition(sequence: head.sequence + 1, instant: instant, name: draft.name)
        let entry = RawEntry(position: position, previous: head.name, payload: draft.payload)
        entries.append(entry)
        return entry
    }

    /// Returns the entries that it has behind this one.
    func entries(behind sequence: UInt64) -> ArraySlice<RawEntry> {
        entries.dropFirst(sequence > start.sequence ? Int(sequence - start.sequence) : 0)
    }

    // MARK: - Replicas

    /// Records a heartbeat.
    func beat(of report: ReplicaReport, monotonic: Int64) -> Membership {
        let now = now.nanoseconds
        members[report.name] = (now, report)
        if steward.map({ $0.until < now }) ?? true, report.isFollowing { steward = (report.name, 0) }
        var membership = Membership()
        if steward?.name == report.name {
            if report.isFollowing { steward?.until = now + Self.lease } else { steward = nil }
            if steward != nil { membership.stewardUntil = monotonic + Self.lease }
        }
        membership.othersSilence = nil
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            let silence = now - member.seen
            if name != report.name {
                membership.othersSilence = min(membership.othersSilence ?? .max, silence / 1_000)
            }
            if silence > Self.silence {
                membership.gone.append(name)
            } else {
                membership.replicas.append(member.report)
            }
        }
        membership.head = head
        (membership.reported, membership.reportedEntry) = (report.sequence, report.entry)
        return membership
    }

    func leave(_ name: String) {
        members[name] = nil
        if steward?.name == name { steward = nil }
    }
}
