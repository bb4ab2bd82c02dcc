// The way from a worker to the tick thread: long batches, and requests that bring new number formats, are prepared on
// another thread.

import HTTPTransport
import Wire

extension Application {
    /// Gives the tick thread something to do.
    func hand(_ message: Message) throws(Problem) {
        if let refusal = give(message) { throw refusal }
    }

    /// Hands a change over when its formats are compiled.
    func hand(_ change: CommandRequest, _ exchange: HTTPExchange) throws(Problem) {
        let isTaken = preparation.prepare(FormatUse.all(in: change.command)) { [self] failures in
            if let problem = failures.first?.problem ?? give(.command(change)) { exchange.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.crowded }
    }

    /// Hands a batch over when its lines are decoded and their formats compiled; a line whose format can't be is refused.
    func hand(_ lines: [ArraySlice<UInt8>], of batch: BatchRequest) throws(Problem) {
        let isTaken = preparation.decode(lines) { [self] line throws(Problem) in
            try command(ofLine: line)
        } finish: { [self] commands in
            var batch = batch
            batch.lines = commands
            if let problem = prepareFormats(of: batch) { batch.exchange.send(.problem(problem)) }
        }
        guard isTaken else { throw Self.crowded }
    }

    /// - Returns: Why that can't be; nil when it is under way.
    private func prepareFormats(of batch: BatchRequest) -> Problem? {
        let uses = batch.lines.enumerated().flatMap { index, line -> [FormatUse] in
            guard case .success(let command) = line else { return [] }
            return FormatUse.all(in: command, line: index)
        }
        let isTaken = preparation.prepare(uses) { [self] failures in
            var batch = batch
            for failure in failures { batch.lines[failure.line] = .failure(failure.problem) }
            if let problem = give(.batch(batch)) { batch.exchange.send(.problem(problem)) }
        }
        return isTaken ? nil : Self.crowded
    }

    /// Gives the tick thread something to do, from any thread.
    /// - Returns: Why that can't be; nil when it was given.
    private func give(_ message: Message) -> Problem? {
        let now = clock.monotonic()
        // Whoever waited for a thread that is stuck would wait as long as it is.
        guard watch.stuck(at: now) == nil else {
            return Problem(
                503, "Service Unavailable", "the server is not responding; try again in a moment", retryAfter: 5)
        }
        watch.expect(at: now)
        return post(message) ? nil : Self.crowded
    }

    private static let crowded = Problem(
        503, "Service Unavailable", "too many requests are waiting; try again in a moment", retryAfter: 1)
}
