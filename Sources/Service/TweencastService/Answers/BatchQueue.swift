// Runs batches in turn, one part each. A batch is answered once its last part is committed.

import Base
import Gateway
import HTTPTransport
import Machine
import Persistence
import Storage
import Wire

/// Batches that still have lines to run.
struct BatchQueue {
    private struct Running {
        let request: BatchRequest
        var progress: BatchProgress?
        /// The next line.
        var next = 0

        func part(_ ticket: Ticket) -> BatchPart {
            BatchPart(request.lines, from: next, retry: request.retry, ticket: ticket)
        }

        /// Whether `retry` names this batch.
        func isAttempt(of retry: RetryKey) -> Bool {
            request.retry?.key == retry.key && request.retry?.fingerprint == retry.fingerprint
        }
    }

    private var running = SlotTable<Running>()
    /// Batches that still have a part to run in this round.
    private var order: [Ticket] = []

    /// Whether no batch waits.
    var isEmpty: Bool { order.isEmpty }

    /// Adds a batch.
    /// - Returns: Its first part; nil if the same batch is already running, whose answer both clients receive.
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

    /// Returns the next part to run.
    mutating func next() -> BatchPart? {
        guard !order.isEmpty else { return nil }
        let ticket = order.removeFirst()
        return running[ticket]?.part(ticket)
    }

    /// Handles the outcome of a part.
    mutating func take(
        _ outcome: BatchOutcome, _ answers: PendingResponses,
        after commit: (@escaping CommitCoordinator.Follower) -> Void
    ) {
        guard let ticket = outcome.ticket, var batch = running[ticket] else { return }
        switch outcome.result {
        case .answered(let answer):
            running.remove(at: ticket)
            answers.add(answer, to: PendingResponse(batch.request.responder))
        case .worked(let work):
            let progress =
                batch.progress
                ?? BatchProgress(
                    lines: batch.request.lines.count, kept: work.kept, body: work.keptBody, batch.request.responder)
            // Another attempt, running elsewhere, had completed lines in between.
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

    /// Answers a batch whose remaining lines were not run, or whose outcome is unknown.
    mutating func fail(_ ticket: Ticket, because error: StoreError) {
        guard let batch = running.remove(at: ticket) else { return }
        order.removeAll { $0 == ticket }
        if let progress = batch.progress {
            progress.answer(orElse: error)
        } else {
            batch.request.responder.send(.problem(Problem(error)))
        }
    }

    /// Ends all batches because nothing can be stored.
    mutating func abandon(because error: StoreError, after commit: (@escaping CommitCoordinator.Follower) -> Void) {
        for ticket in order {
            guard let progress = running.remove(at: ticket)?.progress else { continue }
            // Answers after the submissions in flight, as some of them may still be stored.
            commit { _ in progress.answer(orElse: error) }
        }
        order.removeAll()
    }
}
