// A store that commits when a test says so.

package import Base
package import Storage
import Synchronization

/// Keeps submissions until the test commits them or makes them fail.
package final class HandStore: Store {
    package typealias Completion = @Sendable (Result<Void, StoreError>) -> Void
    private struct State {
        var waiting: [(changes: [StoreChange], completion: Completion)] = []
        var recoveries: [@Sendable (Result<StoreRecovery, StoreError>) -> Void] = []
        var records: [RecordName: StoredRecord] = [:]
        var answers: [String: StoredAnswer] = [:]
        var lost: [StoreChange] = []
        var expired: [Int64] = []
        /// How many submissions were settled, and how many preceded the last request for recovery.
        var (settled, preceding) = (0, 0)
        var failure: StoreError?
    }
    private let state = Mutex(State())

    package init() {}

    package func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents { StoreContents() }

    package func submit(_ changes: [StoreChange], completion: @escaping Completion) {
        state.withLock { state in
            state.waiting.append((changes, completion))
            for case .logLater(_, let expired, _) in changes { state.expired.append(expired) }
        }
    }

    /// Of each portion of events, the number up to which older ones may be deleted.
    package var expired: [Int64] { state.withLock { $0.expired } }

    package func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void) {
        state.withLock { state in
            state.recoveries.append(completion)
            state.preceding = state.settled + state.waiting.count
        }
    }

    package var health: StoreHealth { StoreHealth() }
    package func close() {}

    package var waiting: Int { state.withLock { $0.waiting.count } }
    package var answers: [StoredAnswer] { state.withLock { Array($0.answers.values) } }

    /// A record as it was last committed.
    package func record(_ name: RecordName) -> StoredRecord? { state.withLock { $0.records[name] } }

    /// Commits the next submissions, or makes them and all later ones fail until recovery.
    package func settle(_ count: Int = .max, failing error: StoreError? = nil) {
        let settled = state.withLock { state in
            state.failure = state.failure ?? error
            let taken = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(taken.count)
            state.settled += taken.count
            for submission in taken { Self.take(submission.changes, &state) }
            return (taken, state.failure)
        }
        for submission in settled.0 { submission.completion(settled.1.map { .failure($0) } ?? .success(())) }
    }

    private static func take(_ changes: [StoreChange], _ state: inout State) {
        guard state.failure == nil else {
            state.lost += changes
            return
        }
        for change in changes {
            switch change {
            case .put(let record): state.records[RecordName(record.kind, record.id)] = record
            case .putLater(let name, _, let make): state.records[name] = make()
            case .delete(let kind, let id): state.records[RecordName(kind, id)] = nil
            case .remember(let answer, _): state.answers[answer.key] = answer
            case .log, .logLater, .setAside: break
            }
        }
    }

    /// Completes a recovery with what is kept of the lost changes, and accepts changes again. Settles what was submitted
    /// before it, as a store works in order.
    package func finishRecovery() {
        settle(state.withLock { max(0, $0.preceding - $0.settled) })
        let (completions, recovery) = state.withLock { state in
            var records: [RecordName: StoredRecord?] = [:]
            var answers: Set<String> = []
            for change in state.lost {
                if let name = change.recordName { records[name] = .some(state.records[name]) }
                if case .remember(let answer, _) = change { answers.insert(answer.key) }
            }
            defer {
                state.failure = nil
                state.lost = []
                state.recoveries = []
            }
            return (state.recoveries, StoreRecovery(records: records, lostAnswers: answers))
        }
        for completion in completions { completion(.success(recovery)) }
    }
}
