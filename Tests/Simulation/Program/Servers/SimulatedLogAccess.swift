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
    private var own: ReplicaReport
    /// The session's number; nil while there is none.
    private var session: UInt64? = 0
    private var sessions: UInt64 = 0
    private var isReachable = true
    /// Whether the server that the session was with is gone, which it has yet to notice.
    private var isStale = false
    private var isOver = false
    /// The last entry that was passed on; nil while the board is loaded.
    private var place: UInt64?
    private var isReading = false

    init(_ log: SimulatedLog, _ machine: SimulatedMachine, _ needs: LogContext, wake: @escaping () -> Void) {
        (self.log, self.machine, self.needs, self.wake) = (log, machine, needs, wake)
        world = log.world
        latency = .microseconds(50)...log.latency
        own = ReplicaReport(name: needs.name)
    }

    func open() throws(LogFailure) -> LoadedBoard {
        log.begin(self, needs)
        sampleClock()
        let board = try log.board(needs)
        place = board.follower.position.sequence
        world.after(Self.beat) { [self] in beat() }
        readSoon()
        return board
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
        needs.look(ClockEstimate.Sample(sent: now - trip, received: now, shown: log.now.nanoseconds - trip / 2))
    }

    // MARK: - Writing

    func append(_ entries: [DraftEntry], session: UInt64) {
        guard session == self.session else {
            return later { [self] in
                post(.refused(entries.map(\.name), LogFailure(.away, "the log is unreachable")))
            }
        }
        // Also when the process dies: what it has sent arrives.
        world.after(world.nanoseconds(latency)) { [self] in
            guard session == self.session, !isStale, isReachable || world.happens(0.5) else {
                return isOver ? () : loseSession()
            }
            for entry in entries { log.append(entry) }
            if !isReachable, !isOver {
                world.history.mark("reply of the log lost")
                loseSession()
            }
        }
    }

    func askHead(question: UInt64) {
        later { [self] in
            guard session != nil, isReachable else { return }
            let head = log.head.sequence
            later { [self] in post(.head(head, question: question)) }
        }
    }

    func report(_ report: ReplicaReport) { own = report }
    func store(_ board: LoadedBoard?) {}
    func resetClock() {}

    private func beat() {
        guard !isOver else { return }
        world.after(Self.beat) { [self] in beat() }
        guard session != nil else { return }
        guard isReachable else { return loseSession() }
        sampleClock()
        post(.members(log.beat(of: own, monotonic: machine.monotonic)))
    }

    // MARK: - Failures

    var isCutOff: Bool { !isReachable }

    /// The log can't be reached for so long. Entries on their way may have arrived.
    func cutOff(for time: Int64) {
        guard isReachable, !isOver else { return }
        world.history.mark("replica cut off")
        log.isDisturbed()
        isReachable = false
        world.after(time) { [self] in isReachable = true }
    }

    /// The server has changed: connections break.
    func breakSession() {
        isStale = true
        later { [self] in loseSession() }
    }

    private func loseSession() {
        guard session != nil else { return }
        session = nil
        post(.lost(LogFailure(.away, "the log is unreachable", mayPass: true)))
        connect()
    }

    private func connect() {
        world.after(Self.pause) { [self] in
            guard !isOver else { return }
            guard isReachable else { return connect() }
            log.begin(self, needs)
            sessions += 1
            session = sessions
            isStale = false
            world.history.mark("new session")
            post(.taken(upTo: log.head.sequence, session: sessions))
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

    private func read(behind known: UInt64) {
        // After a loss the log may be shorter than what was passed on.
        guard known < log.head.sequence else { return }
        let raw = log.entries.dropFirst(Int(known)).prefix(Self.portion)
        do throws(LogBreak) {
            let entries = try raw.map { raw throws(LogBreak) in try SimulatedLog.read(raw, needs) }
            place = raw.last?.position.sequence
            post(.entries(entries))
            readSoon()
        } catch {
            place = nil
            post(.unreadable(.damaged))
        }
    }

    func reload() {
        place = nil
        later { [self] in
            guard isReachable else { return world.after(Self.pause) { [self] in reload() } }
            do throws(LogFailure) {
                let board = try log.board(needs)
                place = board.follower.position.sequence
                world.history.mark("board loaded again")
                post(.loaded(board))
                readSoon()
            } catch {
                post(.loadFailed(error))
            }
        }
    }

    func close() {
        log.leave(needs.name)
        die()
    }
}
