// What a loss of power may take of a file that is whole: its name.

import Glibc

enum FolderSync {
    /// Writes a folder through to the disk, so that a file keeps the name that it was given there.
    static func synchronize(_ folder: String) {
        let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
