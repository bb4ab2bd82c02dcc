// The embedded store: SQLite in WAL mode, one writer thread, group commit. A commit takes all that wait; completions run
// when it has returned, so that what is acknowledged is on disk.

import Glibc
package import Storage
import Synchronization
import Threads

/// Keeps records in one SQLite file.
package final class SQLiteStore: Store {
    /// The most submissions that may wait; over it they are refused.
    package static let maximumWaiting = 100_000
    private let mailbox = Mailbox<StoreWriter.Submission>(capacity: SQLiteStore.maximumWaiting)
    private let schema: Schema
    private let check: IntegrityCheck
    private let thread: OwnedThread
    private let lock: Mutex<FileLock?>

    /// Opens or makes the file and brings its schema up to date.
    /// - Parameter path: A file in a folder that exists; `:memory:` for none.
    package init(path: String) throws(StoreError) {
        let lock = path == ":memory:" ? nil : try FileLock(path: path + ".lock")
        let schema = try Schema(SQLiteConnection(path: path))
        self.lock = Mutex(lock)
        self.schema = schema
        check = IntegrityCheck(path: path, isDone: schema.isChecked)
        let mailbox = mailbox
        thread = OwnedThread(name: "store-0") {
            let writer = StoreWriter(schema)
            var submissions: [StoreWriter.Submission] = []
            while mailbox.take(into: &submissions, until: nil) { writer.take(submissions) }
        }
        guard thread.start() else { throw StoreError(.failed, "no thread for the store") }
    }

    /// Reads all while another thread looks for damage.
    package func load(_ take: ([StoredRecord]) -> Void) throws(StoreError) -> StoreContents {
        let contents = try schema.load(take)
        try check.wait()
        return contents
    }

    package func submit(
        _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        guard mailbox.post(.changes(changes, completion)) else {
            completion(.failure(StoreError(.busy, "\(Self.maximumWaiting) submissions wait, or the store is closed")))
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
        return health
    }

    package func close() {
        mailbox.close()
        thread.join()
        check.end()
        schema.close()
        lock.withLock { $0 = nil }
    }

    /// Copies a store into a new file, whether a server uses it or not: what was committed when the copy began.
    /// - Throws: `failed` where the target exists or the copy doesn't pass SQLite's check; it is gone then.
    package static func backUp(_ path: String, to target: String) throws(StoreError) {
        let partial = target + ".partial"
        guard unsafe access(path, R_OK) == 0 else { throw StoreError(.readOnly, "there is no store at \(path)") }
        guard unsafe access(target, F_OK) != 0 else { throw StoreError(.failed, "\(target) exists") }
        unsafe unlink(partial)
        do throws(StoreError) {
            try SQLiteConnection(path: path).backup(to: partial)
        } catch {
            unsafe unlink(partial)
            throw error
        }
        guard unsafe rename(partial, target) == 0 else {
            throw StoreError(.failed, "\(target) can't be written (\(errno))")
        }
    }
}
