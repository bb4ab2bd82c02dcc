// A server that has lost the board: it came back empty, or its head was deleted. Running replicas note on such a server that
// they have the board. No start then makes an empty one, and the replica furthest in the log writes its own back.

import Replication

/// What this replica does while the server doesn't have the board.
struct BoardAbsence {
    private let parts: RedisLog.Parts
    /// Nanoseconds between two attempts of a start.
    private static let pause: Int64 = 100_000_000

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    private struct Standing {
        /// How many replicas have the board.
        var holders: Int64
        /// Whether this one should write it back, and whether that has been done.
        var restores: Bool
        var isOver: Bool
    }

    /// Notes on the server that this replica has the board.
    /// - Returns: Whether it should write it back.
    func announce(_ report: ReplicaReport) throws(RedisError) -> Bool {
        let connection = try parts.server.connect()
        defer { connection.close() }
        return try say(report.hasBoard ? String(report.sequence) : "-1", by: connection).restores
            && report.hasBoard
    }

    private func say(_ position: String, by connection: any RedisLink) throws(RedisError) -> Standing {
        let restores = parts.whenEmpty == .restore ? "1" : "0"
        let reply = try LogScript.announce.script.evaluate(
            on: connection, keys: LogScript.keys(of: parts.server.address),
            arguments: [[UInt8]](words: parts.needs.name, position, restores))
        guard let fields = reply.elements, fields.count == 3, let holders = fields[0].integer else {
            throw RedisError(.protocolError, "unexpected answer to an announcement")
        }
        return Standing(holders: holders, restores: fields[1].integer == 1, isOver: fields[2].integer == 1)
    }

    /// Begins a first session, and makes an empty board unless a running replica has noted that it has the board.
    /// - Throws: If one has; try again once it is written back.
    func begin(within patience: Int64) throws(RedisError) -> LogSession {
        let end = parts.surroundings.monotonic() + patience
        while true {
            if let session = try begin(mayMake: parts.surroundings.monotonic() >= end) { return session }
            parts.surroundings.pause(Self.pause)
        }
    }

    /// Begins a first session.
    /// - Returns: nil where there is no board, and as yet no replica has noted that it has one.
    /// - Throws: If one has.
    func begin(mayMake: Bool) throws(RedisError) -> LogSession? {
        do throws(RedisError) {
            return try LogSession(parts, mayMake: mayMake)
        } catch let error where LogSession.isGone(error) {
            let connection = try parts.server.connect()
            defer { connection.close() }
            let standing = try say("", by: connection)
            guard standing.holders == 0 || standing.isOver else { throw held(standing.holders) }
            return nil
        }
    }

    private func held(_ count: Int64) -> RedisError {
        RedisError(
            .absent,
            "the Redis has lost this board, and running replicas (\(count)) have it: \(parts.whenEmpty.cure)")
    }
}
