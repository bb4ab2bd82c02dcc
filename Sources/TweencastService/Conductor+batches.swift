// Batches: worked off in parts, between which ticks and other requests have their turn; answered when the last part is
// committed.

import Board
import EventStream
import HTTPTransport
import Storage
import Tween
import Wire

extension Conductor {
    /// Begins a batch, or goes on with one that was cut off.
    func apply(_ request: BatchRequest, at now: Instant) {
        if let refusal { return request.exchange.send(.problem(refusal)) }
        var kept = 0
        var body: [UInt8] = []
        if let retry = request.retry {
            if let running = batches.first(where: { $0.isAttempt(of: retry) }) {
                running.progress.join(request.exchange)
                return
            }
            switch retries.finding(for: retry, at: now) {
            case .unknown:
                guard retries.admits(retry, lines: request.lines.count, at: now) else {
                    return request.exchange.send(.problem(noRoom(at: now)))
                }
            case .unfinished(let lines, let answers):
                // The same body has as many lines; more than those can't have been answered.
                kept = min(lines, request.lines.count)
                body = answers
            case .answered, .differs:
                answerAgain(retry, request.exchange, stream: nil, at: now)
                return
            }
        }
        let progress = BatchProgress(lines: request.lines.count, kept: kept, body: body, request.exchange)
        let batch = RunningBatch(request: request, progress: progress, next: kept)
        work(on: batch, at: now)
    }

    /// Whether a batch has lines left that can be worked off now.
    var hasBatchToContinue: Bool { !batches.isEmpty && admitsPortion }

    /// Works off the next part of the batch whose turn it is.
    func continueBatch(at now: Instant) {
        guard hasBatchToContinue else { return }
        work(on: batches.removeFirst(), at: now)
    }

    /// Works off everything, for a server that ends.
    func finishBatches(_ now: () -> Instant) {
        while !batches.isEmpty {
            let now = now()
            if outage != nil { abandonBatches(because: StoreError(.closed, "the server ends")) }
            if !batches.isEmpty { work(on: batches.removeFirst(), at: now) }
            commit(at: now)
        }
    }

    /// The store takes nothing: what is left of the batches is not done.
    func abandonBatches(because error: StoreError) {
        for batch in batches {
            // Behind what was handed to the store already: some of that may still be kept.
            let progress = batch.progress
            afterCommit { _ in progress.answer(orElse: error) }
        }
        batches.removeAll()
    }

    private func work(on batch: RunningBatch, at now: Instant) {
        var batch = batch
        let first = batch.next
        let end = min(first + Self.linesPerPart, batch.request.lines.count)
        let eventBytes = hub.publishedBytes
        var body: [UInt8] = []
        while batch.next < end, hub.publishedBytes - eventBytes < Self.bytesPerTurn {
            body.append(contentsOf: outcome(of: batch.request.lines[batch.next], at: now))
            body.append(UInt8(ascii: "\n"))
            publishEvents(at: now)
            batch.next += 1
        }
        notePortion()
        let (progress, count, answers) = (batch.progress, batch.next - first, body)
        turnCommands += count
        let isOver = batch.next == batch.request.lines.count
        if let retry = batch.request.retry { keep(answers, of: retry, isWhole: isOver && first == 0, isOver, at: now) }
        afterCommit { result in
            progress.take(result, lines: count, body: answers)
            if isOver { progress.answer() }
        }
        if !isOver { batches.append(batch) }
    }

    /// Has a retry go on behind these lines.
    private func keep(_ body: [UInt8], of retry: RetryKey, isWhole: Bool, _ isOver: Bool, at now: Instant) {
        if !isWhole { remember(retries.remember(lines: body, of: retry, at: now)) }
        guard isOver else { return }
        let answer = KeptAnswer(
            status: 200, headers: ["Content-Type: application/x-ndjson"], content: .body(isWhole ? body : []))
        remember(retries.remember(answer, to: retry, at: now))
    }

    private func outcome(of line: Result<Command, Problem>, at now: Instant) -> [UInt8] {
        switch line {
        case .failure(let problem):
            return problem.body
        case .success(let command):
            do throws(CommandError) {
                let acceptance = try engine.apply(command, at: now)
                var json = JSONWriter()
                json.object {
                    $0.member("status", acceptance.created ? 201 : 200)
                    if acceptance.revision > 0 { $0.member("revision", String(acceptance.revision)) }
                    if let animation = acceptance.animation { $0.member("animation", String(animation)) }
                }
                return json.bytes
            } catch {
                return Problem(error).body
            }
        }
    }
}
