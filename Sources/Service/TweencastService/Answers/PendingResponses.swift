// Maps the machine's waiters to the requests that wait for an answer.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import Persistence
import Publishing
import Storage
import Wire

/// Pending responses by waiter, and answers that wait for their commit.
final class PendingResponses {
    private let acceptor: any StreamAcceptor
    private let post: @Sendable (Message) -> Void
    private var waiting = SlotTable<PendingResponse>()
    private var answered: [(response: PendingResponse, answer: Answer)] = []

    init(acceptor: any StreamAcceptor, post: @escaping @Sendable (Message) -> Void) {
        self.acceptor = acceptor
        self.post = post
    }

    /// Returns a request with a waiter for its response.
    func withWaiter(_ request: Request, _ response: PendingResponse?) -> Request {
        var request = request
        request.waiter = response.map { waiting.insert($0) }
        return request
    }

    /// Queues an answer for a waiter.
    func add(_ answer: Answer, for waiter: WaiterID) {
        guard let response = waiting.remove(at: waiter) else { return }
        // Redeeming a ticket changes nothing that a store would hold.
        if case .spent(let grant) = answer {
            if case .spending(let spend) = response.form { spend(grant) }
            return
        }
        add(answer, to: response)
    }

    /// Queues an answer.
    func add(_ answer: Answer, to response: PendingResponse) { answered.append((response, answer)) }

    /// Rejects a request at once: it can't be carried out, or its outcome is unknown.
    func refuse(_ waiter: WaiterID, because error: StoreError) {
        waiting.remove(at: waiter)?.responder.send(.problem(Problem(error)))
    }

    /// Rejects all pending requests.
    func refuseAll(because error: StoreError) {
        for waiter in waiting.slots.indices { refuse(waiter, because: error) }
    }

    /// Sends this turn's answers once its changes are stored, or a problem if the store could not save them.
    func send(after commit: (@escaping CommitCoordinator.Follower) -> Void) {
        guard !answered.isEmpty else { return }
        let (answers, acceptor, post) = (answered, acceptor, post)
        answered.removeAll(keepingCapacity: true)
        commit { result in
            for (response, answer) in answers {
                if case .failure(let error) = result {
                    response.responder.send(.problem(Problem(error)))
                } else if let opening = response.stream(for: answer) {
                    let handover = StreamHandover(opening, post: post)
                    response.responder.stream(headers: EventStreamHead.headers, to: acceptor, context: handover)
                } else {
                    response.send(answer)
                }
            }
        }
    }
}

extension PendingResponse {
    /// Returns the stream that an answer opens; nil for other answers.
    fileprivate func stream(for answer: Answer) -> OpenedStream? {
        guard case .stream(let start) = answer, case .stream(var stream) = form else { return nil }
        if start.isAgain {
            // This attempt was given another name than the one whose answer is repeated.
            let pattern = TopicPattern(kind: .resource(start.name.kind), parsing: start.name.id)
            stream.parts = StreamParts(TopicSelection(pattern.map { [$0] } ?? []), stream.parts.variant)
        }
        return OpenedStream(stream, answering: start)
    }
}
