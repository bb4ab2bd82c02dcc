// Who receives the machine's answer to a request, and in which form. The machine knows no forms: it keeps the whole answer for
// retries, and each attempt gets the form that it asks for.

import Base
import Board
package import EventStream
package import HTTPTransport
package import Machine
import Wire

/// A response that waits for the machine's answer.
package struct PendingResponse: Sendable {
    /// What becomes of the answer.
    package enum Form: Sendable {
        /// It is sent.
        /// - Parameters:
        ///   - isMinimal: Whether without the resource (`Prefer: return=minimal`, RFC 7240).
        ///   - extent: How much of the resource it shows.
        case answer(isMinimal: Bool, AnswerExtent)
        /// This is sent in place of an answer without content.
        indirect case made(HTTPResponse)
        /// A stream is opened. Boxed, as it is large and rare.
        indirect case stream(StreamRequest)
        /// This runs with the grant of a ticket that was redeemed.
        case spending(Spending)
    }

    package let responder: any Responder
    package let form: Form

    package init(_ responder: any Responder, _ form: Form = .answer(isMinimal: false, .whole)) {
        self.responder = responder
        self.form = form
    }

    /// Sends the machine's answer. It is encoded by the thread that sends it.
    package func send(_ answer: Answer) {
        switch form {
        case .answer(let isMinimal, let extent):
            responder.send {
                switch extent {
                case .whole: .answer(answer, isMinimal: isMinimal)
                case .naming(let readable): .answer(answer.narrowed(to: readable), isMinimal: isMinimal)
                case .sum: .sum(answer, isMinimal: isMinimal)
                }
            }
        case .made(let response):
            if case .noContent = answer { responder.send(response) } else { responder.send { .answer(answer) } }
        case .stream, .spending: responder.send { .answer(answer) }
        }
    }
}

/// How much of a resource the answer to a change shows.
package enum AnswerExtent: Sendable {
    case whole
    /// A schedule's `by` only if it names one of these.
    case naming(TopicSelection)
    /// The number's name, value and text: its sender may add to it, and not read it.
    case sum
}

/// Continues a request with the contents of its spent ticket; nil if that didn't exist. Runs on the tick thread.
package typealias Spending = @Sendable ([UInt8]?) -> Void

extension Answer {
    /// Returns the answer without a schedule's `by`, the resource whose action made it, unless the reader may read that
    /// resource. Nothing else in an answer needs a right of its own.
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
