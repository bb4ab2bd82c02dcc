// A store that comes to be whole or not at all: it is written beside its place and moved there when all is in it.

import Glibc
package import Storage

/// A new store in the making.
package final class SQLiteDraft {
    /// What is to be filled.
    package let store: SQLiteStore
    private let place: Place
    /// Nobody else makes a store here meanwhile, or starts a server on one.
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
            hasMadeFolder = unsafe mkdir(folder, 0o700) == 0
            guard hasMadeFolder || errno == EEXIST else {
                throw StoreError(system: errno, "the folder \(folder) can't be made")
            }
        }

        func checkIsFree() throws(StoreError) {
            guard unsafe access(path, F_OK) != 0 else {
                throw StoreError(.failed, "there is a board in \(folder) already")
            }
        }

        func removePartial() {
            for end in ["", "-wal", "-shm", ".lock"] { unsafe unlink(partial + end) }
        }

        /// Leaves it as it was found. The lock's file stays in a folder that was there: who waits for it may have it open.
        func clear() {
            removePartial()
            guard hasMadeFolder else { return }
            unsafe unlink(path + ".lock")
            unsafe rmdir(folder)
        }
    }

    /// - Parameters:
    ///   - folder: Made where there is none.
    ///   - name: The file's, in the folder.
    /// - Throws: `failed` where there is a store already.
    package init(folder: String, name: String) throws(StoreError) {
        let place = try Place(folder: folder, name: name)
        self.place = place
        do throws(StoreError) {
            try place.checkIsFree()
            lock = try FileLock(path: place.path + ".lock", of: place.path)
            // What an earlier attempt may have left.
            place.removePartial()
            store = try SQLiteStore(path: place.partial)
        } catch {
            place.clear()
            throw error
        }
    }

    /// Puts the store in its place.
    /// - Throws: Why it can't; the draft is to be discarded then.
    package func finish() throws(StoreError) {
        close()
        // Commits in a log that is left over would stay behind.
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

    /// Leaves everything as it was.
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
