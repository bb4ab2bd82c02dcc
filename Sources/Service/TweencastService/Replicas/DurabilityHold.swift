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
    /// This replica's last entry that was applied and when it was sent, and the last entry that is durable.
    private var latest: UInt64 = 0
    private var sent = Instant(nanoseconds: 0)
    private var safe: UInt64 = 0
    /// The present turn's instant.
    var now = Instant(nanoseconds: 0)

    /// - Parameter isHolding: false sends answers at once: an entry that came back from the log counts as durable.
    init(isHolding: Bool) { self.isHolding = isHolding }

    /// When the first answer has waited too long.
    var deadline: Instant? { waiting.first?.since.advanced(bySeconds: PendingEntries.timeout) }

    /// Records an applied entry of this replica. Other replicas wait for their own.
    /// - Parameter sent: Clients have waited since then.
    func record(_ sequence: UInt64, sent: Instant) { (latest, self.sent) = (sequence, sent) }

    /// Calls a follower once all entries so far are durable.
    func hold(_ follower: @escaping CommitCoordinator.Follower) {
        guard isHolding, latest > safe else { return follower(.success(())) }
        waiting.append(Waiting(sequence: latest, since: sent, follower: follower))
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

    /// Fails all answers, whose outcome is unknown, after the board was reloaded or while the server stops.
    func forget(because reason: String) {
        let all = waiting
        waiting = []
        // The numbers may belong to another log now and be reused.
        (latest, safe) = (0, 0)
        for answer in all { answer.follower(.failure(StoreError(.unknown, reason))) }
    }

    /// Shifts the waiting times after the clock was set.
    func shift(byNanoseconds nanoseconds: Int64) {
        sent = sent.advanced(byNanoseconds: nanoseconds)
        for index in waiting.indices {
            waiting[index].since = waiting[index].since.advanced(byNanoseconds: nanoseconds)
        }
    }
}
