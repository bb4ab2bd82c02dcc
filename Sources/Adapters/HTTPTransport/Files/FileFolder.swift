// Reads all files of a folder.

import Glibc
import OperatingSystem

/// Reads folders.
enum FileFolder {
    private enum Kind { case file, folder, other }

    /// Reads the files of a folder and its subfolders, by paths such as `/js/app.js`. Skips links and names that begin with
    /// a dot.
    /// - Parameter limit: Bytes of all files together.
    /// - Returns: nil when the folder can't be read or is too large.
    static func read(_ folder: String, limit: Int) -> [String: [UInt8]]? {
        var files: [String: [UInt8]] = [:]
        var total = 0
        var waiting = [""]
        while let relative = waiting.popLast() {
            guard let names = names(in: folder + relative) else { return nil }
            for name in names where !name.hasPrefix(".") {
                let path = relative + "/" + name
                switch kind(of: folder + path) {
                case .folder: waiting.append(path)
                case .file:
                    guard let body = try? FileBytes.read(folder + path, limit: limit) else { return nil }
                    total += body.count
                    guard total <= limit else { return nil }
                    files[path] = body
                case .other: break
                }
            }
        }
        return files
    }

    private static func names(in folder: String) -> [String]? {
        guard let handle = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(handle) }
        var names: [String] = []
        while let entry = unsafe readdir(handle) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { raw in
                unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return .other }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }
}
