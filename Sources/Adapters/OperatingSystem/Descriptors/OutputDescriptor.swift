// A descriptor for output, such as standard error. A pipe without a reader must not block its writers.

import Glibc

/// A descriptor to write to.
package struct OutputDescriptor: Sendable {
    private let number: Int32
    /// Nil if the descriptor belongs to another owner.
    private let owned: SharedDescriptor?

    /// - Parameter number: Stays open when this value ends.
    package init(_ number: Int32) {
        self.number = number
        owned = nil
    }

    private init(owning descriptor: consuming Descriptor) {
        number = descriptor.number
        owned = SharedDescriptor(descriptor)
    }

    /// Opens a file for appending. A new file is readable and writable for its owner only. The last copy closes it.
    /// - Returns: nil if the file can't be written.
    package static func appending(to path: String) -> OutputDescriptor? {
        guard
            let file = Descriptor(owning: unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600))
        else { return nil }
        return OutputDescriptor(owning: file)
    }

    /// Returns whether a file can be appended to, or could be created. Creates nothing.
    package static func canAppend(to path: String) -> Bool {
        // Without O_NONBLOCK, opening a pipe would wait for a reader.
        if Descriptor(owning: unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)) != nil { return true }
        guard errno == ENOENT else { return false }
        let folder = path.lastIndex(of: "/").map { String(path.prefix(through: $0)) } ?? "."
        return unsafe access(folder, W_OK | X_OK) == 0
    }

    /// Returns whether a file's last line is incomplete. false for a pipe, and for a file that can't be read.
    package static func endsWithinLine(_ path: String) -> Bool {
        var status = stat()
        guard let file = Descriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
            unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
        else { return false }
        var last: UInt8 = 0
        return unsafe pread(file.number, &last, 1, status.st_size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    /// Device and inode of the open file, as in systemd's `JOURNAL_STREAM` (systemd.exec(5)): `9:41523`. Nil if there is
    /// none.
    package var place: String? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
    }

    /// Writes what the descriptor accepts at once.
    /// - Returns: The number of bytes written; nil when the descriptor is broken.
    package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR, errno != EAGAIN { return nil }
        return max(0, count)
    }

    /// Writes all bytes, waiting up to five seconds each time the descriptor accepts none.
    /// - Parameter isPatient: Whether it waits for as long as it takes, as filters do.
    /// - Returns: false when the descriptor is broken, or accepted nothing for five seconds.
    package func writeAll(_ bytes: [UInt8], isPatient: Bool = false) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = write(rest) else { return false }
            guard count > 0 || isReady(within: isPatient ? -1 : Self.timeout) else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Milliseconds to wait while the descriptor accepts nothing.
    private static let timeout: Int32 = 5_000

    /// Returns when the pipe or socket has no reader any more; for other files, never.
    package func waitUntilUnread() {
        // The system reports that, whatever one waits for.
        var wait = pollfd(fd: number, events: 0, revents: 0)
        while unsafe poll(&wait, 1, -1) <= 0 {}
    }

    /// Waits until the descriptor accepts bytes. A broken descriptor counts as ready: the next write fails.
    /// - Returns: false if it accepted nothing within this many milliseconds.
    package func isReady(within milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&wait, 1, milliseconds) > 0
    }
}
