// Which of a batch's lines the store has, and who waits for that.

import Gateway
import HTTPTransport
import Persistence
import Storage
import Synchronization
import Wire

/// Which of a batch's lines are kept, and who waits for that. Told on the store's thread, in order.
final class BatchProgress: Sendable {
    private struct State {
        var exchanges: [any Responder]
        /// The answers to the lines that are kept.
        var body: [UInt8]
        var kept: Int
        var failure: StoreError?
    }

    private let lines: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - lines: How many there are in all.
    ///   - kept: How many are kept from an earlier attempt.
    ///   - body: The answers to those.
    init(lines: Int, kept: Int, body: [UInt8], _ responder: any Responder) {
        self.lines = lines
        state = Mutex(State(exchanges: [responder], body: body, kept: kept))
    }

    /// Somebody sent the same batch again: both get its answer.
    func join(_ responder: any Responder) { state.withLock { $0.exchanges.append(responder) } }

    /// So many lines were answered with this.
    func restart(behind lines: Int, body: [UInt8]) {
        state.withLock { state in (state.kept, state.body) = (lines, body) }
    }

    /// Takes in what became of some lines' commit. Behind one that failed none counts.
    func take(_ result: Result<Void, StoreError>, lines: Int, body: [UInt8]) {
        state.withLock { state in
            if case .failure(let error) = result { state.failure = state.failure ?? error }
            guard state.failure == nil else { return }
            state.kept += lines
            state.body += body
        }
    }

    /// Answers; lines that are not kept are answered with the reason.
    /// - Parameter error: Why there are such, where no commit failed.
    func answer(orElse error: StoreError = StoreError(.failed, "the batch was cut off")) {
        let (exchanges, response) = state.withLock { state in
            defer { state.exchanges = [] }
            let missing = lines - state.kept
            let problem = Problem(state.failure ?? error)
            if missing == lines, lines > 0 { return (state.exchanges, HTTPResponse.problem(problem)) }
            let line = problem.body + [UInt8(ascii: "\n")]
            for _ in 0..<missing { state.body += line }
            return (state.exchanges, HTTPResponse.lines(state.body))
        }
        for responder in exchanges { responder.send(response) }
    }
}
