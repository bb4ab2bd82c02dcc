// Handles each message to the tick thread. The requirements of `Node` are what differs between a store of this process and a
// shared log.

import Board
import EventStream
import Gateway
import Machine
import Persistence
import Publishing
import RecurrenceRules
import Replication
import Storage
import Tween
import Wire

/// Runs turns with any kind of persistence. Owned by the tick thread.
protocol Node: TickDriven {
    var core: ServiceCore { get }

    /// Why changes are rejected now; nil if they are accepted.
    var refusal: StoreError? { get }
    /// Why vouchers (one-time tickets) are rejected now; nil if they are accepted. Stores don't hold them.
    var voucherRefusal: StoreError? { get }
    /// Submits a client's request. The machine may receive it together with the next ones.
    func submit(_ request: Request)
    /// Submits a batch's first part.
    func submit(_ part: BatchPart)
    /// Submits one of the service's own requests.
    func submit(own request: Request)
    /// Applies what was submitted, ahead of a message that follows it.
    /// - Returns: false if the turn has no room for that message.
    func catchUp() -> Bool

    func take(_ news: StoreNotice, at now: Instant)
    func take(_ news: LogNotice, at now: Instant)
    /// Handles time zones that were read again.
    func follow(_ rules: any CalendarRules, at now: Instant)
    /// Sets the update rate of actions.
    func setUpdateRate(_ rate: Int)
    /// Delays a query that can't be answered yet.
    /// - Returns: false if the query must be answered now.
    func defers(_ query: Query, _ responder: any Responder, at now: Instant) -> Bool
    /// Returns the instant as of which a stream's greeting shows states.
    func instantShown(at now: Instant) -> Instant
}

extension Node {
    /// Handles a message.
    /// - Returns: false if the turn has no room, so that the message must come again in the next one.
    func take(_ message: Message, at now: Instant) -> Bool {
        switch message {
        case .asked(.change(let request, let response)): submit(request, answering: response)
        case .asked(.batch(let batch)): inOrder { begin(batch) }
        case .asked(.query(let query, let responder)):
            inOrder { if !defers(query, responder, at: now) { answer(query, to: responder, at: now) } }
        case .open(let opening, let key): inOrder { core.open(opening, key, at: instantShown(at: now)) }
        case .wantsGreeting(let key): inOrder { core.greet(key, at: instantShown(at: now)) }
        case .closed(let key, let end): inOrder { core.close(key, end, at: now) }
        case .inspected(let reports, let ticket): inOrder { core.take(reports, ticket: ticket) }
        case .wantsPortion(let portion): inOrder { core.lists.add(portion) }
        case .listEnded(let owner): inOrder { core.lists.end(of: owner) }
        case .store(let news): inOrder { take(news, at: now) }
        case .log(let news): inOrder { take(news, at: now) }
        case .webhookEnded(let id, let outcome):
            inOrder { if let request = core.endCall(id, outcome) { submit(own: request) } }
        case .zones(let rules): inOrder { follow(rules, at: now) }
        case .updateRate(let rate): inOrder { setUpdateRate(rate) }
        case .reviewPermits: inOrder { core.publisher.reviewPermits(at: now) }
        case .drain: inOrder { core.drain(at: now) }
        }
    }

    /// Submits a request to the machine, or sends the client the reason for its rejection.
    private func submit(_ request: Request, answering response: PendingResponse?) -> Bool {
        if let refusal = request.isOfVoucher ? voucherRefusal : refusal {
            return inOrder { response?.responder.send(.problem(Problem(refusal))) }
        }
        var request = request
        request.ticket = response.map(core.answers.ticket)
        submit(request)
        return true
    }

    /// A turn ends once streams' topics have taken this much work: that is about two milliseconds.
    static var subscriptionWorkPerTurn: Int { 2_000 }

    /// Runs an action after what was submitted before it.
    private func inOrder(_ act: () -> Void) -> Bool {
        guard catchUp() else { return false }
        act()
        return true
    }

    private func begin(_ batch: BatchRequest) {
        if let refusal { return batch.responder.send(.problem(Problem(refusal))) }
        if let part = core.batches.begin(batch) { submit(part) }
    }

    /// Answers a query from the present state.
    func answer(_ query: Query, to responder: any Responder, at now: Instant) {
        core.answer(query, to: responder, at: query.changesStream ? instantShown(at: now) : now)
    }

    /// Whether the next tick has work: a moving track has subscribers, or data waits to be sent.
    var wantsTick: Bool { core.publisher.wantsTick || core.withMachine { $0.wantsTick } }
}

extension Request {
    fileprivate var isOfVoucher: Bool {
        switch self {
        case .voucherMade, .voucherSpent: true
        case .command, .batch, .deadLetter, .webhookEnded, .heard, .left, .outageEnded: false
        }
    }
}

extension Query {
    /// Whether the query sends states to a stream.
    fileprivate var changesStream: Bool {
        switch self {
        case .stream, .changeStream: true
        case .resource, .history, .frames, .picture, .preview, .tracks, .schedules, .failedWebhooks, .readiness,
            .metrics, .limits, .clients:
            false
        }
    }
}
