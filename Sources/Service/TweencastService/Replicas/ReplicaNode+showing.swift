// What is shown of the board, and when: to nobody what others were answered is still to come.

import Board
import EventStream
import Gateway
import Publishing
import Replication
import Tween

extension ReplicaNode {
    /// What a stream begins with is as of the last tick or the last entry, whichever is later: the next tick is later than
    /// both, but may be before now, for ticks are made late.
    func instantShown(at now: Instant) -> Instant {
        let clock = core.parts.clock
        return max(clock.instant(tick: clock.dueTick(at: now)), follower.position.instant)
    }

    /// Whether another process may have answered what this one has yet to carry out.
    var mayBeBehind: Bool { gate.status == .following && core.parts.sharesAddress() }

    /// Looks wait until this replica has come as far as another process may have answered.
    func defers(_ query: Query, _ responder: any Responder, at now: Instant) -> Bool {
        let read = HeldReads.Read(query: query, responder: responder)
        guard query.showsBoard, mayBeBehind else { return waitsToCatchUp(read, at: now) }
        reads.add(read)
        return true
    }

    /// Shows what was asked for while another process served the same address, once this one has come as far.
    func showHeld(at now: Instant) {
        let isAway = gate.status != .following
        for read in reads.take(upTo: follower.position.sequence, at: now, isAway: isAway) { show(read, at: now) }
        if let question = reads.ask(at: now) { gate.ask(question) }
    }

    /// Answers a look that has waited.
    func show(_ read: HeldReads.Read, at now: Instant) {
        if !waitsToCatchUp(read, at: now) { answer(read.query, to: read.responder, at: now) }
    }

    /// Has a stream wait whose reader knows more than this replica.
    private func waitsToCatchUp(_ read: HeldReads.Read, at now: Instant) -> Bool {
        guard case .stream(let request) = read.query, core.publisher.isBehind(request) else { return false }
        early.add(CatchUpWaiters.Reader(request: request, responder: read.responder, since: now))
        return true
    }
}
