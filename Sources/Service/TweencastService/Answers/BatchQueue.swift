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
        /// There from the beginning: on a replica, a batch may come again before its first part is back from the log.
        let progress: BatchProgress
        /// The next line.
        var next = 0

        init(_ request: BatchRequest) {
            self.request = request
            progress = BatchProgress(lines: request.lines.count, request.responder)
        }

        func part(_ waiter: WaiterID) -> BatchPart {
            BatchPart(request.lines, from: next, retry: request.retry, waiter: waiter)
        }

        var attempt: Attempt? { request.retry.map { Attempt(key: $0.key, fingerprint: $0.fingerprint) } }
    }

    /// What two attempts at one batch have in common, whichever clients send them.
    private struct Attempt: Hashable {
        var key: String
        var fingerprint: UInt64
    }

    private var running = SlotTable<Running>()
    /// The running batches with a key.
    private var attempts: [Attempt: WaiterID] = [:]
    /// Batches that still have a part to run in this round.
    private var order: [WaiterID] = []

    /// Whether no batch waits.
    var isEmpty: Bool { order.isEmpty }

    /// Adds a batch.
    /// - Returns: Its first part; nil if the same batch is already running, whose answer both clients receive.
    mutating func begin(_ request: BatchRequest) -> BatchPart? {
        let batch = Running(request)
        if let known = batch.attempt.flatMap({ attempts[$0] }).flatMap({ running[$0] }) {
            known.progress.join(request.responder)
            return nil
        }
        let waiter = running.insert(batch)
        if let attempt = batch.attempt { attempts[attempt] = waiter }
        return batch.part(waiter)
    }

    @discardableResult
    private mutating func remove(_ waiter: WaiterID) -> Running? {
        guard let batch = running.remove(at: waiter) else { return nil }
        if let attempt = batch.attempt { attempts[attempt] = nil }
        return batch
    }

    /// Returns the next part to run.
    mutating func next() -> BatchPart? {
        guard !order.isEmpty else { return nil }
        let waiter = order.removeFirst()
        return running[waiter]?.part(waiter)
    }

    /// Handles the outcome of a part.
    mutating func record(
        _ outcome: BatchOutcome, _ answers: PendingResponses,
        after commit: (@escaping CommitCoordinator.Follower) -> Void
    ) {
        guard let waiter = outcome.waiter, let batch = running[waiter] else { return }
        switch outcome.result {
        case .answered(let answer):
            remove(waiter)
            for responder in batch.progress.removeResponders() { answers.add(answer, to: PendingResponse(responder)) }
        case .worked(let work):
            let progress = batch.progress
            // An earlier attempt, or one running elsewhere, had completed lines.
            if work.kept > 0 { progress.restart(behind: work.kept, body: work.keptBody) }
            let isOver = work.next == batch.request.lines.count
            commit { result in
                progress.record(result, lines: work.count, body: work.body)
                if isOver { progress.answer() }
            }
            guard !isOver else {
                remove(waiter)
                return
            }
            running.update(waiter) { $0.next = work.next }
            order.append(waiter)
        }
    }

    /// Answers a batch whose remaining lines were not run, or whose outcome is unknown.
    mutating func fail(_ waiter: WaiterID, because error: StoreError) {
        guard let batch = remove(waiter) else { return }
        order.removeAll { $0 == waiter }
        batch.progress.answer(orElse: error)
    }

    /// Ends all batches because nothing can be stored.
    mutating func abandon(because error: StoreError, after commit: (@escaping CommitCoordinator.Follower) -> Void) {
        for waiter in order {
            guard let progress = remove(waiter)?.progress else { continue }
            // Answers after the submissions in flight, as some of them may still be stored.
            commit { _ in progress.answer(orElse: error) }
        }
        order.removeAll()
    }
}
