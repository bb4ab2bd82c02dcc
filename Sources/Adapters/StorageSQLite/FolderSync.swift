// Makes files and their names survive a loss of power.

import Glibc
import OperatingSystem
import Storage

enum FolderSync {
    /// Makes a folder that only its owner may use, and syncs its parent: all that is stored in the folder depends on its
    /// name, also where another process made it and ended before it had synced it.
    /// - Returns: false if it existed.
    /// - Throws: Why it can't be made or synced.
    static func make(_ folder: String) throws(StoreError) -> Bool {
        let isNew = unsafe mkdir(folder, 0o700) == 0
        guard isNew || errno == EEXIST else { throw StoreError(system: errno, "the folder \(folder) can't be made") }
        try synchronize(folder + "/..")
        return isNew
    }

    /// Syncs a folder, so that files keep the names they were given in it. One that may be written but not read can't be
    /// synced, and is trusted, as is a file system without such a sync.
    /// - Throws: `failed` if that fails.
    static func synchronize(_ folder: String) throws(StoreError) {
        guard unsafe access(folder, R_OK) == 0 || errno != EACCES else { return }
        try synchronize(folder, "the folder \(folder) can't be synced, a loss of power may take the file's name")
    }

    /// Syncs a file.
    static func synchronize(file: String) throws(StoreError) {
        try synchronize(file, "\(file) can't be synced")
    }

    private static func synchronize(_ path: String, _ failure: String) throws(StoreError) {
        guard let opened = Descriptor(owning: unsafe open(path, O_RDONLY | O_CLOEXEC)) else {
            throw StoreError(system: errno, failure)
        }
        guard fsync(opened.number) == 0 || errno == EINVAL else { throw StoreError(system: errno, failure) }
    }
}
