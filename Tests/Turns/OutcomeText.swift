// An outcome as lines of text, whole: events with their numbers, answers with their heads and bodies, records, webhooks.

import Base
import Board
import Machine
import Tween
import Wire

enum OutcomeText {
    static func lines(of outcome: Outcome, in machine: Machine) -> [String] {
        var lines = ["turn at \(outcome.instant.nanoseconds) took \(outcome.taken) \(outcome.counts)"]
        lines += outcome.events.map(line)
        lines += (outcome.merged ?? []).map { "merged \(line($0))" }
        lines += outcome.answers.map { "answer \($0.waiter) \(line(of: $0.answer))" }
        lines += outcome.batches.map(line)
        lines += outcome.changed.map { record(of: $0, in: machine) }
        lines += outcome.retries.map { stored in
            let answer = stored.answer
            return "keep \(stored.key) \(answer.status) \(answer.head) \(text(answer.body)) \(stored.expires)"
        }
        lines += outcome.deliveries.map { "webhook \($0.id) \($0.delivery.map { "\($0)" } ?? "gone")" }
        lines += outcome.unstored.map { "unstored \($0)" }
        lines += outcome.notes.map { "note \($0)" }
        return lines
    }

    /// What is stored of a resource.
    static func record(of name: ResourceName, in machine: Machine) -> String {
        let head = "\(name.kind) \(name.id)"
        if let track = machine.engine.track(name) { return "\(head) \(text(TrackRecord.contents(of: track)))" }
        if let schedule = machine.engine.schedule(name) {
            return "\(head) \(text(ScheduleRecord.contents(of: schedule)))"
        }
        return "\(head) gone"
    }

    private static func line(_ event: NumberedEvent) -> String {
        switch event.content {
        case .one(let one):
            "event \(event.number) \(EventEncoder.name(of: one) ?? "") \(text(EventEncoder.payload(of: one)))"
        case .completions(let name, let completions):
            "event \(event.number) crowd \(text(EventEncoder.payload(of: completions, name)))"
        }
    }

    private static func line(_ batch: BatchOutcome) -> String {
        switch batch.result {
        case .answered(let answer): "batch \(batch.waiter ?? 0) \(line(of: answer))"
        case .worked(let work):
            "batch \(batch.waiter ?? 0) \(work.kept) kept, \(work.count) done, next \(work.next): \(text(work.body))"
        }
    }

    private static func line(of answer: Answer) -> String {
        if case .stream(let start) = answer {
            return "stream of \(start.name.id) after \(start.after), again: \(start.isAgain)"
        }
        return "\(answer.status) \(answer.headers) \(text(answer.body()))"
    }

    private static func text(_ contents: RecordContents) -> String {
        let parts = contents.parts.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }
        // No text: each byte is a letter of its own, and none of them ends a line.
        let body = String(decoding: contents.body.map { UInt16($0) + 0x100 }, as: UTF16.self)
        return ([body] + parts).joined(separator: " ")
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
