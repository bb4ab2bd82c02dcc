// Answers that wait until the log has the requested durability.

import Persistence
import Replication
import Storage
import Tween

/// Answers, by the log entry that they depend on. The number of connections and of lines in batches bounds them.
final class DurabilityHold {
    private typealias Answer = (sequence: UInt64, follower: CommitCoordinator.Follower)

    private let isHolding: Bool
    private var answers = Waiters<Answer>(timeout: PendingEntries.timeout)
    /// This replica's last entry that was applied, and when it was sent.
    private var latest = LogPosition.start
    private var sent = Instant(nanoseconds: 0)
    /// This replica's last entry that is durable; it may not be applied yet.
    private var durable: EntryName?
    /// The last entry that was applied and is durable.
    private var safe: UInt64 = 0

    /// - Parameter isHolding: false sends answers at once: an entry that came back from the log counts as durable.
    init(isHolding: Bool) { self.isHolding = isHolding }

    /// When the first answer has waited too long.
    var deadline: Instant? { answers.deadline() }

    /// Records an applied entry of this replica. Other replicas wait for their own.
    /// - Parameter sent: Clients have waited since then.
    func record(_ entry: LogPosition, sent: Instant) { (latest, self.sent) = (entry, sent) }

    /// Calls a follower once all entries so far are durable.
    func hold(_ follower: @escaping CommitCoordinator.Follower) {
        guard isHolding, latest.sequence > safe else { return follower(.success(())) }
        answers.add((latest.sequence, follower), since: sent)
    }

    /// Records that this replica's last entry in the log is durable.
    func confirm(_ entry: EntryName) {
        durable = entry
        release()
    }

    /// Releases the answers up to the entry that is durable, once that is applied: so what was applied before it is in the same
    /// log, and not in one that a promoted server has lost.
    func release() {
        guard latest.name == durable else { return }
        safe = latest.sequence
        for answer in answers.removeFirst(while: { $0.sequence <= safe }) { answer.follower(.success(())) }
    }

    /// Fails answers that have waited too long: their outcome is unknown.
    func expire(at now: Instant) {
        fail(answers.removeFirst(orLateAt: now), because: "too few replicas of the Redis have it")
    }

    /// Fails all answers, whose outcome is unknown, after the board was reloaded or while the server stops.
    func forget(because reason: String) {
        // The numbers may belong to another log now and be reused.
        (latest, durable, safe) = (.start, nil, 0)
        fail(answers.drain(), because: reason)
    }

    private func fail(_ answers: [Answer], because reason: String) {
        for answer in answers { answer.follower(.failure(StoreError(.unknown, reason))) }
    }

    /// Shifts the waiting times after the clock was set.
    func shift(byNanoseconds nanoseconds: Int64) {
        sent = sent.advanced(byNanoseconds: nanoseconds)
        answers.shift(byNanoseconds: nanoseconds)
    }
}
