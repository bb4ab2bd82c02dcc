// What becomes of each message to the tick thread: the one place that tells them apart. What is not the same with a store of
// this process and with a log that replicas share are the requirements of `Node`.

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

/// Runs turns, whatever keeps the changes. Owned by the tick thread.
protocol Node: TickDriven {
    var core: ServiceCore { get }

    /// Why no change can be taken now; nil when it can.
    var refusal: StoreError? { get }
    /// The same of one-time tickets, of which no store keeps anything.
    var voucherRefusal: StoreError? { get }
    /// Takes what a client asks of the machine, which may be given it together with what comes next.
    func submit(_ request: Request)
    /// Takes a batch's first part.
    func submit(_ part: BatchPart)
    /// Takes what the service itself asks.
    func submit(own request: Request)
    /// Has what was submitted carried out, for a message that comes behind it.
    /// - Returns: false where the turn has no room left for that message.
    func catchUp() -> Bool

    func take(_ news: StoreNotice, at now: Instant)
    func take(_ news: LogNotice, at now: Instant)
    /// The machine's rules of the time zones were read again.
    func follow(_ rules: any CalendarRules, at now: Instant)
    /// Keeps a query that can't be answered yet; it is answered later.
    /// - Returns: false for one that is to be answered now.
    func defers(_ query: Query, _ responder: any Responder, at now: Instant) -> Bool
    /// The instant as of which a stream is told the states of its topics.
    func instantShown(at now: Instant) -> Instant
}

extension Node {
    /// Takes a message in.
    /// - Returns: false where the turn has no room for it: it is to come again with the next.
    func take(_ message: Message, at now: Instant) -> Bool {
        switch message {
        case .asked(.command(var command, let responder, let stream)):
            submit(for: responder, unless: refusal) {
                command.ticket = responder.map { core.answers.ticket($0, for: stream.map { .stream($0) } ?? .answer) }
                return .command(command)
            }
        case .asked(.deadLetter(let id, let operation, let responder)):
            submit(for: responder, unless: refusal) { .deadLetter(id: id, operation, core.answers.ticket(responder)) }
        case .asked(.makeVoucher(let voucher, let responder)):
            submit(for: responder, unless: voucherRefusal) { .voucherMade(voucher, core.answers.ticket(responder)) }
        case .asked(.spendVoucher(let key, let responder, let spend)):
            submit(for: responder, unless: voucherRefusal) {
                .voucherSpent(key: key, core.answers.ticket(responder, for: .spending(spend)))
            }
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
        case .reviewPermits: inOrder { core.publisher.reviewPermits(at: now) }
        case .drain: inOrder { core.publisher.drain({ $0.shuffled() }, at: now) }
        }
    }

    /// Has the machine take a request, or tells the client why it can't be.
    private func submit(
        for responder: (any Responder)?, unless refusal: StoreError?, _ request: () -> Request
    ) -> Bool {
        if let refusal { return inOrder { responder?.send(.problem(Problem(refusal))) } }
        submit(request())
        return true
    }

    /// Does something behind what was submitted before.
    private func inOrder(_ act: () -> Void) -> Bool {
        guard catchUp() else { return false }
        act()
        return true
    }

    private func begin(_ batch: BatchRequest) {
        if let refusal { return batch.responder.send(.problem(Problem(refusal))) }
        if let part = core.batches.begin(batch) { submit(part) }
    }

    /// Answers a query by what there is.
    func answer(_ query: Query, to responder: any Responder, at now: Instant) {
        core.answer(query, to: responder, at: query.changesStream ? instantShown(at: now) : now)
    }

    /// Whether the next tick has something to do: what moves is watched, or something waits to be sent.
    var wantsTick: Bool { core.publisher.wantsTick || core.look { $0.wantsTick } }
}

extension Query {
    /// Whether a stream is told states because of it.
    fileprivate var changesStream: Bool {
        switch self {
        case .stream, .changeStream: true
        case .resource, .history, .preview, .tracks, .schedules, .failedWebhooks, .readiness, .metrics, .limits,
            .clients:
            false
        }
    }
}
