// Delays reads until this replica has caught up: while two processes serve one address, as during a handover, so that a
// client that changed something through one process sees it through the other; and streams whose clients have received
// later events elsewhere, which they would otherwise receive again.

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
        var reads: [Read]
        /// The log's head; nil until it is known.
        var sequence: UInt64?
    }

    /// Seconds that a read waits.
    static let timeout = 2.0

    private var questions = Waiters<Question>(timeout: Self.timeout)
    private var gathered: [Read] = []

    /// When the first read has waited long enough.
    var deadline: Instant? { questions.deadline() }

    mutating func add(_ read: Read) { gathered.append(read) }

    /// Assigns the next question to the reads that have arrived since the last one.
    /// - Returns: Whether there are any, so that the log must be asked.
    mutating func ask(_ number: UInt64, at now: Instant) -> Bool {
        guard !gathered.isEmpty else { return false }
        questions.add(Question(number: number, reads: gathered), since: now)
        gathered = []
        return true
    }

    /// Records the head of the log at a question; it holds for earlier questions, too.
    mutating func record(_ sequence: UInt64, question: UInt64) {
        questions.update { if $0.number <= question { $0.sequence = $0.sequence ?? sequence } }
    }

    /// Removes and returns, in order, the reads for which this replica has caught up, and those that have waited too long.
    /// - Parameters:
    ///   - sequence: The last entry that was applied.
    ///   - isAway: Whether nothing is worth waiting for, since the log's head can't be found out.
    mutating func release(upTo sequence: UInt64, at now: Instant, isAway: Bool = false) -> [(
        read: Read, isCurrent: Bool
    )] {
        let isCurrent = { (question: Question) in question.sequence.map { $0 <= sequence } ?? false }
        return questions.removeFirst(while: { isAway || isCurrent($0) }, orLateAt: now).flatMap { question in
            question.reads.map { ($0, isCurrent(question)) }
        }
    }

    /// Removes and returns all reads, for a server that stops.
    mutating func drain() -> [Read] {
        defer { gathered = [] }
        return questions.drain().flatMap(\.reads) + gathered
    }

    /// Shifts the waiting times after the clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) { questions.shift(byNanoseconds: nanoseconds) }
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
