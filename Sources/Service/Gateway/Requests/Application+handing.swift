// Passes requests from a worker to the tick thread. Another thread first prepares long batches and requests with new number
// formats.

import Board
import EventStream
import HTTPTransport
import Machine
package import Wire

extension Application {
    /// Passes a request to the tick thread.
    func submit(_ asked: ServiceRequest) throws(Problem) {
        if let refusal = taker.submit(asked) { throw refusal }
    }

    /// Passes a read on, once its locale is known to exist.
    func submit(
        _ asked: ServiceRequest, in locale: String?, of request: HTTPRequest, _ responder: any Responder
    ) throws(Problem) {
        guard let locale else { return try submit(asked) }
        let use = ReaderLocale.use(locale, isInBody: request.query(ReaderLocale.name) == nil)
        let isTaken = preparation.prepare([use], in: locale) { [taker] failures in
            let problem = failures.first?.problem ?? taker.submit(asked)
            if let problem { responder.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.busy }
    }

    /// Passes a change on, once its formats are compiled.
    func submit(_ change: RequestDecoder.Decoded, _ response: PendingResponse) throws(Problem) {
        let asked = ServiceRequest.change(.command(change.request), response)
        let locale = change.stream?.locale
        if locale == nil, change.isPlain {
            if let problem = taker.submit(asked) { response.responder.send(.problem(problem)) }
            return
        }
        let uses = locale.map { [ReaderLocale.use($0)] } ?? []
        let isTaken = preparation.prepare(uses + FormatUse.all(in: change.request.command), in: locale) {
            [taker] failures in
            let problem = failures.first?.problem ?? taker.submit(asked)
            if let problem { response.responder.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.busy }
    }

    /// Passes a batch on, once its lines are decoded and their formats compiled. A line with an invalid format is rejected.
    /// - Parameter stagger: Seconds between the motions of consecutive lines.
    func submit(
        _ lines: [ArraySlice<UInt8>], of batch: BatchRequest, stagger: Double, _ caller: Caller
    ) throws(Problem) {
        let owner = guards.limits.owner(of: caller)
        let isTaken = preparation.decode(lines) { [decoder] index, line throws(Problem) in
            try decoder.command(ofLine: line, at: index, stagger: stagger, caller).posted(by: owner)
        } finish: { [self] commands in
            var batch = batch
            batch.lines = commands
            batch.responder = SumBatch.responder(batch.responder, caller, commands)
            if let audit = guards.audit {
                batch.responder = AuditedBatch(batch.responder, audit, origin(caller), commands)
            }
            if let problem = prepareFormats(of: batch) { batch.responder.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.busy }
    }

    /// - Returns: The error if too many requests are waiting; nil if preparation has begun.
    private func prepareFormats(of batch: BatchRequest) -> Problem? {
        let uses = batch.lines.enumerated().flatMap { index, line -> [FormatUse] in
            guard case .success(let command) = line else { return [] }
            return FormatUse.all(in: command, line: index)
        }
        let isTaken = preparation.prepare(uses) { [taker] failures in
            var batch = batch
            for failure in failures { batch.lines[failure.line] = .failure(failure.problem) }
            if let problem = taker.submit(.batch(batch)) { batch.responder.send(.problem(problem)) }
        }
        return isTaken ? nil : Self.busy
    }

    /// Too many requests are waiting.
    package static let busy = Problem(
        503, "Service Unavailable", "too many requests are waiting; try again in a moment", retryAfter: 1)
}
