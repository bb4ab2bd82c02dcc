// What a loss of power may take of a file that is whole: its bytes, and its name.

import Glibc
import OperatingSystem
import Storage

enum FolderSync {
    /// Writes a folder through to the disk, so that a file keeps the name that it was given there.
    /// - Throws: `failed` where that can't be; a file system that knows nothing of the kind is taken at its word.
    static func synchronize(_ folder: String) throws(StoreError) {
        try synchronize(folder, "the folder \(folder) can't be synced, a loss of power may take the file's name")
    }

    /// Writes a file through to the disk.
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
