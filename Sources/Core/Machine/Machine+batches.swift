// Batches, executed a part per turn, so that ticks and other requests can run in between.

import Base
import Board
import Tween
import Wire

extension Machine {
    /// Begins or continues a batch, after any lines that an earlier request had executed.
    mutating func begin(_ part: BatchPart, at now: Instant, _ outcome: inout Outcome) {
        guard let retry = part.retry else { return work(on: part, at: now, &outcome) }
        let finding = retries.finding(for: retry, at: now)
        switch finding {
        // The same body has as many lines; there can't be answers to more.
        case .unfinished(let lines, _) where part.next > 0 && part.next == lines: work(on: part, at: now, &outcome)
        case .unfinished(let lines, let answers):
            skip(to: min(lines, part.count), of: part, answered: answers, at: now, &outcome)
        case .unknown where retries.admits(retry, lines: part.count, at: now): work(on: part, at: now, &outcome)
        case .unknown, .answered, .differs:
            let answer = answer(finding, to: retry, at: now, &outcome)
            outcome.batches.append(BatchOutcome(waiter: part.waiter, result: .answered(answer)))
        }
    }

    /// Continues after lines that an earlier or concurrent attempt executed.
    private mutating func skip(
        to next: Int, of part: BatchPart, answered body: [UInt8], at now: Instant, _ outcome: inout Outcome
    ) {
        guard (part.next...part.next + part.lines.count).contains(next) else {
            // The next line is not in this part.
            let work = BatchOutcome.Work(kept: next, keptBody: body, count: 0, body: [], next: next)
            return outcome.batches.append(BatchOutcome(waiter: part.waiter, result: .worked(work)))
        }
        work(on: part.dropping(to: next), at: now, &outcome, kept: next, body)
    }

    /// Executes the next lines of a batch.
    /// - Parameters:
    ///   - kept: The number of lines that an earlier attempt executed.
    ///   - keptBody: The answers to those.
    mutating func work(
        on part: BatchPart, at now: Instant, _ outcome: inout Outcome, kept: Int = 0, _ keptBody: [UInt8] = []
    ) {
        let bytes = outcome.counts.bytes
        var next = part.next
        var body: [UInt8] = []
        for line in part.lines.prefix(Self.linesPerPart) where outcome.counts.bytes - bytes < Self.bytesPerTurn {
            body.append(contentsOf: answer(to: line, at: now))
            body.append(UInt8(ascii: "\n"))
            collectEvents(into: &outcome)
            next += 1
        }
        outcome.isPortion = true
        outcome.counts.commands += next - part.next
        keep(body, of: part, isOver: next == part.count, at: now, &outcome)
        let work = BatchOutcome.Work(
            kept: kept, keptBody: keptBody, count: next - part.next, body: body, next: next)
        outcome.batches.append(BatchOutcome(waiter: part.waiter, result: .worked(work)))
    }

    /// Keeps the answers to these lines, so that a retry continues after them.
    private mutating func keep(
        _ body: [UInt8], of part: BatchPart, isOver: Bool, at now: Instant, _ outcome: inout Outcome
    ) {
        guard let retry = part.retry else { return }
        let isWhole = isOver && part.next == 0
        if !isWhole { outcome.retries.append(retries.remember(lines: body, of: retry, at: now)) }
        guard isOver else { return }
        let answer = KeptAnswer(
            status: 200, headers: ["Content-Type: application/x-ndjson"], content: .body(isWhole ? body : []))
        outcome.retries.append(retries.remember(answer, to: retry, at: now))
    }

    private mutating func answer(to line: Result<Command, Problem>, at now: Instant) -> [UInt8] {
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
                    if acceptance.isLate { $0.member("late", true) }
                }
                return json.bytes
            } catch {
                return Problem(error).body
            }
        }
    }
}
