// Tracks which of a batch's lines are stored, and which clients wait for the answer.

import Gateway
import HTTPTransport
import Persistence
import Storage
import Synchronization
import Wire

/// Tracks which of a batch's lines are stored, and which clients wait. Updated on the store's thread, in order.
final class BatchProgress: Sendable {
    private struct State {
        var exchanges: [any Responder]
        /// The answers to the stored lines.
        var body: [UInt8] = []
        var kept = 0
        var failure: StoreError?
    }

    private let lines: Int
    private let state: Mutex<State>

    /// - Parameter lines: The number of lines in all.
    init(lines: Int, _ responder: any Responder) {
        self.lines = lines
        state = Mutex(State(exchanges: [responder]))
    }

    /// Adds a client that sent the same batch again; both receive its answer.
    func join(_ responder: any Responder) { state.withLock { $0.exchanges.append(responder) } }

    /// Removes and returns the clients; the caller answers them.
    func removeResponders() -> [any Responder] {
        state.withLock { state in
            defer { state.exchanges = [] }
            return state.exchanges
        }
    }

    /// Continues behind `lines` stored lines, which were answered with `body`.
    func restart(behind lines: Int, body: [UInt8]) {
        state.withLock { state in (state.kept, state.body) = (lines, body) }
    }

    /// Handles the result of some lines' commit. After a failure, later lines don't count.
    func record(_ result: Result<Void, StoreError>, lines: Int, body: [UInt8]) {
        state.withLock { state in
            if case .failure(let error) = result { state.failure = state.failure ?? error }
            guard state.failure == nil else { return }
            state.kept += lines
            state.body += body
        }
    }

    /// Sends the answer. Lines that are not stored are answered with the error.
    /// - Parameter error: Why lines are missing if no commit failed.
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
