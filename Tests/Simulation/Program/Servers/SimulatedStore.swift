// A store of one process: it commits late, in groups, fails, and dies with or without its last commit.

import Base
import Storage

/// A store on a simulated disk, with the behaviour of `SQLiteStore`.
final class SimulatedStore: Store, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    typealias Completion = @Sendable (Result<Void, StoreError>) -> Void

    private enum Submission {
        case changes([StoreChange], Completion)
        case recovery(@Sendable (Result<StoreRecovery, StoreError>) -> Void)
    }

    private let world: World
    private let disk: SimulatedDisk
    private var waiting: [Submission] = []
    /// What is being written.
    private var group: [Submission] = []
    private var failure: StoreError?
    private var lostRecords: Set<RecordName> = []
    private var lostAnswers: Set<String> = []
    private var isDead = false
    /// What befalls the process while its next commit is being written.
    var strike: (() -> Void)?
    /// Called after completions have run.
    var completed: () -> Void = {}
    /// Nanoseconds that a commit takes.
    var delay: ClosedRange<Int64> = .microseconds(50)...(.milliseconds(4))

    init(_ world: World, _ disk: SimulatedDisk) {
        self.world = world
        self.disk = disk
    }

    var health: StoreHealth { StoreHealth() }

    func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
        take(disk.sortedRecords)
        return disk.contents
    }

    func submit(_ changes: [StoreChange], completion: @escaping Completion) {
        add(.changes(changes, completion))
    }

    func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void) {
        add(.recovery(completion))
    }

    private func add(_ submission: Submission) {
        waiting.append(submission)
        if group.isEmpty { begin() }
    }

    private func begin() {
        guard !isDead, !waiting.isEmpty else { return }
        (group, waiting) = (waiting, [])
        if let strike {
            self.strike = nil
            world.after(world.nanoseconds(0...delay.lowerBound), strike)
        }
        world.after(world.nanoseconds(delay)) { [self] in
            guard !isDead else { return }
            let written = group
            group = []
            finish(written)
            completed()
            begin()
        }
    }

    /// Commits consecutive changes together, and recovers in their order.
    private func finish(_ submissions: [Submission]) {
        var changes: [([StoreChange], Completion)] = []
        for submission in submissions {
            switch submission {
            case .changes(let some, let completion): changes.append((some, completion))
            case .recovery(let completion):
                commit(changes)
                changes = []
                completion(.success(recovered()))
            }
        }
        commit(changes)
    }

    private func commit(_ group: [([StoreChange], Completion)]) {
        guard !group.isEmpty else { return }
        // What only waits for earlier changes is not written.
        if failure == nil, group.contains(where: { !$0.0.isEmpty }) { failure = disk.failure }
        if let failure {
            for (changes, _) in group { lose(changes) }
            for (_, completion) in group { completion(.failure(failure)) }
            return
        }
        for (changes, _) in group { disk.apply(changes) }
        for (_, completion) in group { completion(.success(())) }
    }

    private func lose(_ changes: [StoreChange]) {
        if !changes.isEmpty { world.history.write("not stored", at: world.now) { _ in } }
        for change in changes {
            if let name = change.recordName { lostRecords.insert(name) }
            if case .remember(let answer, _) = change { lostAnswers.insert(answer.key) }
        }
    }

    private func recovered() -> StoreRecovery {
        var records: [RecordName: StoredRecord?] = [:]
        for name in lostRecords { records[name] = .some(disk.record(name)) }
        defer { (failure, lostRecords, lostAnswers) = (nil, [], []) }
        world.history.mark("store recovered")
        world.history.write("taken back", at: world.now) { _ in }
        return StoreRecovery(records: records, lostAnswers: lostAnswers)
    }

    /// The process dies. What was being written may be on the disk, and nobody hears of it.
    func die() {
        isDead = true
        guard !group.isEmpty, failure == nil, disk.failure == nil else { return }
        guard world.happens(0.5) else { return world.history.mark("died without its last commit") }
        world.history.mark("died with its last commit")
        for case .changes(let changes, _) in group { disk.apply(changes) }
    }

    func close() {
        let rest = group + waiting
        (group, waiting) = ([], [])
        finish(rest)
        isDead = true
    }
}
