// A file's bytes, up to a limit.

import Glibc

/// Reads complete files.
package enum FileBytes {
    /// Why a file can't be read.
    package enum Failure: Error, Hashable, Sendable {
        /// It doesn't exist, can't be read, or is no regular file.
        case unreadable
        /// It is longer than the limit.
        case tooLong
    }

    /// Reads a file.
    /// - Parameter limit: The most bytes that it may have.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer.
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
            // proven: a read returns at most the buffer's size.
            body.append(contentsOf: chunk[..<count])
            guard body.count <= limit else { throw .tooLong }
        }
    }
}
