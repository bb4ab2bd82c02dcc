// Which file a name means now. Doesn't read the file's times: Linux would then change them with the next write, and each fsync
// would write them too.

import CLinux

/// Identifies a file independently of its name.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil if there is no such file. A link is itself a file.
    package init?(path: String) {
        var (device, number): (UInt64, UInt64) = (0, 0)
        guard unsafe tweencast_file_identity(path, &device, &number) else { return nil }
        (self.device, self.number) = (device, number)
    }
}
