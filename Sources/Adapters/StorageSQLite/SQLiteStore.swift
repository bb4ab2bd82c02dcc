// The embedded store: SQLite in WAL mode, one writer thread, group commit. A commit takes all waiting submissions.
// Completions run after it has returned, so everything acknowledged is on disk.

import Glibc
import OperatingSystem
package import Storage
import Synchronization

/// Stores records in one SQLite file.
package final class SQLiteStore: Store {
    /// The most waiting submissions; more are rejected.
    package static let maximumWaiting = 100_000
    /// The most bytes in waiting submissions; more are rejected. A single submission is accepted, however large.
    package static let maximumWaitingBytes = 256 * 1024 * 1024
    private let mailbox = Mailbox<StoreWriter.Submission>(capacity: SQLiteStore.maximumWaiting)
    private let schema: Schema
    /// Looks for damage in the whole file while it is read. With 100,000 records, that takes as long as reading half of them.
    private let check: BackgroundResult<Void, StoreError>
    private let thread: OwnedThread
    private let lock: Mutex<FileLock?>
    private let queue = Queue()
    private let maximumWaitingBytes: Int

    /// The bytes submitted and not committed yet.
    private final class Queue: Sendable {
        let bytes = Atomic<Int>(0)
    }

    /// Opens or creates the file.
    /// - Parameters:
    ///   - path: A file in an existing folder; `:memory:` for none.
    ///   - maximumWaitingBytes: See the constant of this name.
    package init(
        path: String, maximumWaitingBytes: Int = SQLiteStore.maximumWaitingBytes
    ) throws(StoreError) {
        self.maximumWaitingBytes = maximumWaitingBytes
        let lock = path == ":memory:" ? nil : try FileLock(store: path)
        let schema = try Schema(SQLiteConnection(path: path))
        self.lock = Mutex(lock)
        self.schema = schema
        check = BackgroundResult(name: "check") { [isNew = schema.isNew] in isNew ? .success(()) : Self.check(path) }
        let mailbox = mailbox
        let queue = queue
        thread = OwnedThread(name: "store-0") {
            let checkpointer = Checkpointer(schema)
            let writer = StoreWriter(schema, committed: checkpointer.checkLog)
            let reclaimer = Reclaimer(schema, checkpointer)
            var submissions: [StoreWriter.Submission] = []
            var wake: Int64?
            while mailbox.receive(into: &submissions, until: wake) {
                writer.process(submissions)
                queue.bytes.wrappingSubtract(submissions.reduce(0) { $0 + $1.size }, ordering: .relaxed)
                wake = reclaimer.continueIfDue(at: SystemClock.monotonic(), wasAsked: !submissions.isEmpty)
            }
            checkpointer.end()
        }
        guard thread.start() else { throw StoreError(.failed, "no thread for the store") }
    }

    private static func check(_ path: String) -> Result<Void, StoreError> {
        Result { () throws(StoreError) in try SQLiteConnection(path: path).check() }
    }

    /// Reads everything while another thread checks for damage.
    package func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
        let contents = try schema.load(take)
        try check.get()
        // From here on, only the store's thread uses the connection. The empty change lets it return space that was free
        // already.
        _ = mailbox.post(.changes([]) { _ in })
        return contents
    }

    /// A submission that finds no room fails at once, before older ones are committed. `CommitsInFlight` leaves room for each.
    package func submit(
        _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        let submission = StoreWriter.Submission.changes(changes, completion)
        let size = submission.size
        let waiting = queue.bytes.wrappingAdd(size, ordering: .relaxed).newValue
        let fits = waiting <= maximumWaitingBytes || waiting == size
        guard fits, mailbox.post(submission) else {
            queue.bytes.wrappingSubtract(size, ordering: .relaxed)
            let limits = "\(Self.maximumWaiting) submissions or \(maximumWaitingBytes) bytes"
            completion(.failure(StoreError(.busy, "\(limits) wait, or the store is closed")))
            return
        }
    }

    package func recover(completion: @escaping @Sendable (Result<StoreRecovery, StoreError>) -> Void) {
        guard mailbox.post(.recovery(completion), urgent: true) else {
            completion(.failure(StoreError(.closed, "the store is closed")))
            return
        }
    }

    package var health: StoreHealth {
        var health = schema.health
        health.waiting = mailbox.count
        health.waitingBytes = queue.bytes.load(ordering: .relaxed)
        return health
    }

    package var name: String { "sqlite" }

    package func fileBytes() -> Int {
        guard schema.connection.path != ":memory:" else { return 0 }
        return ["", "-wal", "-shm"].reduce(0) { sum, ending in
            var facts = stat()
            guard unsafe stat(schema.connection.path + ending, &facts) == 0 else { return sum }
            return sum + Int(facts.st_size)
        }
    }

    /// Makes the folder of a store unless it exists. Its name survives a loss of power.
    package static func makeFolder(_ folder: String) throws(StoreError) {
        _ = try FolderSync.make(folder)
    }

    /// Returns whether a certain process uses a store.
    package static func isHeld(_ path: String, by process: Int32) -> Bool {
        FileLock.holder(path: path + ".lock") == process
    }

    package func close() {
        mailbox.close()
        thread.join()
        check.end()
        schema.close()
        lock.withLock { $0 = nil }
    }
}
