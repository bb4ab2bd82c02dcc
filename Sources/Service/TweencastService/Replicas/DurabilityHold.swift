// Answers that wait until the log is as safe as was asked for.

import Persistence
import Storage
import Tween

/// Answers by the entry that they rest on.
final class DurabilityHold {
    private struct Waiting {
        var sequence: UInt64
        var since: Instant
        var follower: CommitCoordinator.Follower
    }

    private let isHolding: Bool
    private var waiting: [Waiting] = []
    /// The last of this replica's own entries that was carried out, and the last one that is safe.
    private var latest: UInt64 = 0
    private var safe: UInt64 = 0
    /// The present turn's instant.
    var now = Instant(nanoseconds: 0)

    /// - Parameter isHolding: false lets answers go at once: what was read back of the log is safe enough.
    init(isHolding: Bool) { self.isHolding = isHolding }

    /// When somebody has waited for too long.
    var deadline: Instant? { waiting.first?.since.advanced(bySeconds: PendingEntries.patience) }

    /// An entry of this replica was carried out. Those of others are theirs to make safe.
    func record(_ sequence: UInt64) { latest = sequence }

    /// Has something told once all entries so far are safe.
    func hold(_ follower: @escaping CommitCoordinator.Follower) {
        guard isHolding, latest > safe else { return follower(.success(())) }
        waiting.append(Waiting(sequence: latest, since: now, follower: follower))
    }

    /// Entries up to this one are safe.
    func release(upTo sequence: UInt64) {
        safe = max(safe, sequence)
        let ready = waiting.prefix { $0.sequence <= safe }
        waiting.removeFirst(ready.count)
        for answer in ready { answer.follower(.success(())) }
    }

    /// Tells those who have waited for too long that nothing is sure.
    func expire() {
        let late = waiting.prefix { now.seconds(since: $0.since) >= PendingEntries.patience }
        waiting.removeFirst(late.count)
        let error = StoreError(.unknown, "too few replicas of the store have it")
        for answer in late { answer.follower(.failure(error)) }
    }

    /// The board was loaded anew: nobody knows what became of what was answered last.
    func forget() {
        let all = waiting
        waiting = []
        // What was safe was another log, whose numbers come again.
        (latest, safe) = (0, 0)
        for answer in all { answer.follower(.failure(StoreError(.unknown, "the board was loaded again"))) }
    }

    /// The clock was set.
    func shift(byNanoseconds nanoseconds: Int64) {
        for index in waiting.indices {
            waiting[index].since = waiting[index].since.advanced(byNanoseconds: nanoseconds)
        }
    }
}
