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

    /// Delays a read until this replica has applied what another process may have confirmed.
    func defers(_ query: Query, _ responder: any Responder, at now: Instant) -> Bool {
        let read = HeldReads.Read(query: query, responder: responder)
        guard query.showsBoard, mayBeBehind else { return waitsToCatchUp(read, at: now) }
        reads.add(read)
        return true
    }

    /// Answers the delayed reads for which this replica has applied enough entries, and those that can't wait any longer. Asks
    /// the log for its head on behalf of new ones.
    func showHeld(at now: Instant) {
        let isAway = logClient.status != .following
        for read in reads.take(upTo: follower.position.sequence, at: now, isAway: isAway) { show(read, at: now) }
        if let question = reads.ask(at: now) { logClient.ask(question) }
    }

    /// Answers a delayed read.
    func show(_ read: HeldReads.Read, at now: Instant) {
        if !waitsToCatchUp(read, at: now) { answer(read.query, to: read.responder, at: now) }
    }

    /// Delays a stream whose cursor is ahead of this replica.
    private func waitsToCatchUp(_ read: HeldReads.Read, at now: Instant) -> Bool {
        guard case .stream(let request) = read.query, core.publisher.isBehind(request) else { return false }
        early.add(CatchUpWaiters.Reader(request: request, responder: read.responder, since: now))
        return true
    }
}
