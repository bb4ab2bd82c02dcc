// A file's bytes, up to a limit.

import Glibc

enum FileBytes {
    /// - Returns: nil when it can't be read, or is longer than that.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var body: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { return nil }
            if count == 0 { return body }
            // proven: no more is read than there is room for.
            body.append(contentsOf: chunk[..<count])
            guard body.count <= limit else { return nil }
        }
    }
}
