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
    /// Why tickets are rejected now; nil if they are accepted. Stores don't hold them.
    var ticketRefusal: StoreError? { get }
    /// Submits a client's request.
    func submit(_ request: Request, at now: Instant)
    /// Submits a batch's first part.
    func submit(_ part: BatchPart, at now: Instant)
    /// Submits one of the service's own requests.
    func submit(own request: Request, at now: Instant)

    func handle(_ news: StoreNotice, at now: Instant)
    func handle(_ news: LogNotice, at now: Instant)
    /// Handles time zones that were read again.
    func adopt(_ rules: any CalendarRules, at now: Instant)
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
    func handle(_ message: Message, at now: Instant) {
        switch message {
        case .asked(.change(let request, let response)):
            if let refusal = refusal(of: request) {
                response?.responder.send(.problem(Problem(refusal)))
            } else {
                submit(core.answers.withWaiter(request, response), at: now)
            }
        case .asked(.batch(let batch)): begin(batch, at: now)
        case .asked(.query(let query, let responder)):
            if !defers(query, responder, at: now) { answer(query, to: responder, at: now) }
        case .open(let opening, let key): core.open(opening, key, at: instantShown(at: now))
        case .wantsGreeting(let key): core.greet(key, at: instantShown(at: now))
        case .closed(let key, let end): core.close(key, end, at: now)
        case .inspected(let reports, let number): core.receive(reports, number: number)
        case .wantsPortion(let portion): core.lists.add(portion)
        case .listEnded(let owner): core.lists.end(of: owner)
        case .store(let news): handle(news, at: now)
        case .log(let news): handle(news, at: now)
        case .webhookEnded(let id, let outcome):
            if let request = core.endCall(id, outcome) { submit(own: request, at: now) }
        case .zones(let rules): adopt(rules, at: now)
        case .updateRate(let rate): setUpdateRate(rate)
        case .reviewPermits: core.publisher.reviewPermits(at: now)
        case .drain: core.drain(at: now)
        }
    }

    /// Why a request is rejected now; nil if it is accepted.
    func refusal(of request: Request) -> StoreError? { request.isOfTicket ? ticketRefusal : refusal }

    /// Whether streams' topics have taken so much work since then that a turn ends: that is about two milliseconds.
    func hasWorkedForTopics(since known: Int) -> Bool { core.publisher.subscriptionWork - known >= 2_000 }

    private func begin(_ batch: BatchRequest, at now: Instant) {
        if let refusal { return batch.responder.send(.problem(Problem(refusal))) }
        if let part = core.batches.begin(batch) { submit(part, at: now) }
    }

    /// Answers a query from the present state.
    func answer(_ query: Query, to responder: any Responder, at now: Instant) {
        core.answer(query, to: responder, at: query.changesStream ? instantShown(at: now) : now)
    }

    /// Whether the next tick has work: a moving track has subscribers, or data waits to be sent.
    var wantsTick: Bool { core.publisher.wantsTick || core.withMachine { $0.wantsTick } }
}

extension Request {
    fileprivate var isOfTicket: Bool {
        switch self {
        case .ticketMade, .ticketSpent: true
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
