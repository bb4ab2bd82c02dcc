// A descriptor with one owner. Only this type closes descriptors: after a close, the system may give the same number to
// another file, so a second close could hit a file or socket that is not ours.

import Glibc

/// An open file, socket or pipe. The owner's end closes it, exactly once.
package struct Descriptor: ~Copyable, Sendable {
    /// The system's number, for calls that leave the descriptor open.
    package let number: Int32

    /// - Parameter number: A descriptor that the caller owns and gives up. The result is nil if it is negative.
    package init?(owning number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// Gives up ownership without closing, for an owner outside Swift such as a C library.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Returns another descriptor of the same file, with close-on-exec set.
    /// - Parameter least: The lowest number that it may have.
    /// - Returns: nil when the process has no descriptor left.
    package func duplicate(from least: Int32 = 0) -> Descriptor? {
        Descriptor(owning: fcntl(number, F_DUPFD_CLOEXEC, least))
    }
}
