// Writes snapshots without the serving board: another one is loaded from the last snapshot and the log after it. So no
// subscriber waits, and each snapshot verifies that replaying the log yields the serving board.

import Machine
import OperatingSystem
import Replication
import Synchronization
import Tween

/// Writes snapshots, one at a time, on its own thread.
final class SnapshotWriter: Sendable {
    /// What it writes.
    private enum Work: Sendable {
        /// A snapshot that is due, from the last one and the log.
        case due(session: [UInt8])
        /// The serving board, because the snapshot or the log behind it is lost.
        case lost(LoadedBoard, Loss)
    }

    /// What the server has lost.
    enum Loss: Sendable {
        case board
        /// The snapshot, or entries of the log. With the writer's session: the server rejects what an earlier one writes.
        /// - Parameter mayRewind: Whether no replica is further, so that the log may go on behind the serving board although it
        ///   had other entries: those are lost, or no replica can follow them.
        case part(session: [UInt8], mayRewind: Bool)
    }

    private let parts: RedisLog.Parts
    private let isBusy = Atomic(false)
    private let isStopping = Atomic(false)
    private let hasFailed = Atomic(false)
    private let thread = Mutex<OwnedThread?>(nil)
    /// What the board that was asked for is for.
    private let wanted = Mutex(Loss.board)

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    /// Begins a snapshot, unless one is being written.
    /// - Parameter session: The writer's session; the server rejects a snapshot of an earlier one.
    func begin(session: [UInt8]) {
        guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else { return }
        start(.due(session: session))
    }

    /// Whether a snapshot has failed since the last call: a piece of the one before may be missing.
    func drainFailure() -> Bool { hasFailed.exchange(false, ordering: .acquiringAndReleasing) }

    /// Asks for the serving board, to write it back, unless something is being written.
    func want(for loss: Loss) {
        guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else { return }
        wanted.withLock { $0 = loss }
        parts.needs.post(.boardWanted)
    }

    /// Writes the board that was asked for.
    /// - Parameter board: nil if there is none to write.
    func store(_ board: LoadedBoard?) {
        guard let board else { return isBusy.store(false, ordering: .releasing) }
        start(.lost(board, wanted.withLock { $0 }))
    }

    private func start(_ work: Work) {
        let body: @Sendable () -> Void = { [self] in
            do throws(RedisError) {
                switch work {
                case .due(let session): try write(session)
                case .lost(let board, let loss): try write(board, loss)
                }
            } catch {
                hasFailed.store(true, ordering: .releasing)
                parts.needs.post(.snapshotFailed(LogFailure(error)))
            }
            isBusy.store(false, ordering: .releasing)
        }
        if let runLater = parts.surroundings.runLater { return runLater(body) }
        let new = OwnedThread(name: "snapshot", body)
        let last = thread.withLock { thread in
            defer { thread = new }
            return thread
        }
        // It has ended, since nothing else sets `isBusy`.
        last?.join()
        if isStopping.load(ordering: .acquiring) || !new.start() {
            thread.withLock { $0 = nil }
            isBusy.store(false, ordering: .releasing)
        }
    }

    private func write(_ board: LoadedBoard, _ loss: Loss) throws(RedisError) {
        let connection = try parts.server.connect()
        defer { connection.close() }
        let loader = BoardLoader(parts)
        switch loss {
        case .board: try Self.write(board, mark: 0, nil, by: connection, parts)
        case .part(let session, let mayRewind):
            let head = try loader.head(by: connection)
            let goesOn = try loader.goesOn(
                behind: board.follower.position, in: head, mayRewind: mayRewind, by: connection)
            try Self.write(board, mark: head.bytes, session, rewinds: !goesOn, by: connection, parts)
        }
    }

    /// Waits for the current snapshot.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        thread.withLock { $0.take() }?.join()
    }

    private func write(_ session: [UInt8]) throws(RedisError) {
        let connection = try parts.server.connect()
        defer { connection.close() }
        let store = SnapshotStore(address: parts.server.address)
        let last = try store.manifest(by: connection)
        // At a multiple of the interval at which replicas keep their digests, so that they can be compared.
        let loader = BoardLoader(parts)
        let head = try loader.head(by: connection)
        let end = head.sequence / DivergenceDetector.interval * DivergenceDetector.interval
        guard end > last?.position.sequence ?? 0, !isStopping.load(ordering: .acquiring) else { return }
        let board = try loader.load(by: connection, upTo: end, mayLackZones: true)
        try Self.write(board, mark: head.bytes, session, by: connection, parts)
        let position = board.follower.position
        parts.needs.post(
            .snapshot(DigestCheckpoint(sequence: position.sequence, digest: board.follower.digest.value)))
    }

    /// Writes a board's pieces and makes them the newest snapshot.
    /// - Parameters:
    ///   - mark: Bytes of all entries so far.
    ///   - rewinds: Whether the log goes on behind the board although it has other entries, which no replica can follow.
    static func write(
        _ board: LoadedBoard, mark: Int64, _ session: [UInt8]?, rewinds: Bool = false, by connection: any RedisLink,
        _ parts: RedisLog.Parts
    ) throws(RedisError) {
        let store = SnapshotStore(address: parts.server.address)
        let slot = SnapshotStore.newSlot(parts.surroundings.random)
        do throws(RedisError) {
            let draft = try store.write(board, to: slot, by: connection)
            if let session {
                try commit(draft, of: board, mark: mark, session, rewinds: rewinds, by: connection, parts)
            } else {
                try restore(draft, of: board, by: connection, parts)
            }
        } catch {
            store.remove(slot, by: connection)
            throw error
        }
    }

    /// Makes pieces the snapshot of a board that the server has lost, whose log goes on behind it.
    /// - Throws: Also if another replica was faster.
    private static func restore(
        _ draft: SnapshotDraft, of board: LoadedBoard, by connection: any RedisLink, _ parts: RedisLog.Parts
    ) throws(RedisError) {
        let (address, position) = (parts.server.address, board.follower.position)
        let even = parts.clock.expected
        let fields = [
            SnapshotStore(address: address).place, draft.slot, String(position.sequence),
            String(position.instant.nanoseconds / 1_000), String(position.name.rawValue),
            String(board.follower.digest.value), String(draft.pieces), String(draft.bytes),
            String(board.follower.clockShift / 1_000), String(board.follower.period), board.machine.epoch,
            BoardFormat.name,
        ]
        let made = try LogScript.restore.script.evaluate(
            on: connection, keys: LogScript.keys(of: address),
            arguments: fields.map { Array($0.utf8) } + [even.isEmpty ? Array("0".utf8) : even])
        guard made.integer == 1 else { throw RedisError(.failed, "another replica wrote the board back") }
    }

    /// Makes pieces the newest snapshot.
    /// - Throws: Also if the session is over or another replica was faster; then the newest snapshot is unchanged.
    static func commit(
        _ draft: SnapshotDraft, of board: LoadedBoard, mark: Int64, _ session: [UInt8], rewinds: Bool = false,
        by connection: any RedisLink, _ parts: RedisLog.Parts
    ) throws(RedisError) {
        let (address, position) = (parts.server.address, board.follower.position)
        let fields = [
            SnapshotStore(address: address).place, draft.slot, String(position.sequence),
            String(position.instant.nanoseconds / 1_000), String(position.name.rawValue),
            String(board.follower.digest.value), String(draft.pieces), String(mark), String(draft.bytes),
            String(board.follower.clockShift / 1_000), rewinds ? "1" : "0",
        ]
        _ = try LogScript.commit.script.evaluate(
            on: connection, keys: LogScript.keys(of: address),
            arguments: [Array(parts.needs.name.utf8), session] + fields.map { Array($0.utf8) } + [[]])
    }
}
