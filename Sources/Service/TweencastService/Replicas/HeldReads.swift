// Delays reads while two processes serve one address, as during a handover. A client that changed something through one
// process then sees it through the other, even if that process lags.

import Gateway
import Tween

/// Reads that wait until this replica has applied what the log held when they arrived. The number of connections bounds
/// them.
struct HeldReads {
    struct Read {
        var query: Query
        var responder: any Responder
    }

    /// A question for the log's head, with the reads that wait for the answer.
    private struct Question {
        var number: UInt64
        var since: Instant
        var reads: [Read]
        /// The log's head; nil until it is known.
        var sequence: UInt64?
    }

    /// Seconds that a read waits. After that, it is answered with the present board.
    static let timeout = 2.0

    private var questions: [Question] = []
    private var number: UInt64 = 0
    private var gathered: [Read] = []

    /// When the first read has waited long enough.
    var deadline: Instant? { questions.first?.since.advanced(bySeconds: Self.timeout) }

    mutating func add(_ read: Read) { gathered.append(read) }

    /// Returns the next question, if reads have arrived since the last one.
    mutating func ask(at now: Instant) -> UInt64? {
        guard !gathered.isEmpty else { return nil }
        number += 1
        questions.append(Question(number: number, since: now, reads: gathered))
        gathered = []
        return number
    }

    /// Records the head of the log at a question; it holds for earlier questions, too.
    mutating func record(_ sequence: UInt64, question: UInt64) {
        for index in questions.indices where questions[index].number <= question {
            questions[index].sequence = questions[index].sequence ?? sequence
        }
    }

    /// Removes and returns the reads that can be answered, in order.
    /// - Parameters:
    ///   - sequence: The last entry that was applied.
    ///   - isAway: Whether the log's head can't be found out.
    mutating func take(upTo sequence: UInt64, at now: Instant, isAway: Bool) -> [Read] {
        let ready = questions.prefix { question in
            isAway || (question.sequence.map { $0 <= sequence } ?? false)
                || now.seconds(since: question.since) >= Self.timeout
        }
        guard !ready.isEmpty else { return [] }
        questions.removeFirst(ready.count)
        return ready.flatMap(\.reads)
    }

    /// Removes and returns all reads, for a server that stops.
    mutating func takeAll() -> [Read] {
        defer { (questions, gathered) = ([], []) }
        return questions.flatMap(\.reads) + gathered
    }

    /// Shifts the waiting times after the clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for index in questions.indices {
            questions[index].since = questions[index].since.advanced(byNanoseconds: nanoseconds)
        }
    }
}

extension Query {
    /// Whether the answer depends on the board.
    var showsBoard: Bool {
        switch self {
        case .readiness, .metrics, .limits, .clients: false
        default: true
        }
    }
}
