// The file that this process runs.

import Glibc

/// The program's file.
package enum ProgramFile {
    /// Its path, behind any links; empty if it is unknown. If the file was replaced, this is the path of the new one.
    package static var path: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let found = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The kernel adds this when the file was replaced.
        let gone = " (deleted)"
        return found.hasSuffix(gone) ? String(found.dropLast(gone.count)) : found
    }

    /// The path of a file beside it; nil if its own is unknown.
    package static func path(beside name: String) -> String? {
        let path = path
        return path.lastIndex(of: "/").map { path.prefix(through: $0) + name }
    }
}
