// Batches under way: they take turns, a part each, and are answered when the last part is committed.

import Base
import Gateway
import HTTPTransport
import Machine
import Persistence
import Storage
import Wire

/// Batches with lines that were not worked off yet.
struct BatchQueue {
    private struct Running {
        let request: BatchRequest
        var progress: BatchProgress?
        /// The line that comes next.
        var next = 0

        func part(_ ticket: Ticket) -> BatchPart {
            BatchPart(request.lines, from: next, retry: request.retry, ticket: ticket)
        }

        /// Whether it is the batch that somebody sends again.
        func isAttempt(of retry: RetryKey) -> Bool {
            request.retry?.key == retry.key && request.retry?.fingerprint == retry.fingerprint
        }
    }

    private var running = SlotTable<Running>()
    /// Those whose part of this round is still to come.
    private var order: [Ticket] = []

    /// Whether nothing waits to be worked off.
    var isEmpty: Bool { order.isEmpty }

    /// Takes a batch in.
    /// - Returns: Its first part; nil when the same batch is under way, whose answer both get.
    mutating func begin(_ request: BatchRequest) -> BatchPart? {
        if let retry = request.retry,
            let known = running.slots.lazy.compactMap({ $0 }).first(where: { $0.isAttempt(of: retry) })
        {
            known.progress?.join(request.responder)
            return nil
        }
        let batch = Running(request: request)
        return batch.part(running.insert(batch))
    }

    /// The part whose turn it is.
    mutating func next() -> BatchPart? {
        guard !order.isEmpty else { return nil }
        let ticket = order.removeFirst()
        return running[ticket]?.part(ticket)
    }

    /// Takes in what became of a part.
    mutating func take(
        _ outcome: BatchOutcome, _ answers: PendingResponses,
        after commit: (@escaping CommitCoordinator.Follower) -> Void
    ) {
        guard let ticket = outcome.ticket, var batch = running[ticket] else { return }
        switch outcome.result {
        case .answered(let answer):
            running.remove(at: ticket)
            answers.add(answer, to: batch.request.responder)
        case .worked(let work):
            let progress =
                batch.progress
                ?? BatchProgress(
                    lines: batch.request.lines.count, kept: work.kept, body: work.keptBody, batch.request.responder)
            // Another attempt, under way elsewhere, had worked off lines in between.
            if batch.progress != nil, work.kept > 0 { progress.restart(behind: work.kept, body: work.keptBody) }
            let isOver = work.next == batch.request.lines.count
            commit { result in
                progress.take(result, lines: work.count, body: work.body)
                if isOver { progress.answer() }
            }
            guard !isOver else {
                running.remove(at: ticket)
                return
            }
            batch.progress = progress
            batch.next = work.next
            running.update(ticket) { $0 = batch }
            order.append(ticket)
        }
    }

    /// What is left of a batch is not done, or nobody knows.
    mutating func fail(_ ticket: Ticket, because error: StoreError) {
        guard let batch = running.remove(at: ticket) else { return }
        order.removeAll { $0 == ticket }
        if let progress = batch.progress {
            progress.answer(orElse: error)
        } else {
            batch.request.responder.send(.problem(Problem(error)))
        }
    }

    /// Nothing can be stored: what is left of the batches is not done.
    mutating func abandon(because error: StoreError, after commit: (@escaping CommitCoordinator.Follower) -> Void) {
        for ticket in order {
            guard let progress = running.remove(at: ticket)?.progress else { continue }
            // Behind what was handed to the store already: some of that may still be kept.
            commit { _ in progress.answer(orElse: error) }
        }
        order.removeAll()
    }
}
