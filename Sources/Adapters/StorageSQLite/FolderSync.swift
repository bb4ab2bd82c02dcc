// Makes files and their names survive a loss of power.

import Glibc
import OperatingSystem
import Storage

enum FolderSync {
    /// Makes a folder that only its owner may use, and syncs its parent, if that may be read: all that is stored in the
    /// folder depends on its name.
    /// - Returns: false if it existed.
    /// - Throws: Why there is none then.
    static func make(_ folder: String) throws(StoreError) -> Bool {
        if unsafe mkdir(folder, 0o700) == 0 {
            let parent = folder + "/.."
            if unsafe access(parent, R_OK) == 0 { try synchronize(parent) }
            return true
        }
        guard errno == EEXIST else { throw StoreError(system: errno, "the folder \(folder) can't be made") }
        return false
    }

    /// Syncs a folder, so that files keep the names they were given in it.
    /// - Throws: `failed` if that fails. A file system that doesn't support it is trusted.
    static func synchronize(_ folder: String) throws(StoreError) {
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
