// What the system says of a failure, in its own words.

import Glibc
import Storage

extension StoreError {
    /// - Parameters:
    ///   - number: As `errno` has it.
    ///   - what: What could not be done.
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
