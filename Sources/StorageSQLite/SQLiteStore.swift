// The embedded store: SQLite in WAL mode, one writer thread, group commit. A commit takes all that wait; completions run
// when it has returned, so that what is acknowledged is on disk.

package import Storage
import Threads

/// Keeps records in one SQLite file.
package final class SQLiteStore: Store {
    /// The most submissions that may wait; over it they are refused.
    package static let maximumWaiting = 100_000
    /// The most submissions of one commit, so that the first of a crowd doesn't wait for the last.
    private static let maximumGroup = 2_000

    private struct Submission: Sendable {
        var changes: [StoreChange]
        var completion: @Sendable (Result<Void, StoreError>) -> Void
    }

    private let mailbox = Mailbox<Submission>(capacity: SQLiteStore.maximumWaiting)
    private let schema: Schema
    private let thread: OwnedThread

    /// Opens or makes the file, checks it and brings its schema up to date.
    /// - Parameter path: A file in a folder that exists; `:memory:` for none.
    package init(path: String) throws(StoreError) {
        let schema = try Schema(SQLiteConnection(path: path))
        self.schema = schema
        let mailbox = mailbox
        thread = OwnedThread(name: "store-0") {
            var group: [Submission] = []
            while mailbox.take(into: &group, until: nil) {
                SQLiteStore.commit(group, to: schema)
            }
        }
        guard thread.start() else { throw StoreError(.failed, "no thread for the store") }
    }

    package func load() throws(StoreError) -> StoreContents { try schema.load() }

    package func submit(
        _ changes: [StoreChange], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        guard mailbox.post(Submission(changes: changes, completion: completion)) else {
            completion(.failure(StoreError(.busy, "\(Self.maximumWaiting) submissions wait, or the store is closed")))
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

    private static func commit(_ submissions: [Submission], to schema: Schema) {
        var rest = submissions[...]
        while !rest.isEmpty {
            let group = rest.prefix(maximumGroup)
            rest = rest.dropFirst(maximumGroup)
            let result: Result<Void, StoreError>
            do throws(StoreError) {
                try schema.commit(group.lazy.flatMap(\.changes))
                result = .success(())
            } catch {
                result = .failure(error)
            }
            for submission in group { submission.completion(result) }
        }
    }
}
