// Copies, restores and examines whole stores.

import Glibc
package import Storage

extension SQLiteStore {
    /// The version of the layout that this program writes and reads.
    package static var layout: Int { Schema.version }

    /// The contents and condition of a store.
    package struct Examination: Hashable, Sendable {
        /// The version of its layout.
        package var layout: Int
        /// Records that were quarantined because they could not be read.
        package var quarantined: Int
        /// Bytes of the file.
        package var bytes: Int
    }

    /// The files that SQLite keeps beside a database in use.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Inspects a copy before it gets its name.
    package typealias Look = (any RecordSource) throws(StoreError) -> Void
    /// Inspects a copy before it gets its name, and returns a record without parts that the copy gets; nil adds none.
    package typealias Mark = (any RecordSource) throws(StoreError) -> StoredRecord?

    /// Copies a store into a new file, whether or not a server uses it: the state committed when the copy began, without
    /// free pages.
    /// - Throws: `failed` if the target exists, `locked` while another process creates it, `corrupt` if the source is no
    ///   store or the copy fails SQLite's check, `otherLayout` if another version wrote the source, `readOnly` if a file may
    ///   not be read or written, and whatever `look` throws; nothing is left then.
    package static func backUp(
        _ path: String, to target: String, look: Look = { _ throws(StoreError) in }
    ) throws(StoreError) {
        try checkIsThere(path)
        try copy(path, to: target) { source throws(StoreError) in
            try look(source)
            return nil
        }
    }

    /// Copies a backup to a store's path, where there must be none. Creates the folder if it is missing.
    /// - Throws: `failed` if there is a store, `corrupt` if the backup is no store or fails SQLite's check, `locked` if a
    ///   server or another process holds the path, `otherLayout` if another version wrote the backup, `readOnly` if a file
    ///   may not be read or written, and whatever `mark` throws. There is no store then; a new folder and its lock file
    ///   stay.
    package static func restore(
        _ copy: String, to path: String, mark: Mark = { _ throws(StoreError) in nil }
    ) throws(StoreError) {
        guard unsafe access(copy, R_OK) == 0 else { throw StoreError(system: errno, "\(copy) can't be read") }
        let folder = folder(of: path)
        _ = try FolderSync.make(folder)
        let lock = try FileLock(store: path)
        defer { withExtendedLifetime(lock) {} }
        guard unsafe access(path, F_OK) != 0 else { throw StoreError(.failed, "there is a store at \(path) already") }
        // SQLite would apply an earlier store's leftover log to the copy.
        for name in companions.map({ path + $0 }) where unsafe access(name, F_OK) == 0 {
            throw StoreError(.failed, "\(name) is left of an earlier store; move it away with that one")
        }
        _ = try examine(copy)
        try self.copy(copy, to: path, mark)
    }

    /// - Throws: Why a file can't be read.
    private static func checkIsThere(_ path: String) throws(StoreError) {
        guard unsafe access(path, R_OK) != 0 else { return }
        if errno == ENOENT { throw StoreError(.readOnly, "there is no store at \(path)") }
        throw StoreError(system: errno, "\(path) can't be read")
    }

    /// Checks all of a store, whether or not a server uses it.
    /// - Throws: `corrupt` at the first damage and if it is no store, `otherLayout` if another version wrote it.
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

    /// Checks that this program can read a store, whether or not a server uses it. A missing store is fine, since it would
    /// be created.
    /// - Throws: `otherLayout` if another version wrote it, `corrupt` if it is no store.
    package static func checkLayout(of path: String) throws(StoreError) {
        guard unsafe access(path, F_OK) == 0 else { return }
        let connection = try SQLiteConnection(path: path)
        if try !Schema.isEmpty(connection) { try Schema.checkIsStore(connection) }
    }

    /// Opens a store for reading. SQLite creates files beside a database in WAL mode (which a copy by `cp` is), and reads
    /// nothing if it can't. So a file that can't be written, as on a read-only medium, is opened as immutable, unless there
    /// is a log, which would be ignored.
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

    /// Opens a store for reading.
    /// - Throws: Also if this program can't read the store. The message names the file.
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

    /// Writes a copy beside its place, and renames it if it is good. The leftovers of a killed process are removed when the
    /// next copy of that name is made.
    private static func copy(_ source: String, to target: String, _ mark: Mark) throws(StoreError) {
        let partial = target + ".partial"
        // Without a lock, a second process would continue the first one's file, and rename it before it is complete.
        let lock = try FileLock(path: partial + ".lock", of: target, held: "another process makes \(target)")
        defer { withExtendedLifetime(lock) { remove(partial, [""] + companions + [".lock"]) } }
        guard unsafe access(target, F_OK) != 0 else { throw StoreError(.failed, "\(target) exists") }
        remove(partial, [""] + companions)
        try fill(partial, with: try opened(source), source, target)
        let draft = try SQLiteConnection(path: partial)
        try draft.check("integrity_check")
        draft.close()
        if let record = try mark(SQLiteSource(path: partial)) { try add(record, to: partial, target) }
        guard unsafe rename(partial, target) == 0 else {
            throw StoreError(system: errno, "\(target) can't be written")
        }
        do throws(StoreError) {
            try FolderSync.synchronize(folder(of: target))
        } catch {
            // After an error there must be no copy.
            unsafe unlink(target)
            throw error
        }
    }

    /// Writes a copy and syncs it.
    /// - Throws: An error that names the file at fault.
    private static func fill(
        _ partial: String, with connection: SQLiteConnection, _ source: String, _ target: String
    ) throws(StoreError) {
        do throws(StoreError) {
            try connection.copy(to: partial)
            try FolderSync.synchronize(file: partial)
        } catch {
            switch error.code {
            case .corrupt, .locked: throw StoreError(error.code, "\(source) can't be read: \(error.cause)")
            case .full, .readOnly, .otherLayout, .busy, .closed, .away, .unknown, .failed:
                throw StoreError(error.code, "\(target) can't be written: \(error.cause)")
            }
        }
    }

    /// Adds a record to a copy, in the journal: one of the same name there would supersede the table's.
    /// - Throws: An error that names the target.
    private static func add(_ record: StoredRecord, to partial: String, _ target: String) throws(StoreError) {
        do throws(StoreError) {
            let connection = try SQLiteConnection(path: partial)
            var journal = try Journal(connection)
            journal.set(RecordName(record.kind, record.id), record.body)
            // Synchronous, as SQLite is unless told otherwise.
            try connection.execute("BEGIN IMMEDIATE")
            try journal.write()
            try connection.execute("COMMIT")
        } catch {
            throw StoreError(error.code, "\(target) can't be written: \(error.cause)")
        }
    }

    /// Removes the files of a database.
    private static func remove(_ path: String, _ endings: [String]) {
        for ending in endings { unsafe unlink(path + ending) }
    }

    private static func folder(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
