// What a loss of power may take of a file that is whole: its name.

import Glibc
import Storage
import Threads

enum FolderSync {
    /// Writes a folder through to the disk, so that a file keeps the name that it was given there.
    /// - Throws: `failed` where that can't be; a file system that knows nothing of the kind is taken at its word.
    static func synchronize(_ folder: String) throws(StoreError) {
        guard let opened = Descriptor(owning: unsafe open(folder, O_RDONLY | O_CLOEXEC)) else {
            throw failure(folder, errno)
        }
        guard fsync(opened.number) == 0 || errno == EINVAL else { throw failure(folder, errno) }
    }

    private static func failure(_ folder: String, _ code: Int32) -> StoreError {
        StoreError(.failed, "the folder \(folder) can't be synced (\(code)): a loss of power may take the file's name")
    }
}
