// Locks the store for one process: an advisory lock on a file beside it, released when the process ends in any way. SQLite's
// exclusive mode would block readers too, and with them backups of a running server.

import Glibc
import OperatingSystem
import Storage

/// An exclusive lock, held as long as this object lives.
final class FileLock: Sendable {
    private let file: Descriptor

    /// Locks a store.
    /// - Throws: `locked` when another process holds it, as a server does while it runs.
    convenience init(store path: String) throws(StoreError) {
        try self.init(path: path + ".lock", of: path, held: "a server uses \(path); stop it first")
    }

    /// - Parameters:
    ///   - path: The lock file; created if missing. The lock's holder may remove it.
    ///   - file: The file that it locks, for messages.
    ///   - held: The message when another process holds it.
    /// - Throws: `locked` when another process holds it.
    init(path: String, of file: String, held: String) throws(StoreError) {
        guard let opened = Descriptor(owning: unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)) else {
            throw StoreError(system: errno, "\(file) can't be written")
        }
        guard flock(opened.number, LOCK_EX | LOCK_NB) == 0 else {
            throw StoreError(.locked, held)
        }
        // The previous holder may have removed the file since it was opened; the next process would then lock a different
        // one.
        var (held, found) = (stat(), stat())
        guard unsafe fstat(opened.number, &held) == 0, unsafe stat(path, &found) == 0,
            held.st_dev == found.st_dev, held.st_ino == found.st_ino
        else {
            throw StoreError(.locked, "another process used \(path) until a moment ago; start again")
        }
        self.file = opened
        Self.write(getpid(), to: self.file)
    }

    /// The content's fixed length: it is overwritten in place, so a full disk is no obstacle.
    private static let width = 20

    private static func write(_ process: pid_t, to file: borrowing Descriptor) {
        let text = String(process)
        let line = Array((String(repeating: " ", count: width - text.utf8.count) + text + "\n").utf8)
        _ = unsafe line.withUnsafeBytes { unsafe pwrite(file.number, $0.baseAddress, $0.count, 0) }
    }

    /// Returns the process ID in a lock file; nil if there is none, or the lock was released.
    static func holder(path: String) -> pid_t? {
        guard let file = Descriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC)) else { return nil }
        var bytes = [UInt8](repeating: 0, count: width)
        guard unsafe read(file.number, &bytes, width) == width else { return nil }
        return pid_t(String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)).flatMap {
            $0 > 0 ? $0 : nil
        }
    }

    deinit {
        Self.write(0, to: file)
        // Unlocked explicitly: a child process that is just starting may hold the descriptor, and so the lock, a moment
        // longer.
        flock(file.number, LOCK_UN)
    }
}
