// Whole stores, as files: copied, put back, looked through.

import Glibc
package import Storage

extension SQLiteStore {
    /// The version of the layout that this program writes and reads.
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

    /// What SQLite has beside a database while it is in use.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Looks through a copy before it has its name.
    package typealias Look = (any RecordSource) throws(StoreError) -> Void

    /// Copies a store into a new file, whether a server uses it or not: what was committed when the copy began, without the
    /// space that is free in it.
    /// - Throws: `failed` where the target exists, `locked` while another process makes it, `corrupt` for what is no
    ///   store and where the copy doesn't pass SQLite's check, and whatever `look` throws. Nothing is left then. `failed`,
    ///   too, where the name of a good copy can't be synced.
    package static func backUp(
        _ path: String, to target: String, look: Look = { _ throws(StoreError) in }
    ) throws(StoreError) {
        try checkIsThere(path)
        try copy(path, to: target, look)
    }

    /// Puts a copy in a store's place, where there is none and nobody makes one; its folder is made where there is none.
    /// - Throws: `failed` where there is one, `corrupt` for what is no store or doesn't pass SQLite's check, `locked`
    ///   where a server has the place, `otherLayout` for what another version wrote, and whatever `look` throws. Nothing has
    ///   changed then.
    package static func restore(
        _ copy: String, to path: String, look: Look = { _ throws(StoreError) in }
    ) throws(StoreError) {
        guard unsafe access(copy, R_OK) == 0 else { throw StoreError(system: errno, "\(copy) can't be read") }
        let folder = folder(of: path)
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(system: errno, "the folder \(folder) can't be made")
        }
        let lock = try FileLock(path: path + ".lock", of: path)
        defer { withExtendedLifetime(lock) {} }
        guard unsafe access(path, F_OK) != 0 else { throw StoreError(.failed, "there is a store at \(path) already") }
        // SQLite would take what an earlier store left for the copy's own, and change it.
        for name in companions.map({ path + $0 }) where unsafe access(name, F_OK) == 0 {
            throw StoreError(.failed, "\(name) is left of an earlier store; move it away with that one")
        }
        _ = try examine(copy)
        try self.copy(copy, to: path, look)
    }

    /// - Throws: What keeps a file from being read.
    private static func checkIsThere(_ path: String) throws(StoreError) {
        guard unsafe access(path, R_OK) != 0 else { return }
        if errno == ENOENT { throw StoreError(.readOnly, "there is no store at \(path)") }
        throw StoreError(system: errno, "\(path) can't be read")
    }

    /// Looks through all of a store, whether a server uses it or not.
    /// - Throws: `corrupt` at the first damage and for what is no store, `otherLayout` for what another version wrote.
    package static func examine(_ path: String) throws(StoreError) -> Examination {
        try checkIsThere(path)
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw StoreError(system: errno, "\(path) can't be read") }
        let connection = try opened(path)
        try connection.check()
        return Examination(
            layout: Schema.version,
            quarantined: Int(try connection.value("SELECT count(*) - count(part) FROM quarantine")) ?? 0,
            bytes: Int(status.st_size))
    }

    /// Looks whether this program reads a store, whether a server uses it or not; where there is none it would make one.
    /// - Throws: `otherLayout` for what another version wrote, `corrupt` for what is no store.
    package static func checkLayout(of path: String) throws(StoreError) {
        guard unsafe access(path, F_OK) == 0 else { return }
        let connection = try SQLiteConnection(path: path)
        if try !Schema.isEmpty(connection) { try Schema.checkIsStore(connection) }
    }

    /// Opens a store to be read. SQLite makes files beside one in WAL mode, as a copy by `cp` is, and
    /// where it can't it reads nothing: what can't be written, as on a read-only medium, is taken as it is. Not so
    /// where there is a log: that would be passed over.
    private static func reader(of path: String) throws(StoreError) -> SQLiteConnection {
        let canBeWritten = unsafe access(path, W_OK) == 0 && access(folder(of: path), W_OK) == 0
        let hasLog = ["-wal", "-journal"].contains { unsafe access(path + $0, F_OK) == 0 }
        let connection = try SQLiteConnection(path: path, isFixed: !canBeWritten && !hasLog)
        guard !canBeWritten, hasLog else { return connection }
        do throws(StoreError) {
            _ = try connection.value("PRAGMA user_version")
        } catch {
            throw StoreError(.readOnly, "\(path) has a log, copy both to where they can be written (\(error.cause))")
        }
        return connection
    }

    /// Opens a store to be read.
    /// - Throws: Also where it is no store that this program reads. The file is named.
    static func opened(_ path: String) throws(StoreError) -> SQLiteConnection {
        do throws(StoreError) {
            let connection = try reader(of: path)
            try Schema.checkIsStore(connection)
            return connection
        } catch {
            guard !error.cause.contains(path) else { throw error }
            throw StoreError(error.code, "\(path) can't be read: \(error.cause)")
        }
    }

    /// Makes a copy beside its place, and moves it there when it was found good. What a process leaves that was killed
    /// on the way is removed by whoever next makes a copy of that name.
    private static func copy(_ source: String, to target: String, _ look: Look) throws(StoreError) {
        let partial = target + ".partial"
        // Of two at a time the one would go on with the other's file, and give that the name before it is whole.
        let lock = try FileLock(path: partial + ".lock", of: target)
        defer { withExtendedLifetime(lock) { remove(partial, [""] + companions + [".lock"]) } }
        guard unsafe access(target, F_OK) != 0 else { throw StoreError(.failed, "\(target) exists") }
        remove(partial, [""] + companions)
        try fill(partial, with: try opened(source), source, target)
        let copy = try SQLiteConnection(path: partial)
        try copy.check("integrity_check")
        copy.close()
        try look(SQLiteSource(path: partial))
        guard unsafe rename(partial, target) == 0 else {
            throw StoreError(system: errno, "\(target) can't be written")
        }
        try FolderSync.synchronize(folder(of: target))
    }

    /// Writes a copy through to the disk.
    /// - Throws: Which of the two files it is about.
    private static func fill(
        _ partial: String, with connection: SQLiteConnection, _ source: String, _ target: String
    ) throws(StoreError) {
        do throws(StoreError) {
            try connection.copy(to: partial)
            try FolderSync.synchronize(file: partial)
        } catch {
            switch error.code {
            case .corrupt, .locked: throw StoreError(error.code, "\(source) can't be read: \(error.cause)")
            default: throw StoreError(error.code, "\(target) can't be written: \(error.cause)")
            }
        }
    }

    /// Removes what there is of a database.
    private static func remove(_ path: String, _ endings: [String]) {
        for ending in endings { unsafe unlink(path + ending) }
    }

    private static func folder(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
