// `tweencast copy`: opens both stores and copies the board. On failure, the target stays as it was.

import Glibc
import Replication
import ReplicationRedis
import Storage
import StorageSQLite
import TweencastService

/// Copies a board that no server uses to a place without one.
struct CopyCommand {
    typealias Location = CommandLineOptions.StoreLocation

    /// Why nothing was copied; names the flag.
    struct Refusal: Error {
        let message: String
    }

    let source: Location
    let target: Location
    let options: CommandLineOptions

    /// - Returns: A summary of what was copied.
    func run() throws(Refusal) -> String {
        let from = try openSource()
        // Locks the source until the copy is complete.
        defer { withExtendedLifetime(from) {} }
        let draft = try openTarget()
        do throws(BoardCopy.Failure) {
            let counts = try BoardCopy(options.service).copy(from: from, to: draft.store)
            try draft.finish()
            return "copied to \(target): \(Self.text(counts))"
        } catch {
            draft.discard()
            switch error {
            case .source(let cause): throw refusal("--from", source, cause)
            case .target(let cause): throw refusal("--to", target, cause)
            }
        }
    }

    // MARK: - Source and target

    private func openSource() throws(Refusal) -> BoardCopy.Source {
        switch source {
        case .memory: return .store(EphemeralStore())
        case .redis(let address): return .shared(RedisLogOpener(address))
        case .folder(let folder):
            let path = Tweencast.path(in: folder)
            guard unsafe access(path, F_OK) == 0 else {
                throw Refusal(message: "--from: there is no board in \(folder): \(path) isn't there")
            }
            do throws(StoreError) {
                return .store(try SQLiteSource(path: path, isExclusive: true))
            } catch {
                throw refusal("--from", source, .store(error))
            }
        }
    }

    /// The target being written, and how to complete it.
    private enum Draft {
        case file(SQLiteDraft)
        case log(any LogOpener)
        case nothing

        var store: PersistenceBackend {
            switch self {
            case .file(let draft): .own(draft.store)
            case .log(let opener): .shared(opener)
            case .nothing: .own(EphemeralStore())
            }
        }

        func finish() throws(BoardCopy.Failure) {
            guard case .file(let draft) = self else { return }
            do throws(StoreError) {
                try draft.finish()
            } catch {
                throw .target(.store(error))
            }
        }

        func discard() {
            if case .file(let draft) = self { draft.discard() }
        }
    }

    private func openTarget() throws(Refusal) -> Draft {
        switch target {
        case .memory: return .nothing
        case .redis(let address): return .log(RedisLogOpener(address))
        case .folder(let folder):
            do throws(StoreError) {
                return .file(try SQLiteDraft(folder: folder, name: Tweencast.storeName))
            } catch {
                throw refusal("--to", target, .store(error))
            }
        }
    }

    // MARK: - Text

    private func refusal(_ flag: String, _ place: Location, _ error: ServiceError) -> Refusal {
        let text =
            switch error {
            case .store(let error) where error.code == .locked: "\(error.cause); stop the server that serves it first"
            case .store(let error): error.cause
            case .log(let failure): Self.text(failure, place)
            case .addressInUse, .badAddress, .badFolder, .badCertificate, .badKey, .system: "\(error)"
            }
        return Refusal(message: "\(flag): \(text)")
    }

    private static func text(_ counts: BoardCopy.Counts) -> String {
        let parts = [
            (counts.tickers, "tickers"), (counts.progressViews, "progress views"), (counts.schedules, "schedules"),
            (counts.webhooks, "webhooks"), (counts.answers, "answers kept for retries"),
        ]
        let words = parts.map { "\($1) \($0)" }.joined(separator: ", ")
        return "\(words); named events up to number \(counts.lastEvent)"
    }

    private static func text(_ failure: LogFailure, _ place: Location) -> String {
        switch failure.code {
        case .gone: "there is no board at \(place)"
        case .refused: "\(failure.cause); look at the user and the password of the address, and at what the user may do"
        case .away, .full, .damaged: failure.cause
        }
    }
}

extension CommandLineOptions.StoreLocation: CustomStringConvertible {
    /// In the syntax of `--store`, without passwords.
    var description: String {
        switch self {
        case .folder(let folder): "sqlite:\(folder)"
        case .memory: "memory"
        case .redis(let address): "\(address)"
        }
    }
}
