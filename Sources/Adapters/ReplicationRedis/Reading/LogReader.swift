// What a replica reads of the log as it grows, and the board on request. In turns, so that a thread takes them in one program and a
// simulation in another.

import Machine
import Replication
import Synchronization

/// Reads entries in order. Used by one thread at a time.
final class LogReader: @unchecked Sendable {
    // @unchecked because: one thread takes the turns; what others reach is atomic.
    /// Milliseconds that a read blocks before the thread checks its flags.
    private static let wait = 500
    /// The most entries per read.
    private static let portion = 512
    /// Nanoseconds between two checks of the progress, while too many entries have not been applied.
    private static let breath: Int64 = 1_000_000
    /// Nanoseconds between two attempts to connect.
    static let pause: Int64 = 200_000_000

    let current = ConnectionInUse()
    private let parts: RedisLog.Parts
    private let isStopping = Atomic(false)
    private let mustReload = Atomic(false)
    private let carriedOut = Atomic<UInt64>(0)
    private var connection: (any RedisLink)?
    /// The last entry that was passed on; nil while the log can't be followed.
    private var place: UInt64?
    private var ahead = ReadAhead()

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    // MARK: - Any thread

    /// Records that entries up to this one have been applied.
    func record(carriedOut sequence: UInt64) { carriedOut.store(sequence, ordering: .relaxed) }

    func reload() {
        mustReload.store(true, ordering: .releasing)
        current.interrupt()
    }

    /// Whether it takes no more turns.
    var isStopped: Bool { isStopping.load(ordering: .acquiring) }

    /// Ends the current turn and takes no more.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        current.interrupt()
    }

    // MARK: - Turns

    /// Begins to read after this entry.
    func begin(behind sequence: UInt64) { place = sequence }

    /// Loads the board if it is to, and reads what there is.
    /// - Returns: Nanoseconds until the next turn.
    func turn() -> Int64 {
        do throws(RedisError) {
            let connection = try living()
            // There was nothing to interrupt while it connected.
            return isStopped ? 0 : try read(by: connection)
        } catch {
            // Not reported here: the writer notices an unreachable server anyway, since it sends all the time.
            close()
            return Self.pause
        }
    }

    func close() {
        current.set(nil)
        connection?.close()
        connection = nil
    }

    private func living() throws(RedisError) -> any RedisLink {
        if let connection { return connection }
        let connection = try parts.server.connect()
        self.connection = connection
        current.set(connection)
        return connection
    }

    private func read(by connection: any RedisLink) throws(RedisError) -> Int64 {
        if mustReload.load(ordering: .acquiring) {
            let board = try load(by: connection)
            place = board.follower.position.sequence
            ahead = ReadAhead()
            mustReload.store(false, ordering: .releasing)
            parts.needs.post(.loaded(board))
        }
        guard let known = place else { return Self.pause }
        ahead.forget(upTo: carriedOut.load(ordering: .relaxed))
        // The node that applies entries is behind. Unread entries wait on the server.
        if ahead.isFull { return Self.breath }
        let items = try entries(behind: known, by: connection)
        if !items.isEmpty { place = pass(items) }
        return 0
    }

    /// Reports a failure only if the server replied; otherwise the writer reports that it is unreachable.
    private func load(by connection: any RedisLink) throws(RedisError) -> LoadedBoard {
        do throws(RedisError) {
            return try BoardLoader(parts).load(by: connection)
        } catch {
            if connection.failure == nil { parts.needs.post(.loadFailed(LogFailure(error))) }
            throw error
        }
    }

    private func entries(behind sequence: UInt64, by connection: any RedisLink) throws(RedisError) -> [RedisReply] {
        let words = [[UInt8]](
            words: "XREAD", "COUNT", String(Self.portion), "BLOCK", String(Self.wait), "STREAMS",
            parts.server.address.key("log"), "\(sequence)-0")
        let reply = try connection.call(words)
        return reply.elements?.first?.elements?.last?.elements ?? []
    }

    /// - Returns: The last one's number; nil if an entry can't be read: later ones are not passed on.
    private func pass(_ items: [RedisReply]) -> UInt64? {
        let reader = EntryReader(rules: parts.needs.rules)
        var entries: [LogEntry] = []
        for item in items {
            do throws(UnreadableEntry) {
                let raw = try EntryReader.raw(item)
                ahead.record(raw.position.sequence, bytes: raw.payload.count)
                let entry = try reader.entry(raw)
                if case .zones(let version, nil) = entry.content { throw .zones(version) }
                parts.needs.prepare(entry)
                entries.append(entry)
            } catch {
                parts.needs.post(.entries(entries))
                parts.needs.post(.unreadable(error))
                return nil
            }
        }
        parts.needs.post(.entries(entries))
        return entries.last?.position.sequence
    }
}
