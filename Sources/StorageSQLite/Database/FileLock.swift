// Who has the store: an advisory lock on a file beside it, gone with its process however that ends. SQLite's own
// exclusive mode would keep readers out as well, and with them a backup of a running server.

import Glibc
import Storage

/// An exclusive lock, held until it goes.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Parameter path: Made where it is not there; who has the lock may take it away.
    /// - Throws: `locked` when another process has it.
    init(path: String) throws(StoreError) {
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw StoreError(.readOnly, "\(path) can't be opened (\(errno))") }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            throw StoreError(.locked, "another process has \(path)")
        }
        // Whoever had it may have taken the file away since it was opened, and the next one then locks another.
        var (held, found) = (stat(), stat())
        guard unsafe fstat(opened, &held) == 0, unsafe stat(path, &found) == 0,
            held.st_dev == found.st_dev, held.st_ino == found.st_ino
        else {
            close(opened)
            throw StoreError(.locked, "another process has had \(path) until now")
        }
        descriptor = opened
    }

    deinit {
        // By name: a child that is just being started may hold the descriptor, and with it the lock, for a moment longer.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
