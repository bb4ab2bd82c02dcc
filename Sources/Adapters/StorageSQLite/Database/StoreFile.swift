// Whether the files that are open are still those that the next start will find. SQLite doesn't notice: it goes on writing
// to files that have no name any more, and all of it is gone with the process.

import Glibc
import Storage

/// The files of a database as they were when it was opened.
struct StoreFile {
    /// What tells one file from another, whatever its name.
    private struct Identity: Equatable {
        var device: dev_t
        var number: ino_t

        /// Nil where there is none.
        init?(path: String) {
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    private let path: String
    private let main: Identity?
    /// That of the write-ahead log, which SQLite makes when it first writes and keeps while it is open.
    private var log: Identity?

    /// - Parameter path: A database that has just been opened; `:memory:` has no files.
    init(path: String) {
        self.path = path
        main = path == ":memory:" ? nil : Identity(path: path)
        log = Identity(path: path + "-wal")
    }

    /// - Throws: `failed` while one of the files is gone or another is in its place.
    mutating func check() throws(StoreError) {
        guard let main else { return }
        guard Identity(path: path) == main else { throw StoreError(.failed, "\(path) is gone, or is another file") }
        let current = Identity(path: path + "-wal")
        if log == nil { log = current }
        guard current == log else { throw StoreError(.failed, "\(path)-wal is gone, or is another file") }
    }
}
