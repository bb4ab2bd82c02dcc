// The way from a worker to the tick thread: requests that bring number formats wait until those are compiled.

import HTTPTransport
import Wire

extension Application {
    /// Gives the tick thread something to do.
    func hand(_ message: Message) throws(Problem) {
        if let refusal = give(message) { throw refusal }
    }

    /// Hands a change over when its formats are compiled.
    func hand(_ change: CommandRequest, _ exchange: HTTPExchange) throws(Problem) {
        let isTaken = formats.prepare(FormatUse.all(in: change.command)) { [self] failures in
            if let problem = failures.first?.problem ?? give(.command(change)) { exchange.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.crowded }
    }

    /// Hands a batch over when the formats of its lines are compiled; a line whose format can't be is refused.
    func hand(_ batch: BatchRequest) throws(Problem) {
        let uses = batch.lines.enumerated().flatMap { index, line -> [FormatUse] in
            guard case .success(let command) = line else { return [] }
            return FormatUse.all(in: command, line: index)
        }
        let isTaken = formats.prepare(uses) { [self] failures in
            var batch = batch
            for failure in failures { batch.lines[failure.line] = .failure(failure.problem) }
            if let problem = give(.batch(batch)) { batch.exchange.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.crowded }
    }

    /// Gives the tick thread something to do, from any thread.
    /// - Returns: Why that can't be; nil when it was given.
    private func give(_ message: Message) -> Problem? {
        let now = clock.monotonic()
        // Whoever waited for a thread that is stuck would wait as long as it is.
        guard watch.stuck(at: now) == nil else {
            return Problem(503, "Service Unavailable", "the server is stuck", retryAfter: 5)
        }
        watch.expect(at: now)
        return post(message) ? nil : Self.crowded
    }

    private static let crowded = Problem(503, "Service Unavailable", "too many requests wait", retryAfter: 1)
}
