// Detects that the open files are no longer those at their paths. SQLite doesn't notice: it keeps writing to deleted
// files, whose contents are lost when the process ends.

import OperatingSystem
import Storage

/// The identities of a database's files when it was opened.
struct StoreFile {
    private let path: String
    private let main: FileIdentity?
    /// The write-ahead log, which SQLite creates with its first write and keeps while it is open.
    private var log: FileIdentity?

    /// - Parameter path: A database that has just been opened; `:memory:` has no files.
    init(path: String) {
        self.path = path
        main = path == ":memory:" ? nil : FileIdentity(path: path)
        log = FileIdentity(path: path + "-wal")
    }

    /// - Throws: `failed` while one of the files is missing or replaced.
    mutating func check() throws(StoreError) {
        guard let main else { return }
        guard FileIdentity(path: path) == main else { throw StoreError(.failed, "\(path) is gone, or is another file") }
        let current = FileIdentity(path: path + "-wal")
        if log == nil { log = current }
        guard current == log else { throw StoreError(.failed, "\(path)-wal is gone, or is another file") }
    }
}
