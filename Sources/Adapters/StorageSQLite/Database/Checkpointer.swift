// Keeps the write-ahead log short without delaying commits. By default, SQLite moves a thousand pages inside the commit that
// reaches that number, and that commit and the next wait. Here another thread moves them beside commits, and the committing
// thread moves only what came meanwhile; then the log starts over.
//
// Before 3.51.3, SQLite loses commits if a checkpoint begins with nothing left to move while a commit restarts the log
// (https://sqlite.org/wal.html#the_wal_reset_bug). That can't happen here: a move beside commits is only requested once a
// log's worth of pages was committed since the last one, so the log can't restart before that move has ended; and the next
// one only begins after that end was reported. The committing thread moves the rest, so no commit runs beside it.

import OperatingSystem
import Storage
import Synchronization

/// Checkpoints of one database, for the thread that commits to it.
final class Checkpointer {
    /// Pages of the log, of 4 KiB, at which it is moved.
    static let pages = 2_000
    /// The log's limit in multiples of `pages`; from there on, commits wait for the move.
    private static let limit = 4

    private let schema: Schema
    private let pages: Int
    private let requests = Mailbox<Void>(capacity: 1)
    private let ends = Mailbox<Void>(capacity: 1)
    /// Nil until the first move.
    private var thread: OwnedThread?
    private var isMoving = false
    /// The length at which the log is moved next: the length after the last move, plus `pages`.
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

    /// Checks the log after a commit, when its completions have run.
    func checkLog() {
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

    /// Moves all of the log, however short, and truncates it; then both files have their proper size.
    /// - Returns: false while another connection reads the log, or the other thread moves it.
    func moveAll() -> Bool {
        if isMoving, hasEnded(waiting: false) { isMoving = false }
        return !isMoving && moveRest(schema.connection.logPages) && schema.connection.emptyLog()
    }

    /// Ends the thread and closes its connection. The store's connection, then the last one, moves the rest when it closes.
    func end() {
        requests.close()
        thread?.join()
        thread = nil
    }

    /// - Returns: false without a thread, or a connection for it.
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
        while requests.receive(into: &taken, until: nil) {
            // A failure here is repeated, and counted, when the rest is moved.
            _ = try? mover.checkpoint()
            _ = ends.post(())
        }
    }

    private func hasEnded(waiting: Bool) -> Bool {
        var ended: [Void] = []
        _ = ends.receive(into: &ended, until: waiting ? nil : 0)
        return !ended.isEmpty
    }

    /// Moves what was committed during the other thread's move. After a failure, tries again when the log has grown by
    /// `pages`.
    /// - Returns: Whether everything has been moved.
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
