// Answers that wait until the log has the requested durability.

import Persistence
import Storage
import Tween

/// Answers, by the log entry that they depend on.
final class DurabilityHold {
    private struct Waiting {
        var sequence: UInt64
        var since: Instant
        var follower: CommitCoordinator.Follower
    }

    private let isHolding: Bool
    private var waiting: [Waiting] = []
    /// This replica's last entry that was applied, and the last entry that is durable.
    private var latest: UInt64 = 0
    private var safe: UInt64 = 0
    /// The present turn's instant.
    var now = Instant(nanoseconds: 0)

    /// - Parameter isHolding: false sends answers at once: an entry that came back from the log counts as durable.
    init(isHolding: Bool) { self.isHolding = isHolding }

    /// When the first answer has waited too long.
    var deadline: Instant? { waiting.first?.since.advanced(bySeconds: PendingEntries.timeout) }

    /// Records an applied entry of this replica. Other replicas wait for their own.
    func record(_ sequence: UInt64) { latest = sequence }

    /// Calls a follower once all entries so far are durable.
    func hold(_ follower: @escaping CommitCoordinator.Follower) {
        guard isHolding, latest > safe else { return follower(.success(())) }
        waiting.append(Waiting(sequence: latest, since: now, follower: follower))
    }

    /// Releases the answers up to an entry that is durable.
    func release(upTo sequence: UInt64) {
        safe = max(safe, sequence)
        let ready = waiting.prefix { $0.sequence <= safe }
        waiting.removeFirst(ready.count)
        for answer in ready { answer.follower(.success(())) }
    }

    /// Fails answers that have waited too long: their outcome is unknown.
    func expire() {
        let late = waiting.prefix { now.seconds(since: $0.since) >= PendingEntries.timeout }
        waiting.removeFirst(late.count)
        let error = StoreError(.unknown, "too few replicas of the Redis have it")
        for answer in late { answer.follower(.failure(error)) }
    }

    /// Fails all answers after the board was reloaded: their outcome is unknown.
    func forget() {
        let all = waiting
        waiting = []
        // The numbers may belong to another log now and be reused.
        (latest, safe) = (0, 0)
        for answer in all { answer.follower(.failure(StoreError(.unknown, "the board was loaded again"))) }
    }

    /// Shifts the waiting times after the clock was set.
    func shift(byNanoseconds nanoseconds: Int64) {
        for index in waiting.indices {
            waiting[index].since = waiting[index].since.advanced(byNanoseconds: nanoseconds)
        }
    }
}
