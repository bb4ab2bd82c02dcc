// Turns an errno into a store's error.

import Glibc
import Storage

extension StoreError {
    /// - Parameters:
    ///   - number: The errno.
    ///   - what: What failed.
    init(system number: Int32, _ what: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS, ENOENT, ENOTDIR: .readOnly
            default: .failed
            }
        self.init(code, "\(what): \(Self.words(of: number))")
    }

    static func words(of number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
