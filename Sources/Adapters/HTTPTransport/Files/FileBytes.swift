// A file's bytes, up to a limit.

import Glibc
import OperatingSystem

/// Reads whole files.
package enum FileBytes {
    /// Why a file's bytes can't be had.
    package enum Failure: Error, Hashable, Sendable {
        /// It isn't there, may not be read, or is no regular file.
        case unreadable
        /// It is longer than the limit.
        case tooLong
    }

    /// - Parameter limit: The most bytes that it may have.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Without waiting: to open a FIFO is to wait for somebody who writes, for ever where nobody does.
        guard let file = Descriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else {
            throw .unreadable
        }
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
        var body: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(file.number, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw .unreadable }
            if count == 0 { return body }
            // proven: no more is read than there is room for.
            body.append(contentsOf: chunk[..<count])
            guard body.count <= limit else { throw .tooLong }
        }
    }
}
