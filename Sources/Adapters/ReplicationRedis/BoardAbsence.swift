// A server that has lost the board: it came back empty, or its head was deleted. Replicas that run have the board, and say so
// on the server, so that no start makes an empty one in its place, and so that the one which is furthest writes it back.

import OperatingSystem
import Replication

/// What this replica does while the server doesn't have the board.
struct BoardAbsence {
    private let parts: RedisLog.Parts
    /// Nanoseconds between two looks of a start.
    private static let pause: Int64 = 100_000_000

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    private struct Standing {
        /// How many replicas have the board.
        var holders: Int64
        /// Whether this one should write it back, and whether that has been done.
        var restores: Bool
        var isOver: Bool
    }

    /// Says that this replica has the board.
    /// - Returns: Whether it should write it back.
    func announce(_ report: ReplicaReport) throws(RedisError) -> Bool {
        let connection = try parts.locator.locate()
        defer { connection.close() }
        return try say(report.isFollowing ? String(report.sequence) : "-1", by: connection).restores
            && report.isFollowing
    }

    private func say(_ position: String, by connection: RedisConnection) throws(RedisError) -> Standing {
        let restores = parts.whenEmpty == .restore ? "1" : "0"
        let reply = try LogScript.announce.script.evaluate(
            on: connection, keys: LogScript.keys(of: parts.locator.address),
            arguments: [[UInt8]](words: parts.needs.name, position, restores))
        guard let fields = reply.elements, fields.count == 3, let holders = fields[0].integer else {
            throw RedisError(.protocolError, "unexpected answer to an announcement")
        }
        return Standing(holders: holders, restores: fields[1].integer == 1, isOver: fields[2].integer == 1)
    }

    /// Begins a first session, and makes an empty board if no replica has said for a while that it has this one.
    /// - Throws: If one has. That passes once the board is written back.
    func begin(within patience: Int64) throws(RedisError) -> LogSession {
        let end = SystemClock.monotonic() + patience
        while true {
            do throws(RedisError) {
                return try LogSession(parts, mayMake: SystemClock.monotonic() >= end)
            } catch let error where LogSession.isGone(error) {
                let connection = try parts.locator.locate()
                defer { connection.close() }
                let standing = try say("", by: connection)
                guard standing.holders == 0 || standing.isOver else { throw held(standing.holders) }
                SystemClock.sleep(nanoseconds: Self.pause)
            }
        }
    }

    private func held(_ count: Int64) -> RedisError {
        let cure =
            switch parts.whenEmpty {
            case .restore: "one of them writes it back"
            case .refuse:
                "start one more replica with --redis-empty restore, and one of them writes it back; to begin an empty board, "
                    + "stop all"
            }
        return RedisError(.absent, "the Redis has lost this board, and \(count) running replicas have it: \(cure)")
    }
}
