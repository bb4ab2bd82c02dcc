// Detects that the open files are no longer those at their paths. SQLite doesn't notice: it keeps writing to deleted
// files, whose contents are lost when the process ends.

import Glibc
import Storage

/// The identities of a database's files when it was opened.
struct StoreFile {
    /// Identifies a file independently of its name.
    private struct Identity: Equatable {
        var device: dev_t
        var number: ino_t

        /// Nil if there is no file.
        init?(path: String) {
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    private let path: String
    private let main: Identity?
    /// The write-ahead log, which SQLite creates with its first write and keeps while it is open.
    private var log: Identity?

    /// - Parameter path: A database that has just been opened; `:memory:` has no files.
    init(path: String) {
        self.path = path
        main = path == ":memory:" ? nil : Identity(path: path)
        log = Identity(path: path + "-wal")
    }

    /// - Throws: `failed` while one of the files is missing or replaced.
    mutating func check() throws(StoreError) {
        guard let main else { return }
        guard Identity(path: path) == main else { throw StoreError(.failed, "\(path) is gone, or is another file") }
        let current = Identity(path: path + "-wal")
        if log == nil { log = current }
        guard current == log else { throw StoreError(.failed, "\(path)-wal is gone, or is another file") }
    }
}
