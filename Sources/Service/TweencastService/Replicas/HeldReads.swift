// Looks at the board while two processes serve one address, as at a hand-over: whoever has changed something through the one
// and looks through the other finds it there, though this may not have come as far.

import Gateway
import Tween

/// Looks that wait until this replica has come as far as the log had when they were asked for. As many as there are
/// connections for.
struct HeldReads {
    struct Read {
        var query: Query
        var responder: any Responder
    }

    /// How far the log has come, and the looks for which that was asked.
    private struct Question {
        var number: UInt64
        var since: Instant
        var reads: [Read]
        /// Where the log stood; nil until that is known.
        var sequence: UInt64?
    }

    /// Seconds for which one waits. Then it is shown what there is.
    static let patience = 2.0

    private var questions: [Question] = []
    private var number: UInt64 = 0
    private var gathered: [Read] = []

    /// When one has waited for long enough.
    var deadline: Instant? { questions.first?.since.advanced(bySeconds: Self.patience) }

    mutating func add(_ read: Read) { gathered.append(read) }

    /// The next question, where there are looks that none was asked for.
    mutating func ask(at now: Instant) -> UInt64? {
        guard !gathered.isEmpty else { return nil }
        number += 1
        questions.append(Question(number: number, since: now, reads: gathered))
        gathered = []
        return number
    }

    /// The log had come so far when a question was asked, and no less far for those before it.
    mutating func record(_ sequence: UInt64, question: UInt64) {
        for index in questions.indices where questions[index].number <= question {
            questions[index].sequence = questions[index].sequence ?? sequence
        }
    }

    /// Those whose turn has come, in their order.
    /// - Parameters:
    ///   - sequence: The last entry that was carried out.
    ///   - isAway: Nobody can tell where the log stands.
    mutating func take(upTo sequence: UInt64, at now: Instant, isAway: Bool) -> [Read] {
        let ready = questions.prefix { question in
            isAway || (question.sequence.map { $0 <= sequence } ?? false)
                || now.seconds(since: question.since) >= Self.patience
        }
        guard !ready.isEmpty else { return [] }
        questions.removeFirst(ready.count)
        return ready.flatMap(\.reads)
    }

    /// All of them, for a server that ends.
    mutating func takeAll() -> [Read] {
        defer { (questions, gathered) = ([], []) }
        return questions.flatMap(\.reads) + gathered
    }

    /// The clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for index in questions.indices {
            questions[index].since = questions[index].since.advanced(byNanoseconds: nanoseconds)
        }
    }
}

extension Query {
    /// Whether it is answered by what is on the board.
    var showsBoard: Bool {
        switch self {
        case .readiness, .metrics, .limits, .clients: false
        default: true
        }
    }
}
