// Creates a board as a copy of another. The pieces are first written under unused keys that expire; then one atomic step
// makes them the first snapshot of a new board. If anything fails before that, nothing lasting remains.

import Base
import Machine
import Replication
import Tween

/// Creates a board whose first snapshot is another board.
struct BoardFounder {
    private let parts: RedisLog.Parts
    private var address: RedisAddress { parts.server.address }
    private var store: SnapshotStore { SnapshotStore(address: address) }

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    /// Creates the board.
    /// - Parameter board: At the start of a log.
    /// - Throws: Also if there is a board already, or any of its keys.
    func found(_ board: LoadedBoard) throws(RedisError) {
        let connection = try parts.server.connect()
        defer { connection.close() }
        _ = try RedisLog.warnings(of: connection)
        let keys = LogScript.keys(of: address)
        if let obstacle = try obstacle(by: connection) { throw obstacle }
        let slot = SnapshotStore.newSlot(parts.surroundings.random)
        do throws(RedisError) {
            let draft = try store.write(board, to: slot, by: connection)
            let (position, period) = (board.follower.position, board.follower.period)
            let fields = [
                store.stem(slot), slot, String(draft.pieces), String(draft.bytes),
                String(position.instant.nanoseconds / 1_000), String(period), board.machine.epoch,
                String(board.follower.digest.value), BoardFormat.name,
            ]
            let made = try Self.script.evaluate(
                on: connection, keys: keys, arguments: fields.map { Array($0.utf8) }, .atMost(.seconds(30)))
            guard made.integer == 1 else { throw try obstacle(by: connection) ?? taken }
        } catch {
            store.remove(slot, by: connection)
            throw error
        }
    }

    /// Returns why the board can't be created; nil if there are none of its keys.
    private func obstacle(by connection: any RedisLink) throws(RedisError) -> RedisError? {
        let holders = address.bytes("holders")
        let others = LogScript.keys(of: address).filter { $0 != holders }
        guard try connection.call([Array("EXISTS".utf8)] + others).integer == 0 else { return taken }
        guard try connection.call([Array("EXISTS".utf8), holders]).integer == 0 else {
            return RedisError(
                .failed,
                "replicas of the board \(address.board) run, which this Redis has lost: stop them, or have it written "
                    + "back")
        }
        return nil
    }

    private var taken: RedisError {
        let name = address.board
        return RedisError(.failed, "there is a board \(name) already; name another, or delete its keys {\(name)}:*")
    }

    /// stem, slot, count, bytes, instant, period, epoch, digest, format: returns 0 if any of the board's keys exists.
    private static let script = RedisScript(
        name: "found",
        source: LogScript.piecesOfSnapshots + """
            if redis.call('EXISTS', unpack(KEYS)) > 0 then return 0 end
            local count = tonumber(ARGV[3])
            if not areThere(ARGV[1], count) then
                return redis.error_reply('LATE it took too long: the first pieces have gone')
            end
            redis.call('HSET', KEYS[1], 'seq', '0', 'instant', ARGV[5], 'name', '0', 'lead', '0', 'bytes', '0',
                'period', ARGV[6], 'epoch', ARGV[7], 'format', ARGV[9])
            redis.call('HSET', KEYS[6], 'slot', ARGV[2], 'sequence', '0', 'instant', ARGV[5], 'name', '0',
                'digest', ARGV[8], 'pieces', ARGV[3], 'mark', '0', 'size', ARGV[4], 'written', ARGV[5])
            keep(ARGV[1], count)
            return 1
            """)
}

extension BoardLoader {
    /// Loads a board that no replica uses.
    /// - Throws: Also if replicas run, or ran shortly before and didn't leave.
    func loadUnused(by connection: any RedisLink) throws(RedisError) -> LoadedBoard {
        try checkUnused(by: connection)
        let board = try load(by: connection, mayLackZones: true)
        try checkUnused(by: connection)
        guard try head(by: connection).sequence == board.follower.position.sequence else { throw Self.inUse }
        return board
    }

    private func checkUnused(by connection: any RedisLink) throws(RedisError) {
        if try othersRun(by: connection) { throw Self.inUse }
    }

    /// Returns whether other replicas run, or ran shortly before and didn't leave.
    func othersRun(by connection: any RedisLink) throws(RedisError) -> Bool {
        let members = try connection.call("HGETALL", members).pairs
        let time = try connection.call("TIME").elements ?? []
        guard let seconds = time.first?.integer, let fraction = time.last?.integer else {
            throw RedisError(.protocolError, "TIME tells no time")
        }
        let clock = seconds.multipliedSaturated(by: 1_000_000).addingSaturated(fraction)
        let now = clock.addingSaturated(try evenLead(by: connection))
        return members.contains { name, report in
            let seen = report.text?.split(separator: " ").first.flatMap { Int64($0) } ?? 0
            return name != parts.needs.name
                && now.subtractingSaturated(seen) <= Int64(LogAppender.silence) * 1_000_000
        }
    }

    private static var inUse: RedisError {
        RedisError(
            .failed,
            "replicas of the board run; stop them first"
                + " (one that was killed counts as running for \(LogAppender.silence) s)")
    }
}
