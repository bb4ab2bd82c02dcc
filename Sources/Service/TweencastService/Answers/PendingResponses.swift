// Maps the machine's tickets to the requests that wait for an answer.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import Persistence
import Publishing
import Storage
import Tween
import Wire

/// Pending requests, and answers that wait for their commit.
final class PendingResponses {
    /// What to do with an answer.
    enum Purpose {
        /// Send it to the client.
        case answer
        /// Open a stream for this request. Boxed, as it is large and rare.
        indirect case stream(StreamRequest)
        /// Run this with the grant of a voucher that was redeemed.
        case spending(Spending)
    }

    private struct Asking {
        var responder: any Responder
        var purpose: Purpose
    }

    private let sender: AnswerSender
    private var asking = SlotTable<Asking>()
    private var outgoing: [OutgoingAnswer] = []

    init(_ sender: AnswerSender) { self.sender = sender }

    /// Returns a ticket for a request.
    func ticket(_ responder: any Responder, for purpose: Purpose = .answer) -> Ticket {
        asking.insert(Asking(responder: responder, purpose: purpose))
    }

    /// Withdraws the tickets of requests that were not accepted; the requests come again.
    func withdraw(_ requests: some Sequence<Request>) {
        for request in requests {
            // The batch queue owns the tickets of batches.
            if case .batch = request { continue }
            request.ticket.map { _ = asking.remove(at: $0) }
        }
    }

    /// Queues an answer.
    func add(_ given: GivenAnswer, at now: Instant) {
        guard let asker = asking.remove(at: given.ticket) else { return }
        // Redeeming a voucher changes nothing that a store would hold.
        if case .spent(let grant) = given.answer {
            if case .spending(let spend) = asker.purpose { spend(grant) }
            return
        }
        guard case .stream(let start) = given.answer, case .stream(var stream) = asker.purpose else {
            return add(given.answer, to: asker.responder)
        }
        if start.isAgain {
            guard let pattern = TopicPattern(kind: .resource(start.name.kind), parsing: start.name.id) else { return }
            stream.parts = StreamParts(TopicSelection([pattern]), stream.parts.variant)
        }
        let opening = OpenedStream(stream, answering: start, at: now)
        outgoing.append(OutgoingAnswer(responder: asker.responder, form: .stream(opening)))
    }

    /// Rejects a request at once: it can't be carried out, or its outcome is unknown.
    func refuse(_ ticket: Ticket, because error: StoreError) {
        asking.remove(at: ticket)?.responder.send(.problem(Problem(error)))
    }

    /// Rejects all pending requests.
    func refuseAll(because error: StoreError) {
        for ticket in asking.slots.indices { refuse(ticket, because: error) }
    }

    /// Queues an answer for a known responder.
    func add(_ answer: Answer, to responder: any Responder) {
        outgoing.append(OutgoingAnswer(responder: responder, form: .answer(answer)))
    }

    /// Sends this turn's answers once its changes are stored.
    func send(after commit: (@escaping CommitCoordinator.Follower) -> Void) {
        guard !outgoing.isEmpty else { return }
        let (answers, sender) = (outgoing, sender)
        outgoing.removeAll(keepingCapacity: true)
        commit { result in sender.send(answers, result) }
    }
}

/// An answer to be sent.
struct OutgoingAnswer: Sendable {
    enum Form: Sendable {
        case answer(Answer)
        case stream(OpenedStream)
    }

    var responder: any Responder
    var form: Form
}

/// Sends answers, on any thread.
struct AnswerSender: Sendable {
    let acceptor: any StreamAcceptor
    let post: @Sendable (Message) -> Void

    /// Sends a turn's answers, or a problem if the store could not save the turn's changes.
    func send(_ answers: [OutgoingAnswer], _ result: Result<Void, StoreError>) {
        for answer in answers {
            switch (result, answer.form) {
            case (.failure(let error), _): answer.responder.send(.problem(Problem(error)))
            case (.success, .answer(let content)): answer.responder.send(answer: content)
            case (.success, .stream(let opening)):
                answer.responder.stream(
                    headers: EventStreamHead.headers, to: acceptor, context: StreamHandover(opening, post: post))
            }
        }
    }
}
