// Looks at the board while two processes serve one address, as at a hand-over: whoever has changed something through the one
// and looks through the other finds it there, though this may not have come as far.

import Gateway
import Tween

/// Looks that wait until this replica has come as far as the log had when they were asked for. As many as there are
/// connections for.
struct HeldReads {
    private struct TurnBuilder {
        var number: UInt64
        var since: Instant
        var messages: [Message]
        /// Where the log stood; nil until that is known.
        var sequence: UInt64?
    }

    /// Seconds for which one waits. Then it is shown what there is.
    static let patience = 2.0

    private var rounds: [TurnBuilder] = []
    private var number: UInt64 = 0
    private var gathered: [Message] = []

    /// When one has waited for long enough.
    var deadline: Instant? { rounds.first?.since.advanced(bySeconds: Self.patience) }

    mutating func add(_ message: Message) { gathered.append(message) }

    /// The next question, where there are looks that none was asked for.
    mutating func ask(at now: Instant) -> UInt64? {
        guard !gathered.isEmpty else { return nil }
        number += 1
        rounds.append(TurnBuilder(number: number, since: now, messages: gathered))
        gathered = []
        return number
    }

    /// The log had come so far when a question was asked, and no less far for those before it.
    mutating func record(_ sequence: UInt64, question: UInt64) {
        for index in rounds.indices where rounds[index].number <= question {
            rounds[index].sequence = rounds[index].sequence ?? sequence
        }
    }

    /// Those whose turn has come, in their order.
    /// - Parameters:
    ///   - sequence: The last entry that was carried out.
    ///   - isAway: Nobody can tell where the log stands.
    mutating func take(upTo sequence: UInt64, at now: Instant, isAway: Bool) -> [Message] {
        let ready = rounds.prefix { turnBuilder in
            isAway || (turnBuilder.sequence.map { $0 <= sequence } ?? false)
                || now.seconds(since: turnBuilder.since) >= Self.patience
        }
        guard !ready.isEmpty else { return [] }
        rounds.removeFirst(ready.count)
        return ready.flatMap(\.messages)
    }

    /// All of them, for a server that ends.
    mutating func takeAll() -> [Message] {
        defer { (rounds, gathered) = ([], []) }
        return rounds.flatMap(\.messages) + gathered
    }

    /// The clock was set.
    mutating func shift(byNanoseconds nanoseconds: Int64) {
        for index in rounds.indices { rounds[index].since = rounds[index].since.advanced(byNanoseconds: nanoseconds) }
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
