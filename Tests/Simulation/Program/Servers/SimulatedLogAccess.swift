// One process's way to the log: it takes time, breaks, and loses replies.

import Replication
import Tween
import TweencastService

/// A process's connections to the log, with the behaviour of `RedisLog`.
final class SimulatedLogAccess: SharedLog, LogAccess, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    /// Nanoseconds between two heartbeats, and between two attempts to connect.
    private static let beat: Int64 = .milliseconds(250)
    private static let pause: Int64 = .milliseconds(200)
    /// The most entries that arrive together.
    private static let portion = 512

    private let world: World
    private let log: SimulatedLog
    private let machine: SimulatedMachine
    private let needs: LogContext
    private let wake: () -> Void
    private let latency: ClosedRange<Int64>
    /// What it says of itself.
    private(set) var own: ReplicaReport
    /// The server that its session is with, and the one that it reads.
    private(set) var server: LogServer
    private var source: LogServer
    /// The session's number; nil while there is none.
    private var session: UInt64? = 0
    private var sessions: UInt64 = 0
    private var isReachable = true
    /// Whether the server that the session was with is gone, which it has yet to notice.
    private var isStale = false
    private var isOver = false
    /// Whether it has met an entry that it can't read.
    private(set) var isStopped = false
    /// The last entry that was passed on; nil while the board is loaded.
    private var place: UInt64?
    private var isReading = false

    init(_ log: SimulatedLog, _ machine: SimulatedMachine, _ needs: LogContext, wake: @escaping () -> Void) {
        (self.log, self.machine, self.needs, self.wake) = (log, machine, needs, wake)
        world = log.world
        latency = .microseconds(50)...log.latency
        own = ReplicaReport(name: needs.name)
        (server, source) = (log.server, log.server)
    }

    func open() throws(LogFailure) -> LoadedBoard {
        do throws(LogFailure) {
            server = try log.begin(self, needs)
            source = server
            sampleClock()
            let board = try log.board(of: server, needs)
            place = board.follower.position.sequence
            world.after(Self.beat) { [self] in beat() }
            readSoon()
            return board
        } catch {
            die()
            throw error
        }
    }

    /// The process dies.
    func die() {
        isOver = true
        log.forget(self)
    }

    private func post(_ notice: LogNotice) {
        needs.post(notice)
        wake()
    }

    private func later(_ act: @escaping () -> Void) {
        world.after(world.nanoseconds(latency)) { [self] in if !isOver { act() } }
    }

    /// The log's clock, as a round trip shows it.
    private func sampleClock() {
        let trip = world.nanoseconds(.microseconds(50)...(.microseconds(200)))
        let now = machine.monotonic
        needs.look(ClockEstimate.Sample(sent: now - trip, received: now, shown: server.now.nanoseconds - trip / 2))
    }

    // MARK: - Writing

    func append(_ entries: [DraftEntry], session: UInt64) {
        guard session == self.session else { return refuse(entries, LogFailure(.away, "the log is unreachable")) }
        // Also when the process dies: what it has sent arrives.
        world.after(world.nanoseconds(latency)) { [self] in
            guard session == self.session, !isStale, isReachable || world.happens(0.5) else {
                return isOver ? () : loseSession()
            }
            guard !server.isEmpty else {
                if isOver { return }
                refuse(entries, SimulatedLog.gone)
                return loseSession(SimulatedLog.gone)
            }
            for entry in entries { log.append(entry, to: server) }
            if !isReachable, !isOver {
                world.history.mark("reply of the log lost")
                loseSession()
            }
        }
    }

    private func refuse(_ entries: [DraftEntry], _ failure: LogFailure) {
        later { [self] in post(.refused(entries.map(\.name), failure)) }
    }

    func askHead(question: UInt64) {
        later { [self] in
            guard session != nil, isReachable, !isStale else { return }
            guard !server.isEmpty else { return loseSession(SimulatedLog.gone) }
            let head = server.head.sequence
            later { [self] in post(.head(head, question: question)) }
        }
    }

    func report(_ report: ReplicaReport) { own = report }

    func store(_ board: LoadedBoard?) {
        guard let board else { return }
        later { [self] in if isReachable { log.writeBack(board) } }
    }

    func resetClock() {}

    private func beat() {
        guard !isOver else { return }
        world.after(Self.beat) { [self] in beat() }
        guard session != nil else { return }
        guard isReachable, !isStale else { return loseSession() }
        guard !server.isEmpty else { return loseSession(SimulatedLog.gone) }
        sampleClock()
        post(.members(server.beat(of: own, monotonic: machine.monotonic)))
    }

    // MARK: - Failures

    let isInTurn = false
    /// Its requests have nothing between them.
    func strike(_ act: @escaping () -> Void) {}
    var follows: Bool { isReachable && place != nil }

    /// The log can't be reached for so long. Entries on their way may have arrived.
    func cutOff(for time: Int64) {
        guard isReachable, !isOver else { return }
        world.history.mark("replica cut off")
        log.isDisturbed()
        isReachable = false
        world.after(time) { [self] in isReachable = true }
    }

    /// A server has been replaced: connections to it break.
    func leave(_ old: LogServer) {
        isStale = isStale || server === old
        later { [self] in if server === old { loseSession() } }
        later { [self] in
            guard source === old else { return }
            source = log.server
            readSoon()
        }
    }

    private func loseSession(_ failure: LogFailure = LogFailure(.away, "the log is unreachable", mayPass: true)) {
        guard session != nil else { return }
        session = nil
        post(.lost(failure))
        connect()
    }

    private func connect() {
        world.after(Self.pause) { [self] in
            guard !isOver else { return }
            guard isReachable else { return connect() }
            do throws(LogFailure) {
                server = try log.begin(self, needs)
            } catch {
                post(.lost(error))
                if log.wantsBoard(of: self) { post(.boardWanted) }
                return connect()
            }
            source = server
            sessions += 1
            session = sessions
            isStale = false
            world.history.mark("new session")
            post(.taken(upTo: server.head.sequence, session: sessions))
            readSoon()
        }
    }

    // MARK: - Reading

    /// There may be entries that have not been passed on.
    func readSoon() {
        guard !isReading, !isOver else { return }
        isReading = true
        world.after(world.nanoseconds(latency)) { [self] in
            isReading = false
            guard !isOver, let known = place else { return }
            guard isReachable else { return world.after(Self.pause) { [self] in readSoon() } }
            read(behind: known)
        }
    }

    /// Passes on what there is, up to an entry that can't be read.
    private func read(behind known: UInt64) {
        let raw = source.entries(behind: known).prefix(Self.portion)
        guard let last = raw.last else { return }
        var entries: [LogEntry] = []
        do throws(UnreadableEntry) {
            for raw in raw { entries.append(try log.read(raw, needs)) }
            place = last.position.sequence
            post(.entries(entries))
            readSoon()
        } catch {
            place = nil
            isStopped = true
            world.history.mark("entry can't be read")
            post(.entries(entries))
            post(.unreadable(error))
        }
    }

    func reload() {
        (place, isStopped) = (nil, false)
        later { [self] in
            guard isReachable else { return world.after(Self.pause) { [self] in reload() } }
            source = log.server
            do throws(LogFailure) {
                let board = try log.board(of: source, needs)
                place = board.follower.position.sequence
                world.history.mark("board loaded again")
                post(.loaded(board))
                readSoon()
            } catch {
                post(.loadFailed(error))
                world.after(Self.pause) { [self] in reload() }
            }
        }
    }

    func close() {
        server.leave(needs.name)
        die()
    }
}
