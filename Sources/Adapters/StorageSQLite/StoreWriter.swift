// The work of the store's thread: commits in groups. After a failure it commits nothing until its owner has recovered the
// persisted state.

import Base
import Storage

/// Commits submissions in order. Used by one thread.
final class StoreWriter {
    enum Submission: Sendable {
        case changes([StoreChange], @Sendable (Result<Void, StoreError>) -> Void)
        case recovery(@Sendable (Result<StoreRecovery, StoreError>) -> Void)

        /// Its approximate size in bytes.
        var size: Int {
            switch self {
            case .changes(let changes, _): changes.reduce(0) { $0 + $1.size }
            case .recovery: 0
            }
        }
    }

    /// The most submissions per commit, so that the first of many doesn't wait for the last.
    private static let maximumGroup = 2_000

    private let schema: Schema
    private let committed: () -> Void
    /// Why nothing is accepted; nil while the store works.
    private var failure: StoreError?
    /// What could not be stored since the failure.
    private var lostRecords: Set<RecordName> = []
    private var lostAnswers: Set<String> = []
    private var group: [(changes: [StoreChange], completion: @Sendable (Result<Void, StoreError>) -> Void)] = []

    /// - Parameter committed: Called after each commit, when its completions have run.
    init(_ schema: Schema, committed: @escaping () -> Void = {}) {
        self.schema = schema
        self.committed = committed
    }

    func process(_ submissions: [Submission]) {
        for submission in submissions {
            switch submission {
            case .changes(let changes, let completion):
                group.append((changes, completion))
                if group.count == Self.maximumGroup { commit() }
            case .recovery(let completion):
                commit()
                completion(recover())
            }
        }
        commit()
    }

    private func commit() {
        guard !group.isEmpty else { return }
        var result: Result<Void, StoreError> = .success(())
        do throws(StoreError) {
            if let failure { throw failure }
            // A group without changes only waits for earlier ones and needs no transaction.
            let count = group.reduce(0) { $0 + $1.changes.count }
            if count > 0 { try schema.commit(group.lazy.flatMap(\.changes), count: count) }
        } catch {
            failure = error
            for submission in group { lose(submission.changes) }
            result = .failure(error)
        }
        for submission in group { submission.completion(result) }
        group.removeAll(keepingCapacity: true)
        committed()
    }

    private func lose(_ changes: [StoreChange]) {
        for change in changes {
            // Event numbers show gaps by themselves, and a record that was not quarantined is found again at the next start.
            if let name = change.recordName { lostRecords.insert(name) }
            if case .remember(let answer, _) = change { lostAnswers.insert(answer.key) }
        }
    }

    private func recover() -> Result<StoreRecovery, StoreError> {
        do throws(StoreError) {
            var records: [RecordName: StoredRecord?] = [:]
            for name in lostRecords { records[name] = .some(try schema.record(name)) }
            defer {
                failure = nil
                lostRecords = []
                lostAnswers = []
            }
            return .success(StoreRecovery(records: records, lostAnswers: lostAnswers))
        } catch {
            return .failure(error)
        }
    }
}
