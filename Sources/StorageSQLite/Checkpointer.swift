// Keeps the write-ahead log short without holding commits up. SQLite would move a thousand pages within the commit that
// makes them so many, and whoever waits for it or the next waits for that: here another thread moves them beside the
// commits, and the one that commits only what came meanwhile, after which the log begins anew.

import Storage
import Threads

/// Checkpoints of one database. All but what `move` runs belongs to the store's thread.
final class Checkpointer {
    /// Pages of the log, of 4 KiB, from which on it is moved.
    static let pages = 2_000
    /// The log's limit, in such lengths: from there on commits wait for the move.
    private static let limit = 4

    private let writer: SQLiteConnection
    private let pages: Int
    private let requests = Mailbox<Void>(capacity: 1)
    private let ends = Mailbox<Void>(capacity: 1)
    private let thread: OwnedThread
    private var isMoving = false
    /// The log's length at which it is moved next.
    private var due: Int
    private var lastPages = 0

    /// - Parameters:
    ///   - writer: The connection that commits.
    ///   - pages: See the constant of this name.
    init(beside writer: SQLiteConnection, pages: Int = Checkpointer.pages) throws(StoreError) {
        self.writer = writer
        self.pages = pages
        due = pages
        let mover = try SQLiteConnection(path: writer.path)
        try mover.execute("PRAGMA synchronous=FULL")
        thread = OwnedThread(name: "checkpoint") { [requests, ends] in
            Self.move(with: mover, at: requests, telling: ends)
            mover.close()
        }
        guard thread.start() else { throw StoreError(.failed, "no thread for checkpoints") }
        writer.countLogPages()
    }

    private static func move(with mover: SQLiteConnection, at requests: Mailbox<Void>, telling ends: Mailbox<Void>) {
        var taken: [Void] = []
        while requests.take(into: &taken, until: nil) {
            // What fails here is tried again when the log has grown by as much again.
            try? mover.checkpoint()
            _ = ends.post(())
        }
    }

    /// Looks at the log after commits, when their answers have gone out.
    func follow() {
        let length = writer.logPages
        if length < lastPages { due = pages }
        lastPages = length
        if isMoving {
            var ended: [Void] = []
            _ = ends.take(into: &ended, until: length < due + (Self.limit - 1) * pages ? 0 : nil)
            guard !ended.isEmpty else { return }
            isMoving = false
            try? writer.checkpoint()
            due = length + pages
        } else if length >= due {
            isMoving = requests.post(())
        }
    }

    /// Ends the thread and lets go of its connection. The writer's, the last one then, moves the rest as it is closed.
    func end() {
        requests.close()
        thread.join()
    }
}
