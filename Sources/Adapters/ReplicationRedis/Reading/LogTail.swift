// The thread that reads the log as it grows, and reloads the board on request.

import Machine
import OperatingSystem
import Replication
import Synchronization

/// Reads entries in order.
final class LogTail: Sendable {
    /// Milliseconds that a read blocks before the thread checks its flags.
    private static let wait = 500
    /// The most entries per read.
    private static let portion = 512
    /// Nanoseconds between two checks of the progress, while too many entries have not been applied.
    private static let breath: Int64 = 1_000_000
    /// Nanoseconds between two attempts to connect.
    private static let pause: Int64 = 200_000_000

    private let parts: RedisLog.Parts
    private let isStopping = Atomic(false)
    private let mustReload = Atomic(false)
    private let carriedOut = Atomic<UInt64>(0)
    let current = ConnectionInUse()
    private let thread = Mutex<OwnedThread?>(nil)

    init(_ parts: RedisLog.Parts) { self.parts = parts }

    // MARK: - Any thread

    /// Starts to read after this entry.
    func start(behind sequence: UInt64) -> Bool {
        let thread = OwnedThread(name: "log-reader") { [self] in run(behind: sequence) }
        guard thread.start() else { return false }
        self.thread.withLock { $0 = thread }
        return true
    }

    /// Records that entries up to this one have been applied.
    func record(carriedOut sequence: UInt64) { carriedOut.store(sequence, ordering: .relaxed) }

    func reload() {
        mustReload.store(true, ordering: .releasing)
        current.interrupt()
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        current.interrupt()
        thread.withLock { $0.take() }?.join()
    }

    // MARK: - The thread

    private func run(behind start: UInt64) {
        var place: UInt64? = start
        var ahead = ReadAhead()
        while !isStopping.load(ordering: .acquiring) {
            do throws(RedisError) {
                let connection = try parts.locator.locate()
                current.set(connection)
                defer {
                    current.set(nil)
                    connection.close()
                }
                try follow(&place, &ahead, by: connection)
            } catch {
                // Not reported here: the writer notices an unreachable server anyway, since it sends all the time.
                SystemClock.sleep(nanoseconds: Self.pause)
            }
        }
    }

    private func follow(
        _ place: inout UInt64?, _ ahead: inout ReadAhead, by connection: RedisConnection
    ) throws(RedisError) {
        while !isStopping.load(ordering: .acquiring) {
            if mustReload.load(ordering: .acquiring) {
                let board = try load(by: connection)
                place = board.follower.position.sequence
                ahead = ReadAhead()
                mustReload.store(false, ordering: .releasing)
                parts.needs.post(.loaded(board))
            }
            guard let known = place else { return SystemClock.sleep(nanoseconds: Self.pause) }
            ahead.forget(upTo: carriedOut.load(ordering: .relaxed))
            if ahead.isFull {
                // The node that applies entries is behind. Unread entries wait on the server.
                SystemClock.sleep(nanoseconds: Self.breath)
                continue
            }
            let items = try read(behind: known, by: connection)
            if !items.isEmpty { place = pass(items, &ahead) }
        }
    }

    /// Reports a failure only if the server replied; otherwise the writer reports that it is unreachable.
    private func load(by connection: RedisConnection) throws(RedisError) -> LoadedBoard {
        do throws(RedisError) {
            return try BoardLoader(parts).load(by: connection)
        } catch {
            if connection.failure == nil { parts.needs.post(.loadFailed(LogFailure(error))) }
            throw error
        }
    }

    private func read(behind sequence: UInt64, by connection: RedisConnection) throws(RedisError) -> [RedisReply] {
        let words = [[UInt8]](
            words: "XREAD", "COUNT", String(Self.portion), "BLOCK", String(Self.wait), "STREAMS",
            parts.locator.address.key("log"), "\(sequence)-0")
        let reply = try connection.call(words)
        return reply.elements?.first?.elements?.last?.elements ?? []
    }

    /// - Returns: The last one's number; nil if an entry can't be read: later ones are not passed on.
    private func pass(_ items: [RedisReply], _ ahead: inout ReadAhead) -> UInt64? {
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
