// Answers without a schedule's `by`, the resource whose action made it, for clients that may not read that resource.

import Board
package import EventStream
import HTTPTransport
package import Machine
import Wire

/// Removes `by` from schedules in answers. Nothing else in an answer needs a right of its own.
final class NarrowedResponder: Responder {
    private let responder: any Responder
    private let readable: TopicSelection

    init(_ responder: any Responder, readable: TopicSelection) {
        self.responder = responder
        self.readable = readable
    }

    func send(answer: Answer) { responder.send(answer: answer.narrowed(to: readable)) }
    func send(_ response: HTTPResponse) { responder.send(response) }
    func send(_ make: @escaping @Sendable () -> HTTPResponse) { responder.send(make) }
    func send(_ head: HTTPResponse, bodyFrom source: any BodySource) { responder.send(head, bodyFrom: source) }
    func stream(headers: [(String, String)], to acceptor: any StreamAcceptor, context: any StreamContext) {
        responder.stream(headers: headers, to: acceptor, context: context)
    }
}

extension Answer {
    fileprivate func narrowed(to readable: TopicSelection) -> Answer {
        switch self {
        case .resource(let state, let status, let isNew):
            return .resource(state.narrowed(to: readable), status: status, isNew: isNew)
        // The stored answer is complete, for all readers.
        case .again(var kept, let state):
            let mayRead = { readable.matches(TopicName($0)) }
            kept.body = ActionOrigin.withheld(from: kept.body, unless: mayRead) ?? kept.body
            return .again(kept, state: state?.narrowed(to: readable))
        case .problem, .noContent, .schedules, .spent, .stream: return self
        }
    }
}

extension ResourceState {
    /// Returns the state without a schedule's `by`, unless the reader may read that resource.
    package func narrowed(to readable: TopicSelection) -> ResourceState {
        guard case .schedule(var schedule, let isHeld, let preview) = content, let origin = schedule.origin,
            !readable.matches(TopicName(origin))
        else { return self }
        var narrowed = self
        schedule.origin = nil
        narrowed.content = .schedule(schedule, isHeld: isHeld, preview: preview)
        return narrowed
    }
}
