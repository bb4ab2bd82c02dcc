// Answers that wait until the log is as safe as was asked for.

import Committing

/// Answers by the entry that they rest on.
final class HeldAnswers {
    private let isHolding: Bool
    private var waiting: [(sequence: UInt64, follower: Ledger.Follower)] = []
    /// The last entry that was carried out, and the last one that is safe.
    private var latest: UInt64 = 0
    private var safe: UInt64 = 0

    /// - Parameter isHolding: false lets answers go at once: what was read back of the log is safe enough.
    init(isHolding: Bool) { self.isHolding = isHolding }

    /// An entry was carried out.
    func note(_ sequence: UInt64) { latest = sequence }

    /// Has something told once all entries so far are safe.
    func hold(_ follower: @escaping Ledger.Follower) {
        guard isHolding, latest > safe else { return follower(.success(())) }
        waiting.append((latest, follower))
    }

    /// Entries up to this one are safe.
    func release(upTo sequence: UInt64) {
        safe = max(safe, sequence)
        let ready = waiting.prefix { $0.sequence <= safe }
        waiting.removeFirst(ready.count)
        for answer in ready { answer.follower(.success(())) }
    }

    /// Forgets who waits; they are told otherwise.
    func forget() { waiting = [] }
}
