// The log without threads: a simulation takes the turns that threads take in a program.

package import Replication

/// The log of a board, whose turns its caller takes.
package final class SteppedRedisLog: SharedLog, @unchecked Sendable {
    // @unchecked because: its caller uses it on one thread.
    private let parts: RedisLog.Parts
    private let appender: LogAppender
    private let reader: LogReader
    private var messages: [LogAppender.Message] = []
    /// Whether it takes no more turns.
    package private(set) var isClosed = false
    /// Called when there is a message to be sent.
    package var wake: () -> Void = {}

    /// - Parameters:
    ///   - wait: How many of the server's replicas must have an entry before it is acknowledged.
    ///   - snapshotEntries: The most entries after a snapshot before the next one is written.
    package init(
        _ server: any BoardServer, wait: Int, snapshotEntries: UInt64, whenEmpty: EmptyRedisPolicy,
        _ needs: LogContext, _ surroundings: LogSurroundings
    ) {
        parts = RedisLog.Parts(
            server: server, wait: wait, snapshotEntries: snapshotEntries, whenEmpty: whenEmpty, needs: needs,
            surroundings: surroundings)
        (appender, reader) = (LogAppender(parts), LogReader(parts))
    }

    /// Begins a session and loads the board.
    /// - Parameter mayMake: Make the board if there is none, and no running replica has noted that it has it.
    /// - Throws: Why not; also if there is no board.
    package func open(mayMake: Bool) throws(LogFailure) -> LoadedBoard {
        do throws(RedisError) {
            guard let session = try BoardAbsence(parts).begin(mayMake: mayMake) else {
                throw RedisError(.absent, "there is no board yet")
            }
            let board = try RedisLog.join(by: session, parts)
            reader.begin(behind: board.follower.position.sequence)
            appender.begin(session)
            return board
        } catch {
            throw LogFailure(error, whenEmpty: parts.whenEmpty)
        }
    }

    /// Sends what waits, and a heartbeat if it is time for one.
    /// - Returns: Monotonic nanoseconds of the next turn.
    package func write() -> Int64 {
        let waiting = messages
        messages = []
        appender.turn(waiting)
        return appender.nextTurn
    }

    /// Reads what there is.
    /// - Returns: Nanoseconds until the next turn; 0 as soon as there is an entry.
    package func read() -> Int64 { reader.turn() }

    private func send(_ message: LogAppender.Message) {
        messages.append(message)
        wake()
    }

    package func append(_ entries: [DraftEntry], session: UInt64) { send(.entries(entries, session: session)) }
    package func reload() { reader.reload() }
    package func report(_ report: ReplicaReport) {
        appender.report(report)
        reader.record(carriedOut: report.sequence)
    }
    package func askHead(question: UInt64) { send(.head(question: question)) }
    package func store(_ board: LoadedBoard?) { appender.store(board) }
    package func resetClock() { send(.resetClock) }
    package func close() {
        isClosed = true
        if !messages.isEmpty { _ = write() }
        appender.leave()
        reader.close()
    }
}
