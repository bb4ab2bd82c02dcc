// Decides when a replica shows its board, and as of which instant, so that no client sees an older state than another
// process has confirmed.

import Board
import EventStream
import Gateway
import Publishing
import Replication
import Tween

extension ReplicaNode {
    /// Returns the instant as of which a greeting shows states: that of the last tick or the last entry, whichever is later.
    /// A tick before either is skipped. The next one may be before `now`, as ticks run late.
    func instantShown(at now: Instant) -> Instant {
        let clock = core.parts.clock
        return max(clock.instant(tick: clock.dueTick(at: now)), follower.position.instant)
    }

    /// Whether another process may have confirmed changes that this one has yet to apply.
    var mayBeBehind: Bool { logClient.status == .following && core.parts.sharesAddress() }

    /// Delays a read until this replica has applied what another process may have confirmed, or the events that its client
    /// has received elsewhere.
    func defers(_ query: Query, _ responder: any Responder, at now: Instant) -> Bool {
        let read = HeldReads.Read(query: query, responder: responder)
        if isAhead(query) {
            early.add(read)
        } else if query.showsBoard, mayBeBehind {
            reads.add(read)
        } else {
            return false
        }
        return true
    }

    /// Answers the delayed reads for which this replica has applied enough entries, and those that can't wait any longer. Asks
    /// the log for its head on behalf of new ones.
    func showHeld(at now: Instant) {
        let (sequence, isAway) = (follower.position.sequence, logClient.status != .following)
        for (read, _) in reads.release(upTo: sequence, at: now, isAway: isAway) {
            answer(read.query, to: read.responder, at: now)
        }
        for (read, isCurrent) in early.release(upTo: sequence, at: now) { open(read, isCurrent: isCurrent, at: now) }
        question += 1
        let asks = [reads.ask(question, at: now), early.ask(question, at: now)]
        if asks.contains(true) { logClient.ask(question) }
    }

    /// Opens a delayed stream. If this replica is still behind, any position that it could send would be older than the
    /// client's own, and later events would be sent again: the client must come back. An id that even the log lacks gets
    /// the `reset` of every unknown one.
    private func open(_ read: HeldReads.Read, isCurrent: Bool, at now: Instant) {
        guard !isCurrent, isAhead(read.query), case .stream(let request) = read.query else {
            return answer(read.query, to: read.responder, at: now)
        }
        core.refuse(request, because: .behind, on: read.responder, at: now)
    }

    /// Whether a stream's client has received events that this replica has yet to publish.
    private func isAhead(_ query: Query) -> Bool {
        if case .stream(let request) = query { core.publisher.isBehind(request) } else { false }
    }
}
