// One process's log on the simulated Redis: the real adapter, whose threads' turns are events of the world.

import Base
import Replication
import ReplicationRedis
import TweencastService

/// The turns of a process's log, and its notices on their way.
final class RedisAccess: LogAccess, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Nanoseconds after which a blocking read returns without an entry.
    private static let blocking: Int64 = .milliseconds(500)

    /// Nanoseconds until a thread is looked at again that waits for the server.
    private static let breath: Int64 = .microseconds(100)

    private let world: World
    private let redis: SimulatedRedis
    private let machine: SimulatedMachine
    private let way: RedisWay
    private let latency: ClosedRange<Int64>
    private let wake: () -> Void
    private let needs: LogContext
    private var log: SteppedRedisLog?
    private var isOver = false
    private var isWriting = false
    private var isReading = false
    /// The world's time of the next turn that is planned, for the writer and the reader.
    private var nextWrite = Int64.max
    private var nextRead = Int64.max

    init(
        _ redis: SimulatedRedis, _ machine: SimulatedMachine, _ needs: LogContext, latency: Int64,
        wake: @escaping () -> Void
    ) {
        (self.redis, self.machine, self.needs, self.wake) = (redis, machine, needs, wake)
        (world, way) = (redis.world, RedisWay(redis))
        self.latency = .microseconds(50)...latency
    }

    func open(wait: Int, snapshotEntries: UInt64, mayMake: Bool) throws(LogFailure) -> (any SharedLog, LoadedBoard) {
        var context = needs
        context.post = { [self] notice in post(notice) }
        let surroundings = LogSurroundings(
            monotonic: { [machine] in machine.monotonic }, random: world.chance, pause: { _ in },
            runLater: { [self] body in later { [way] in way.take { body() } } })
        let log = SteppedRedisLog(
            way, wait: wait, snapshotEntries: snapshotEntries, whenEmpty: .restore, context, surroundings)
        let board = try log.open(mayMake: mayMake)
        self.log = log
        log.wake = { [self] in write(at: world.now + world.nanoseconds(latency)) }
        redis.listen(self) { [self] in read(at: world.now + world.nanoseconds(latency)) }
        write(at: world.now)
        read(at: world.now)
        return (log, board)
    }

    /// The process dies.
    func die() {
        isOver = true
        way.isDead = true
        redis.forget(self)
    }

    var follows: Bool { way.isOpen }
    var isInTurn: Bool { way.isInTurn }
    /// No entry is damaged here.
    let isStopped = false

    func strike(_ act: @escaping () -> Void) { way.strike = act }

    /// The server can't be reached for so long.
    func cutOff(for time: Int64) {
        guard way.isOpen, !isOver else { return }
        world.history.mark("replica cut off")
        redis.isDisturbed()
        way.isOpen = false
        world.after(time) { [self] in way.isOpen = true }
    }

    private func post(_ notice: LogNotice) {
        if isOver { return }
        needs.post(notice)
        wake()
    }

    private func later(_ act: @escaping () -> Void) {
        world.after(world.nanoseconds(latency)) { [self] in if !isOver { act() } }
    }

    // MARK: - Turns

    private func write(at time: Int64) {
        guard time < nextWrite, !isOver else { return }
        nextWrite = time
        world.at(time) { [self] in
            guard nextWrite == time, !isOver, let log, !log.isClosed else { return }
            nextWrite = .max
            guard !isWriting else { return write(at: world.now + Self.breath) }
            isWriting = true
            let next = way.take { log.write() }
            isWriting = false
            write(at: max(world.now + .microseconds(1), machine.worldTime(ofMonotonic: next)))
        }
    }

    private func read(at time: Int64) {
        guard time < nextRead, !isOver else { return }
        nextRead = time
        world.at(time) { [self] in
            guard nextRead == time, !isOver, let log, !log.isClosed else { return }
            nextRead = .max
            guard !isReading else { return read(at: world.now + Self.breath) }
            isReading = true
            way.hasMore = false
            let pause = way.take { log.read() }
            isReading = false
            let isDone = pause == 0 && !way.hasMore
            read(at: world.now + (isDone ? Self.blocking : max(pause, .microseconds(100))))
        }
    }
}

/// Opens a board on the simulated Redis for one process.
final class SimulatedRedisOpener: LogOpener, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    private let redis: SimulatedRedis
    private let machine: SimulatedMachine
    private let mayMake: Bool
    private let wake: () -> Void
    private(set) var access: RedisAccess?

    init(_ redis: SimulatedRedis, _ machine: SimulatedMachine, mayMake: Bool, wake: @escaping () -> Void) {
        (self.redis, self.machine, self.mayMake, self.wake) = (redis, machine, mayMake, wake)
    }

    var isHolding: Bool { redis.wait > 0 }

    func open(_ needs: LogContext) throws(LogFailure) -> (log: any SharedLog, board: LoadedBoard) {
        let access = RedisAccess(redis, machine, needs, latency: redis.latency, wake: wake)
        let opened = try access.open(wait: redis.wait, snapshotEntries: redis.snapshotEntries, mayMake: mayMake)
        self.access = access
        return (log: opened.0, board: opened.1)
    }

    func load(_ needs: LogContext) throws(LogFailure) -> LoadedBoard {
        throw LogFailure(.refused, "a simulated board is not copied")
    }

    func create(_ board: LoadedBoard, _ needs: LogContext) throws(LogFailure) {
        throw LogFailure(.refused, "a simulated board is not copied to")
    }
}
