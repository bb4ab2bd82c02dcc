// Keeps the write-ahead log short without holding commits up. SQLite would move a thousand pages within the commit that
// makes them so many, and whoever waits for it or the next waits for that: here another thread moves them beside the
// commits, and the one that commits only what came meanwhile, after which the log begins anew.
//
// SQLite before 3.51.3 forgets commits when a checkpoint is begun with nothing left to move and a commit begins the log
// anew beside it (https://sqlite.org/wal.html#the_wal_reset_bug). Not here: a move beside commits is asked for only when a
// log's worth of pages was committed since the last, so the log can't begin anew before that move has ended; and until its
// end was heard of, no other is begun. The rest is moved by the thread that commits, so beside no commit.

import OperatingSystem
import Storage
import Synchronization

/// Checkpoints of one database, for the thread that commits to it.
final class Checkpointer {
    /// Pages of the log, of 4 KiB, from which on it is moved.
    static let pages = 2_000
    /// The log's limit, in such lengths: from there on commits wait for the move.
    private static let limit = 4

    private let schema: Schema
    private let pages: Int
    private let requests = Mailbox<Void>(capacity: 1)
    private let ends = Mailbox<Void>(capacity: 1)
    /// Nil until the log is moved for the first time.
    private var thread: OwnedThread?
    private var isMoving = false
    /// The log's length at which it is moved next: all that it was after the last move, and `pages` more.
    private var due: Int
    private var lastLength = 0

    /// - Parameters:
    ///   - schema: The store whose log is moved.
    ///   - pages: See the constant of this name.
    init(_ schema: Schema, pages: Int = Checkpointer.pages) {
        self.schema = schema
        self.pages = pages
        due = pages
    }

    /// Looks at the log after a commit, when its answers have gone out.
    func follow() {
        let length = schema.connection.logPages
        if length < lastLength { due = pages }
        lastLength = length
        if isMoving {
            guard hasEnded(waiting: length >= due + (Self.limit - 1) * pages) else { return }
            isMoving = false
            moveRest(length)
        } else if length >= due {
            isMoving = begin()
            if !isMoving { moveRest(length) }
        }
    }

    /// Moves all of the log, however short it is, and empties it: both files have the size then that they should.
    /// - Returns: false while somebody reads what lies there, or the other thread moves it.
    func moveAll() -> Bool {
        if isMoving, hasEnded(waiting: false) { isMoving = false }
        return !isMoving && moveRest(schema.connection.logPages) && schema.connection.emptyLog()
    }

    /// Ends the thread and lets go of its connection. The store's, the last one then, moves the rest as it is closed.
    func end() {
        requests.close()
        thread?.join()
        thread = nil
    }

    /// - Returns: false where there is no thread or no connection for it.
    private func begin() -> Bool {
        if thread == nil {
            guard let mover = try? SQLiteConnection(path: schema.connection.path),
                (try? mover.execute("PRAGMA synchronous=FULL")) != nil
            else { return false }
            let thread = OwnedThread(name: "checkpoint") { [requests, ends] in
                Self.move(with: mover, at: requests, outgoing: ends)
                mover.close()
            }
            guard thread.start() else { return false }
            self.thread = thread
        }
        return requests.post(())
    }

    private static func move(with mover: SQLiteConnection, at requests: Mailbox<Void>, outgoing ends: Mailbox<Void>) {
        var taken: [Void] = []
        while requests.take(into: &taken, until: nil) {
            // What fails here is tried again, and counted, with the rest.
            _ = try? mover.checkpoint()
            _ = ends.post(())
        }
    }

    private func hasEnded(waiting: Bool) -> Bool {
        var ended: [Void] = []
        _ = ends.take(into: &ended, until: waiting ? nil : 0)
        return !ended.isEmpty
    }

    /// Moves what came while the other thread moved. Where that fails, it is tried again when the log has grown by `pages`.
    /// - Returns: Whether nothing is left to be moved.
    @discardableResult
    private func moveRest(_ length: Int) -> Bool {
        defer { due = length + pages }
        do {
            return try schema.connection.checkpoint()
        } catch {
            schema.state.withLock { $0.checkpointFailures += 1 }
            return false
        }
    }
}
