// A descriptor and its one owner. The only place that closes any: a number that is closed twice may be somebody else's by
// then, and a process that closes others' sockets ends in whatever trusts them.

import Glibc

/// An open file, socket or pipe. It is closed when its owner's time is over, once.
package struct Descriptor: ~Copyable, Sendable {
    /// What the system knows it by, for calls that leave it open.
    package let number: Int32

    /// - Parameter number: The caller's own, who gives it away. Nil for a negative one, which is none.
    package init?(owning number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// Gives it to an owner that isn't one of these, such as a C library.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Another descriptor of the same file, closed on exec.
    /// - Parameter least: The lowest number that it may have.
    /// - Returns: nil when the process has no descriptor left.
    package func duplicate(from least: Int32 = 0) -> Descriptor? {
        Descriptor(owning: fcntl(number, F_DUPFD_CLOEXEC, least))
    }
}
