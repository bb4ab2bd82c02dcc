// Who is to be answered: the machine knows a ticket, this desk whose it is.

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

/// Requests under way, and their answers until the commit that they wait for.
final class PendingResponses {
    /// What is done with an answer.
    enum Purpose {
        /// It is written.
        case answer
        /// It is a stream, of which this was asked. Boxed, as it is large and rare.
        indirect case stream(StreamRequest)
        /// A spent voucher is good for this.
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

    /// A ticket for a request.
    func ticket(_ responder: any Responder, for purpose: Purpose = .answer) -> Ticket {
        asking.insert(Asking(responder: responder, purpose: purpose))
    }

    /// Takes back the tickets of requests that were not taken; they come again.
    func withdraw(_ requests: some Sequence<Request>) {
        for request in requests {
            // A batch's ticket is of another desk.
            if case .batch = request { continue }
            request.ticket.map { _ = asking.remove(at: $0) }
        }
    }

    /// Takes an answer in.
    func add(_ given: GivenAnswer, at now: Instant) {
        guard let asker = asking.remove(at: given.ticket) else { return }
        // Spending changes nothing that a store would keep.
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

    /// Tells somebody at once that the request can't be carried out, or that nobody knows.
    func refuse(_ ticket: Ticket, because error: StoreError) {
        asking.remove(at: ticket)?.responder.send(.problem(Problem(error)))
    }

    /// The same to everybody who waits.
    func refuseAll(because error: StoreError) {
        for ticket in asking.slots.indices { refuse(ticket, because: error) }
    }

    /// Takes an answer in whose asker is known.
    func add(_ answer: Answer, to responder: any Responder) {
        outgoing.append(OutgoingAnswer(responder: responder, form: .answer(answer)))
    }

    /// Has this turn's answers sent when its changes are stored.
    func send(after commit: (@escaping CommitCoordinator.Follower) -> Void) {
        guard !outgoing.isEmpty else { return }
        let (answers, sender) = (outgoing, sender)
        outgoing.removeAll(keepingCapacity: true)
        commit { result in sender.send(answers, result) }
    }
}

/// An answer on its way out.
struct OutgoingAnswer: Sendable {
    enum Form: Sendable {
        case answer(Answer)
        case stream(OpenedStream)
    }

    var responder: any Responder
    var form: Form
}

/// Sends answers, from any thread.
struct AnswerSender: Sendable {
    let acceptor: any StreamAcceptor
    let post: @Sendable (Message) -> Void

    /// Sends a turn's answers, or says that the store could not take its changes.
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
