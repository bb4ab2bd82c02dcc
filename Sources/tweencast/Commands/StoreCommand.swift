// `tweencast backup`, `restore` and `check`: stores as files.

import Glibc
import Storage
import StorageSQLite

/// What is done with a store that need not be served.
enum StoreCommand {
    case backUp(to: String)
    case restore(from: String)
    /// That of a file; nil for the one that would be served.
    case examine(String?)

    /// Why nothing was done.
    struct Refusal: Error {
        let message: String
        /// The program's exit code.
        let code: Int32
    }

    /// - Returns: What there is to say, if anything.
    func run(_ location: CommandLineOptions.StoreLocation) throws(Refusal) -> String? {
        if case .examine(let file?) = self { return try examine(file) }
        guard case .folder(let folder) = location else {
            throw Refusal(message: "only a data folder has files; a Redis has means of its own", code: 2)
        }
        let path = Tweencast.path(in: folder)
        do throws(StoreError) {
            switch self {
            case .backUp(let target): try SQLiteStore.backUp(path, to: target)
            case .restore(let copy):
                guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                    throw StoreError(.readOnly, "the folder \(folder) can't be made")
                }
                try SQLiteStore.restore(copy, to: path)
            case .examine: break
            }
        } catch {
            throw Refusal(message: "\(failure): \(error.cause)", code: 1)
        }
        if case .examine = self { return try examine(path) }
        return nil
    }

    private var failure: String {
        switch self {
        case .backUp: "no backup was made"
        case .restore: "nothing was restored"
        case .examine: "the store is not well"
        }
    }

    private func examine(_ path: String) throws(Refusal) -> String {
        do throws(StoreError) {
            let found = try SQLiteStore.examine(path)
            let rest =
                found.quarantined == 0 ? "" : ", \(found.quarantined) records set aside because nobody could read them"
            return "\(path) is well: layout \(found.layout), \(found.bytes) bytes\(rest)"
        } catch {
            throw Refusal(message: "\(failure): \(error.cause)", code: 1)
        }
    }
}
