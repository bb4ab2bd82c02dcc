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

    /// Does what changes nothing on the board.
    func handle(to message: Message, at now: Instant) {
        switch message {
        case .asked(.query(.stream(let request), let responder)) where core.publisher.isBehind(request):
            early.add(CatchUpWaiters.Reader(request: request, responder: responder, since: now))
        case .open, .wantsGreeting, .asked(.query(.stream, _)), .asked(.query(.changeStream, _)):
            core.handle(to: message, at: instantShown(at: now))
        default: core.handle(to: message, at: now)
        }
    }

    /// Shows what was asked for while another process served the same address, once this one has come as far.
    func showHeld(at now: Instant) {
        let isAway = gate.status != .following
        for message in reads.take(upTo: follower.position.sequence, at: now, isAway: isAway) {
            handle(to: message, at: now)
        }
        if let question = reads.ask(at: now) { gate.ask(question) }
    }
}
