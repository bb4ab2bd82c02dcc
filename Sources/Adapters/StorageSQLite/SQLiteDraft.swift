// A store that appears complete or not at all: it is written beside its place and renamed when it is complete.

import Glibc
package import Storage

/// A new store that is being written.
package final class SQLiteDraft {
    /// The store to fill.
    package let store: SQLiteStore
    private let place: Place
    /// Prevents others from creating a store here, or starting a server on one.
    private let lock: FileLock
    private var isClosed = false

    private struct Place {
        let folder: String
        let path: String
        let hasMadeFolder: Bool
        var partial: String { path + ".partial" }

        init(folder: String, name: String) throws(StoreError) {
            self.folder = folder
            path = "\(folder)/\(name)"
            hasMadeFolder = try FolderSync.make(folder)
        }

        func checkIsFree() throws(StoreError) {
            guard unsafe access(path, F_OK) != 0 else {
                throw StoreError(.failed, "there is a board in \(folder) already")
            }
        }

        func removePartial() {
            for end in ["", "-wal", "-shm", ".lock"] { unsafe unlink(partial + end) }
        }

        /// Restores the folder's state. In a folder that existed, the lock file stays, since a waiting process may have it
        /// open.
        func clear() {
            removePartial()
            guard hasMadeFolder else { return }
            unsafe unlink(path + ".lock")
            unsafe rmdir(folder)
        }
    }

    /// - Parameters:
    ///   - folder: Created if missing.
    ///   - name: The file's name in the folder.
    /// - Throws: `failed` if there is a store already.
    package init(folder: String, name: String) throws(StoreError) {
        let place = try Place(folder: folder, name: name)
        self.place = place
        do throws(StoreError) {
            try place.checkIsFree()
            lock = try FileLock(store: place.path)
            // An earlier attempt may have left files.
            place.removePartial()
            store = try SQLiteStore(path: place.partial)
        } catch {
            place.clear()
            throw error
        }
    }

    /// Moves the store to its place.
    /// - Throws: Why that failed; discard the draft then.
    package func finish() throws(StoreError) {
        close()
        // Commits in a remaining log would be lost.
        guard unsafe access(place.partial + "-wal", F_OK) != 0 else {
            throw StoreError(.failed, "\(place.partial)-wal could not be moved into the store")
        }
        try place.checkIsFree()
        guard unsafe rename(place.partial, place.path) == 0 else {
            throw StoreError(system: errno, "\(place.path) can't be written")
        }
        place.removePartial()
        try FolderSync.synchronize(place.folder)
    }

    /// Restores the previous state.
    package func discard() {
        close()
        place.clear()
    }

    private func close() {
        guard !isClosed else { return }
        store.close()
        isClosed = true
    }
}
