// A log on a Redis server: one thread appends, another reads.

import Base
import Machine
package import Replication

/// What happens to a board that the server has lost while replicas have it.
package enum EmptyRedisPolicy: String, CaseIterable, Sendable {
    /// They report it and reject changes.
    case refuse
    /// The one that is furthest in the log writes it back.
    case restore

    /// What ends the loss.
    var cure: String {
        switch self {
        case .refuse:
            "start one more replica with --redis-empty restore, and a running one writes it back; to begin an empty board, "
                + "stop all"
        case .restore: "the running replica that is furthest in the log writes it back"
        }
    }
}

/// Opens boards on a Redis server.
package struct RedisLogOpener: LogOpener {
    private let address: RedisAddress
    private let wait: Int
    private let snapshotEntries: UInt64
    private let whenEmpty: EmptyRedisPolicy
    private let patience: Int64
    /// Time limits for connecting and for each reply.
    private static let timeouts = RedisConnectionConfiguration(connectTimeout: .seconds(2), answerTimeout: .seconds(2))

    /// - Parameters:
    ///   - wait: How many of the server's replicas must have an entry before it is acknowledged.
    ///   - snapshotEntries: The most entries after a snapshot before the next one is written.
    ///   - patience: Nanoseconds for which a start looks for replicas that have the board before it makes an empty one. They
    ///     try to connect for 2 s at a time.
    package init(
        _ address: RedisAddress, wait: Int = 0, snapshotEntries: UInt64 = SnapshotPlan.usualEntries,
        whenEmpty: EmptyRedisPolicy = .refuse, patience: Int64 = 2_500_000_000
    ) {
        (self.address, self.wait, self.snapshotEntries) = (address, wait, snapshotEntries)
        (self.whenEmpty, self.patience) = (whenEmpty, patience)
    }

    package var isHolding: Bool { wait > 0 }

    private func parts(_ needs: LogContext) -> RedisLog.Parts {
        RedisLog.Parts(
            server: RedisLocator(address, Self.timeouts), wait: wait, snapshotEntries: snapshotEntries,
            whenEmpty: whenEmpty, needs: needs)
    }

    package func load(_ needs: LogContext) throws(LogFailure) -> LoadedBoard {
        let parts = parts(needs)
        do throws(RedisError) {
            return try BoardLoader(parts).loadUnused(by: parts.server.connect())
        } catch {
            throw LogFailure(error)
        }
    }

    package func create(_ board: LoadedBoard, _ needs: LogContext) throws(LogFailure) {
        do throws(RedisError) {
            try BoardFounder(parts(needs)).found(board)
        } catch {
            throw LogFailure(error)
        }
    }

    package func open(_ needs: LogContext) throws(LogFailure) -> (log: any SharedLog, board: LoadedBoard) {
        let log = RedisLog(parts(needs))
        do throws(RedisError) {
            return (log, try log.open(patience: patience))
        } catch {
            throw LogFailure(error, whenEmpty: whenEmpty)
        }
    }
}

/// The log of a board on Redis or a compatible server.
final class RedisLog: SharedLog {
    /// What the log's threads share.
    struct Parts: Sendable {
        var server: any BoardServer
        /// How many of the server's replicas must have an entry before it is acknowledged.
        var wait: Int
        /// The most entries after a snapshot before the next one is written.
        var snapshotEntries: UInt64
        var whenEmpty: EmptyRedisPolicy
        var needs: LogContext
        let surroundings: LogSurroundings
        let clock: LogClock

        init(
            server: any BoardServer, wait: Int, snapshotEntries: UInt64, whenEmpty: EmptyRedisPolicy = .refuse,
            needs: LogContext, surroundings: LogSurroundings = .system
        ) {
            (self.server, self.wait, self.snapshotEntries) = (server, wait, snapshotEntries)
            (self.whenEmpty, self.needs, self.surroundings) = (whenEmpty, needs, surroundings)
            clock = LogClock(surroundings.monotonic, needs.look)
        }

        /// A name for an entry of the log's own.
        func newName() -> EntryName { EntryName(rawValue: surroundings.random.next()) }
    }

    /// The most samples of the log's clock before a board is served, and the uncertainty in nanoseconds that needs no
    /// further one.
    private static let firstLooks = 16
    private static let goodLook: Int64 = 250_000

    private let parts: Parts
    private let writer: LogWriter
    private let tail: LogTail
    private let watch: MasterWatch

    init(_ parts: Parts) {
        self.parts = parts
        writer = LogWriter(parts)
        tail = LogTail(parts)
        watch = MasterWatch(parts.server, [writer.appender.current, tail.reader.current])
    }

    /// Loads the board, and starts to append and to read.
    /// - Throws: Why the server or its data can't be used.
    func open(patience: Int64) throws(RedisError) -> LoadedBoard {
        let session = try BoardAbsence(parts).begin(within: patience)
        let board = try Self.join(by: session, parts)
        guard tail.start(behind: board.follower.position.sequence), writer.start(session),
            watch.start()
        else {
            throw RedisError(.failed, "can't start a thread")
        }
        return board
    }

    /// Loads the board, and samples the log's clock.
    /// - Throws: Why the server or its data can't be used.
    static func join(by session: LogSession, _ parts: Parts) throws(RedisError) -> LoadedBoard {
        guard session.period == parts.needs.period else {
            let rate = 1_000_000_000 / max(1, session.period)
            throw RedisError(.failed, "this board has \(rate) ticks a second; start with --tick-rate \(rate)")
        }
        let board = try load(by: session.connection, parts)
        session.warnings = try warnings(of: session.connection)
        parts.needs.post(.warnings(session.warnings))
        for _ in 0..<firstLooks where parts.clock.uncertainty > goodLook { try session.settleClock() }
        return board
    }

    /// Loads the board. A replica that starts alone uses its own time zone rules, since no running replica has others. If
    /// several start together, the others wait until the first has put its rules into the log.
    private static func load(by connection: any RedisLink, _ parts: Parts) throws(RedisError) -> LoadedBoard {
        let loader = BoardLoader(parts)
        for _ in 1..<attempts {
            let board = try loader.load(by: connection, mayLackZones: true)
            if board.machine.missingZones == nil { return board }
            if try !loader.othersRun(by: connection) { return board }
            parts.surroundings.pause(pause)
        }
        return try loader.load(by: connection)
    }

    /// Attempts to find known time zone rules in the log, and nanoseconds between them.
    private static let attempts = 10
    private static let pause: Int64 = 300_000_000

    /// Returns warnings about a server for the operator.
    /// - Throws: If the server is too old.
    static func warnings(of connection: any RedisLink) throws(RedisError) -> [String] {
        let settings = try RedisSettings(of: connection)
        try settings.checkVersion()
        return settings.warnings.map(\.description)
    }

    func append(_ entries: [DraftEntry], session: UInt64) {
        guard !writer.post(.entries(entries, session: session)) else { return }
        parts.needs.post(.refused(entries.map(\.name), LogFailure(.away, "the queue to the log is full")))
    }

    func reload() { tail.reader.reload() }
    func report(_ report: ReplicaReport) {
        writer.appender.report(report)
        tail.reader.record(carriedOut: report.sequence)
    }

    func askHead(question: UInt64) { _ = writer.post(.head(question: question)) }

    func store(_ board: LoadedBoard?) { writer.appender.store(board) }

    func resetClock() { _ = writer.post(.resetClock) }

    func close() {
        watch.stop()
        writer.stop()
        tail.stop()
    }
}
