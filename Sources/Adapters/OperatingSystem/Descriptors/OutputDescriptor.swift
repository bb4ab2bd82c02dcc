// A descriptor that something is written to, such as standard error: a pipe that nobody reads must not hold anybody up.

import Glibc

/// Where bytes go out.
package struct OutputDescriptor: Sendable {
    private let number: Int32
    /// Nil for one that is somebody else's.
    private let owned: SharedDescriptor?

    /// - Parameter number: Left open.
    package init(_ number: Int32) {
        self.number = number
        owned = nil
    }

    private init(owning descriptor: consuming Descriptor) {
        number = descriptor.number
        owned = SharedDescriptor(descriptor)
    }

    /// The end of a file, which is made for its owner alone where there is none; nil where it can't be written. It is closed
    /// when nobody has it any more.
    package static func appending(to path: String) -> OutputDescriptor? {
        guard
            let file = Descriptor(owning: unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600))
        else { return nil }
        return OutputDescriptor(owning: file)
    }

    /// Whether a file's end could be written: it can, or can be made. Nothing is made.
    package static func canAppend(to path: String) -> Bool {
        // A pipe that nobody reads would be waited for.
        if Descriptor(owning: unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)) != nil { return true }
        guard errno == ENOENT else { return false }
        let folder = path.lastIndex(of: "/").map { String(path.prefix(through: $0)) } ?? "."
        return unsafe access(folder, W_OK | X_OK) == 0
    }

    /// Device and inode of what is behind it, as `JOURNAL_STREAM` has those of systemd's journal (systemd.exec(5)): `9:41523`.
    /// Nil where nothing is.
    package var place: String? {
        var status = stat()
        return unsafe fstat(number, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
    }

    /// Writes what is taken at once.
    /// - Returns: How many bytes; nil when the descriptor is broken.
    package func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR, errno != EAGAIN { return nil }
        return max(0, count)
    }

    /// Writes all, as long as some of it is taken now and then.
    /// - Returns: false when the descriptor is broken or full, or takes nothing for five seconds though it says so at once.
    package func writeAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = write(rest) else { return false }
            guard count > 0 || isReady(within: Self.patience) else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Milliseconds for which one that takes nothing for now is waited for.
    private static let patience: Int32 = 5_000

    /// Waits until it takes something. A descriptor that is broken is ready too: to fail.
    /// - Returns: false when it took nothing in so many milliseconds.
    package func isReady(within milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&wait, 1, milliseconds) > 0
    }
}
