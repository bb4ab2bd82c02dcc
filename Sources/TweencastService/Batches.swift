// Batches under way: how many there may be, and which of a batch's lines the store has.

import Committing
import HTTPTransport
import Storage
import Synchronization
import Wire

/// The batches that are decoded, wait or are worked off: their lines take memory.
final class BatchBudget: Sendable {
    /// The most lines under way, of all batches together.
    static let maximumLines = 40_000
    /// The most bytes of their bodies.
    static let maximumBytes = 16 << 20

    private let used = Mutex((lines: 0, bytes: 0))

    /// Room for a batch, let go with the ticket; nil when there is none.
    func ticket(lines: Int, bytes: Int) -> BatchTicket? {
        let isTaken = used.withLock { used in
            guard used.lines + lines <= Self.maximumLines, used.bytes + bytes <= Self.maximumBytes else { return false }
            used.lines += lines
            used.bytes += bytes
            return true
        }
        return isTaken ? BatchTicket(self, lines: lines, bytes: bytes) : nil
    }

    fileprivate func free(lines: Int, bytes: Int) {
        used.withLock { used in
            used.lines -= lines
            used.bytes -= bytes
        }
    }
}

/// Room among the batches under way.
final class BatchTicket: Sendable {
    private let budget: BatchBudget
    private let lines: Int
    private let bytes: Int

    fileprivate init(_ budget: BatchBudget, lines: Int, bytes: Int) {
        self.budget = budget
        self.lines = lines
        self.bytes = bytes
    }

    deinit { budget.free(lines: lines, bytes: bytes) }
}

/// Which of a batch's lines are kept, and who waits for that. Told on the store's thread, in order.
final class BatchProgress: Sendable {
    private struct State {
        var exchanges: [any Exchange]
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
    init(lines: Int, kept: Int, body: [UInt8], _ exchange: any Exchange) {
        self.lines = lines
        state = Mutex(State(exchanges: [exchange], body: body, kept: kept))
    }

    /// Somebody sent the same batch again: both get its answer.
    func join(_ exchange: any Exchange) { state.withLock { $0.exchanges.append(exchange) } }

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
        for exchange in exchanges { exchange.send(response) }
    }
}
