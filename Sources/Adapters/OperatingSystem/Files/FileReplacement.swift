// Replaces a file at once: whoever reads it, or finds it after a crash, has the old contents or the new ones.

import Glibc

/// A file that this process alone may replace, as long as the others do it this way, too.
package struct FileReplacement: ~Copyable {
    /// The system's error.
    package struct Failure: Error, CustomStringConvertible {
        let code: Int32

        package var description: String { unsafe String(cString: strerror(code)) }
    }

    private let path: String
    /// Locked until this value ends.
    private let folder: Descriptor

    /// - Parameter path: The file, or a link to it. It need not exist, but its folder.
    package init(of path: String) throws(Failure) {
        let path = Self.resolved(path)
        let place = path.lastIndex(of: "/").map { String(path.prefix(through: $0)) } ?? "."
        guard let folder = Descriptor(owning: unsafe open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
            throw Failure(code: errno)
        }
        guard flock(folder.number, LOCK_EX) == 0 else { throw Failure(code: errno) }
        self.path = path
        self.folder = folder
    }

    /// Whether the file exists.
    package var exists: Bool { unsafe access(path, F_OK) == 0 }

    /// Writes the file. It keeps its owner, group and mode; a new one can be read and written by its owner only.
    /// - Parameter isDurable: Whether it must be there after a loss of power. Otherwise nothing waits for the disk.
    /// - Throws: The reason; nothing has changed then.
    package func write(_ bytes: [UInt8], isDurable: Bool = true) throws(Failure) {
        let partial = "\(path).partial"
        // What a killed process left.
        unsafe unlink(partial)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        guard let file = Descriptor(owning: unsafe open(partial, flags, 0o600)) else { throw Failure(code: errno) }
        guard adopt(file), OutputDescriptor(file.number).writeAll(bytes), !isDurable || fsync(file.number) == 0,
            unsafe rename(partial, path) == 0
        else {
            let code = errno
            unsafe unlink(partial)
            throw Failure(code: code)
        }
        // If this fails, a loss of power may bring back the old contents.
        if isDurable { fsync(folder.number) }
    }

    /// Gives a new file the owner, group and mode of the one that it replaces.
    private func adopt(_ file: borrowing Descriptor) -> Bool {
        var (old, new) = (stat(), stat())
        guard unsafe stat(path, &old) == 0 else { return errno == ENOENT }
        guard unsafe fstat(file.number, &new) == 0 else { return false }
        guard (old.st_uid, old.st_gid) == (new.st_uid, new.st_gid) || fchown(file.number, old.st_uid, old.st_gid) == 0
        else { return false }
        return fchmod(file.number, old.st_mode & 0o7777) == 0
    }

    /// Returns the file that a link leads to.
    private static func resolved(_ path: String) -> String {
        guard let text = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
