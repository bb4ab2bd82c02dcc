// Whole stores, as files: copied, put back, looked through.

import Glibc
package import Storage

extension SQLiteStore {
    /// The version of the layout that this program writes. It reads all that came before.
    package static var layout: Int { Schema.version }

    /// What a store holds, and how it is.
    package struct Examination: Hashable, Sendable {
        /// The version of its layout.
        package var layout: Int
        /// Records that were set aside because they could not be read.
        package var quarantined: Int
        /// Bytes of the file.
        package var bytes: Int
    }

    /// Copies a store into a new file, whether a server uses it or not: what was committed when the copy began.
    /// - Throws: `failed` where the target exists or the copy doesn't pass SQLite's check; it is gone then.
    package static func backUp(_ path: String, to target: String) throws(StoreError) {
        guard unsafe access(path, R_OK) == 0 else { throw StoreError(.readOnly, "there is no store at \(path)") }
        guard unsafe access(target, F_OK) != 0 else { throw StoreError(.failed, "\(target) exists") }
        try copy(path, to: target)
    }

    /// Puts a copy in a store's place, where there is none and nobody makes one.
    /// - Throws: `failed` where there is one or the copy doesn't pass SQLite's check, `locked` where a server has the place,
    ///   `newer` for what a later program wrote. Nothing has changed then.
    package static func restore(_ copy: String, to path: String) throws(StoreError) {
        guard unsafe access(copy, R_OK) == 0 else { throw StoreError(.readOnly, "\(copy) can't be read") }
        let lock = try FileLock(path: path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        guard unsafe access(path, F_OK) != 0 else { throw StoreError(.failed, "there is a store at \(path) already") }
        // SQLite would take what an earlier store left for the copy's own, and change it.
        for name in ["-wal", "-shm", "-journal"].map({ path + $0 }) where unsafe access(name, F_OK) == 0 {
            throw StoreError(.failed, "\(name) is left of an earlier store; move it away with that one")
        }
        _ = try examine(copy)
        try self.copy(copy, to: path)
    }

    /// Looks through all of a store, whether a server uses it or not.
    /// - Throws: `corrupt` at the first damage, `newer` for what a later program wrote.
    package static func examine(_ path: String) throws(StoreError) -> Examination {
        var status = stat()
        guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
            throw StoreError(.readOnly, "there is no store at \(path)")
        }
        let connection = try SQLiteConnection(path: path)
        try connection.check()
        let layout = try Schema.layout(of: connection)
        let hasQuarantine = try connection.value("SELECT count(*) FROM sqlite_master WHERE name = 'quarantine'") != "0"
        return Examination(
            layout: layout,
            quarantined: hasQuarantine ? Int(try connection.value("SELECT count(*) FROM quarantine")) ?? 0 : 0,
            bytes: Int(status.st_size))
    }

    /// Looks whether this program knows a store's layout, whether a server uses it or not; where there is no store it does.
    /// - Throws: `newer` for what a later program wrote.
    package static func checkLayout(of path: String) throws(StoreError) {
        guard unsafe access(path, F_OK) == 0 else { return }
        _ = try Schema.layout(of: try SQLiteConnection(path: path))
    }

    private static func copy(_ source: String, to target: String) throws(StoreError) {
        let partial = target + ".partial"
        unsafe unlink(partial)
        do throws(StoreError) {
            try SQLiteConnection(path: source).backup(to: partial)
        } catch {
            unsafe unlink(partial)
            throw error
        }
        guard unsafe rename(partial, target) == 0 else {
            throw StoreError(.failed, "\(target) can't be written (\(errno))")
        }
        try FolderSync.synchronize(folder(of: target))
    }

    private static func folder(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
