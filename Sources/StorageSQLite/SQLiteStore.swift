// The embedded store: SQLite in WAL mode, one writer thread, group commit. A commit takes all that wait; completions run
// when it has returned, so that what is acknowledged is on disk.

package import Storage
import Threads

/// Keeps records in one SQLite file.
package final class SQLiteStore: Store {
    /// The most submissions that may wait; over it they are refused.
    package static let maximumWaiting = 100_000
    private let mailbox = Mailbox<StoreWriter.Submission>(capacity: SQLiteStore.maximumWaiting)
    private let schema: Schema
    private let thread: OwnedThread

    /// Opens or makes the file, checks it and brings its schema up to date.
    /// - Parameter path: A file in a folder that exists; `:memory:` for none.
    package init(path: String) throws(StoreError) {
        let schema = try Schema(SQLiteConnection(path: path))
        self.schema = schema
        let mailbox = mailbox
        thread = OwnedThread(name: "store-0") {
            let writer = StoreWriter(schema)
            var submissions: [StoreWriter.Submission] = []
            while mailbox.take(into: &submissions, until: nil) { writer.take(submissions) }
        }
        guard thread.start() else { throw StoreError(.failed, "no thread for the store") }
    }

    package func load() throws(StoreError) -> StoreContents { try schema.load() }

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
        schema.close()
    }
}
