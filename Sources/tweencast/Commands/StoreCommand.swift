// `tweencast backup`, `restore` and `check`: stores as files.

import Glibc
import Persistence
import Storage
import StorageSQLite
import TweencastService

/// An operation on a store that needs no running server.
enum StoreCommand {
    case backUp(to: String)
    case restore(from: String)
    /// On a file; nil for the store that would be served.
    case examine(String?)

    /// Why the operation failed.
    struct Refusal: Error {
        let message: String
        /// The program's exit code.
        let code: Int32
    }

    /// - Returns: A message, if there is one.
    func run(_ location: CommandLineOptions.StoreLocation) throws(Refusal) -> String? {
        // Exceeding the process' file size limit then is an error, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
        if case .examine(let file?) = self { return try examine(file) }
        guard case .folder(let folder) = location else {
            throw Refusal(message: "only for a data folder; back up a Redis with its own tools", code: 2)
        }
        let path = Tweencast.path(in: folder)
        switch self {
        case .examine: return try examine(path)
        case .backUp(let target):
            try make("\(target) was made") { look throws(StoreError) in
                try SQLiteStore.backUp(path, to: target) { source throws(StoreError) in _ = try look(source) }
            }
        case .restore(let copy):
            try make("\(copy) was restored") { look throws(StoreError) in
                // Who has received later events than the copy holds is told so.
                try SQLiteStore.restore(copy, to: path) { source throws(StoreError) in
                    CopyEnd(lastEvent: try look(source).lastEvent).record
                }
            }
        }
        return nil
    }

    private var failure: String {
        switch self {
        case .backUp: "no backup was made"
        case .restore: "nothing was restored"
        case .examine: "the store reports errors"
        }
    }

    /// Reads a copy.
    private typealias Look = (any RecordSource) throws(StoreError) -> StoreFindings

    /// Makes a store. If it can't all be read, it is kept, but reported as an error.
    /// - Parameter made: The message that it was made.
    private func make(_ made: String, _ make: (Look) throws(StoreError) -> Void) throws(Refusal) {
        var findings = StoreFindings()
        do throws(StoreError) {
            try make { source throws(StoreError) in
                findings = try StoreCheck.findings(in: source)
                return findings
            }
        } catch {
            throw Refusal(message: "\(failure): \(error.cause)", code: 1)
        }
        guard findings.isWhole else { throw Refusal(message: "\(made), but \(findings.text)", code: 1) }
    }

    private func examine(_ path: String) throws(Refusal) -> String {
        do throws(StoreError) {
            let found = try SQLiteStore.examine(path)
            let findings = try StoreCheck.findings(in: SQLiteSource(path: path))
            guard findings.isWhole else { throw StoreError(.corrupt, "\(path): \(findings.text)") }
            let rest =
                found.quarantined == 0 ? "" : ", \(found.quarantined) unreadable records set aside"
            return "\(path) is well: layout \(found.layout), \(found.bytes) bytes\(rest)"
        } catch {
            throw Refusal(message: "\(failure): \(error.cause)", code: 1)
        }
    }
}
