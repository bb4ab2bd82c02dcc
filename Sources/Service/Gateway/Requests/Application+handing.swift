// The way from a worker to the tick thread: long batches, and requests that bring new number formats, are prepared on
// another thread.

import EventStream
import HTTPTransport
import Machine
package import Wire

extension Application {
    /// Gives the tick thread something to do.
    func hand(_ asked: ServiceRequest) throws(Problem) {
        if let refusal = taker.take(asked) { throw refusal }
    }

    /// Hands a look over when its reader's locale is known to be one.
    func hand(_ asked: ServiceRequest, in locale: String?, _ responder: any Responder) throws(Problem) {
        guard let locale else { return try hand(asked) }
        let isTaken = preparation.prepare([ReaderLocale.use(locale)], in: locale) { [taker] failures in
            let problem = failures.isEmpty ? taker.take(asked) : ReaderLocale.refusal
            if let problem { responder.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.crowded }
    }

    /// Hands a change over when its formats are compiled.
    func hand(_ change: RequestDecoder.Decoded, _ responder: any Responder) throws(Problem) {
        let locale = change.stream?.locale
        if locale == nil, change.isPlain {
            if let problem = taker.take(.command(change.request, responder, stream: change.stream)) {
                responder.send(.problem(problem))
            }
            return
        }
        let uses = locale.map { [ReaderLocale.use($0)] } ?? []
        let isTaken = preparation.prepare(uses + FormatUse.all(in: change.request.command), in: locale) {
            [taker] failures in
            let isOfReader = locale != nil && failures.first?.line == ReaderLocale.line
            let problem =
                isOfReader
                ? ReaderLocale.refusal
                : failures.first?.problem ?? taker.take(.command(change.request, responder, stream: change.stream))
            if let problem { responder.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.crowded }
    }

    /// Hands a batch over when its lines are decoded and their formats compiled; a line whose format can't be is refused.
    /// - Parameter stagger: Seconds from the motion of one line to that of the next.
    func hand(
        _ lines: [ArraySlice<UInt8>], of batch: BatchRequest, stagger: Double, _ caller: Caller
    ) throws(Problem) {
        let isTaken = preparation.decode(lines) { [decoder] line throws(Problem) in
            try decoder.command(ofLine: line, caller)
        } finish: { [self] commands in
            var batch = batch
            batch.lines = commands
            Stagger.apply(stagger, to: &batch.lines)
            if let audit = guards.audit {
                batch.responder = AuditedBatch(batch.responder, audit, origin(caller), commands)
            }
            if let problem = prepareFormats(of: batch) { batch.responder.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.crowded }
    }

    /// - Returns: Why that can't be; nil when it is under way.
    private func prepareFormats(of batch: BatchRequest) -> Problem? {
        let uses = batch.lines.enumerated().flatMap { index, line -> [FormatUse] in
            guard case .success(let command) = line else { return [] }
            return FormatUse.all(in: command, line: index)
        }
        let isTaken = preparation.prepare(uses) { [taker] failures in
            var batch = batch
            for failure in failures { batch.lines[failure.line] = .failure(failure.problem) }
            if let problem = taker.take(.batch(batch)) { batch.responder.send(.problem(problem)) }
        }
        return isTaken ? nil : Self.crowded
    }

    /// More waits than is taken.
    package static let crowded = Problem(
        503, "Service Unavailable", "too many requests are waiting; try again in a moment", retryAfter: 1)
}
