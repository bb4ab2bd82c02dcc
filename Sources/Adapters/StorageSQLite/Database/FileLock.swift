// Who has the store: an advisory lock on a file beside it, gone with its process however that ends. SQLite's own
// exclusive mode would keep readers out as well, and with them a backup of a running server.

import Glibc
import OperatingSystem
import Storage

/// An exclusive lock, held until it goes.
final class FileLock: Sendable {
    private let file: Descriptor

    /// - Parameters:
    ///   - path: Made where it is not there; who has the lock may take it away.
    ///   - file: What it is the lock of.
    /// - Throws: `locked` when another process has it.
    init(path: String, of file: String) throws(StoreError) {
        guard let opened = Descriptor(owning: unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)) else {
            throw StoreError(system: errno, "\(file) can't be written")
        }
        guard flock(opened.number, LOCK_EX | LOCK_NB) == 0 else {
            throw StoreError(.locked, "another process has \(path)")
        }
        // Whoever had it may have taken the file away since it was opened, and the next one then locks another.
        var (held, found) = (stat(), stat())
        guard unsafe fstat(opened.number, &held) == 0, unsafe stat(path, &found) == 0,
            held.st_dev == found.st_dev, held.st_ino == found.st_ino
        else {
            throw StoreError(.locked, "another process has had \(path) until now")
        }
        self.file = opened
        Self.write(getpid(), to: self.file)
    }

    /// What stands in the file is of one length: it is written over, so that a full disk is no obstacle.
    private static let width = 20

    private static func write(_ process: pid_t, to file: borrowing Descriptor) {
        let text = String(process)
        let line = Array((String(repeating: " ", count: width - text.utf8.count) + text + "\n").utf8)
        _ = unsafe line.withUnsafeBytes { unsafe pwrite(file.number, $0.baseAddress, $0.count, 0) }
    }

    /// The process that had a lock last, as it wrote there; nil where none did, or it has let go.
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
        // By name: a child that is just being started may hold the descriptor, and with it the lock, for a moment longer.
        flock(file.number, LOCK_UN)
    }
}
