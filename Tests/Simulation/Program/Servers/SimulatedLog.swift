// The log that replicas share, at the level of `SharedLog`: what the log's server keeps, and what may befall it.

import Base
import Board
import Machine
import RecurrenceRules
import Replication
import Tween
import TweencastService
import Wire

/// The log's server.
final class SimulatedLog {
    /// Nanoseconds for which a lease holds after a heartbeat, and without one of which a replica counts as gone.
    private static let lease: Int64 = .seconds(3)
    private static let silence: Int64 = .seconds(10)

    let world: World
    private(set) var entries: [RawEntry] = []
    private var members: [String: (seen: Int64, report: ReplicaReport)] = [:]
    private var leader: (name: String, until: Int64)?
    private var epoch = ""
    /// How often it lost entries: a session that begins afterwards begins an epoch.
    private var losses = 0
    private var knownLosses = 0
    private var accesses: [SimulatedLogAccess] = []
    /// The longest that an entry takes on its way to the log or from it. A tick waits for 2 ms.
    let latency: Int64
    /// Called when replicas may show different frames for a while.
    var isDisturbed: () -> Void = {}

    init(_ world: World) {
        self.world = world
        latency = world.pick([.microseconds(400), .milliseconds(3), .milliseconds(30)])
    }

    /// Unix nanoseconds, in whole microseconds.
    var now: Instant { Instant(nanoseconds: (SimulatedMachine.beginning + world.now) / 1_000 * 1_000) }
    var head: LogPosition { entries.last?.position ?? .start }

    /// Begins a session, and makes the board if there is none.
    func begin(_ access: SimulatedLogAccess, _ needs: LogContext) {
        if !accesses.contains(where: { $0 === access }) { accesses.append(access) }
        if epoch.isEmpty {
            epoch = needs.epoch
            if !needs.rules.zoneVersion.isEmpty { append(.zones(needs.rules.zoneVersion, nil)) }
        }
        if losses > knownLosses {
            knownLosses = losses
            append(.epoch(String(world.chance.next(), radix: 36), lossOf: nil))
        }
    }

    func forget(_ access: SimulatedLogAccess) { accesses.removeAll { $0 === access } }

    private func append(_ content: LogContent) {
        append(DraftEntry(EntryName(rawValue: world.chance.next()), content.bytes))
    }

    /// Appends an entry, unless the log has passed the instant that it announces.
    func append(_ draft: DraftEntry) {
        if let due = draft.due, head.instant > due { return }
        let instant = entries.isEmpty ? now : max(now, head.instant.advanced(byNanoseconds: .microseconds(1)))
        let position = LogPosition(sequence: head.sequence + 1, instant: instant, name: draft.name)
        entries.append(RawEntry(position: position, previous: head.name, payload: draft.payload))
        for access in accesses { access.readSoon() }
    }

    /// Fails over to a server that lacks the last entries.
    func lose(_ count: Int) {
        let kept = max(1, entries.count - count)
        guard kept < entries.count else { return }
        world.history.write("suffix lost", at: world.now) { $0.member("entries", entries.count - kept) }
        world.history.mark("log lost a suffix")
        isDisturbed()
        entries.removeLast(entries.count - kept)
        losses += 1
        for access in accesses { access.breakSession() }
    }

    /// Records a heartbeat.
    func beat(of report: ReplicaReport, monotonic: Int64) -> Membership {
        let now = now.nanoseconds
        members[report.name] = (now, report)
        if leader.map({ $0.until < now }) ?? true, report.isFollowing { leader = (report.name, 0) }
        var membership = Membership()
        if leader?.name == report.name {
            if report.isFollowing { leader?.until = now + Self.lease } else { leader = nil }
            if leader != nil { membership.leaderUntil = monotonic + Self.lease }
        }
        membership.othersSilence = nil
        for (name, member) in members.sorted(by: { $0.key < $1.key }) {
            let silence = now - member.seen
            if name != report.name {
                membership.othersSilence = min(membership.othersSilence ?? .max, silence / 1_000)
            }
            if silence > Self.silence {
                membership.gone.append(name)
            } else {
                membership.replicas.append(member.report)
            }
        }
        membership.head = head
        (membership.reported, membership.reportedEntry) = (report.sequence, report.entry)
        return membership
    }

    func leave(_ name: String) {
        members[name] = nil
        if leader?.name == name { leader = nil }
    }

    /// Loads the board by applying all entries.
    func board(_ needs: LogContext) throws(LogFailure) -> LoadedBoard {
        var (machine, recorder) = (needs.machine(epoch), needs.recorder())
        var follower = Follower(period: needs.period)
        for raw in entries {
            var told: [(Consequence, String)] = []
            do throws(LogBreak) {
                try follower.take(try Self.read(raw, needs), by: &machine) { told.append(($0, $1.epoch)) }
            } catch {
                throw LogFailure(.damaged, "\(error)")
            }
            for (consequence, epoch) in told { recorder.take(consequence, epoch: epoch) }
        }
        return LoadedBoard(machine: machine, follower: follower, events: recorder.kept)
    }

    static func read(_ raw: RawEntry, _ needs: LogContext) throws(LogBreak) -> LogEntry {
        guard let content = try? LogContent(raw.payload, rules: needs.rules) else { throw .forked }
        let entry = LogEntry(position: raw.position, previous: raw.previous, content: content)
        needs.prepare(entry)
        return entry
    }
}

/// Opens the log for one process.
final class SimulatedLogOpener: LogOpener, @unchecked Sendable {
    // @unchecked because: a simulation has one thread.
    private let log: SimulatedLog
    private let machine: SimulatedMachine
    private let wake: () -> Void
    private(set) var access: SimulatedLogAccess?

    init(_ log: SimulatedLog, _ machine: SimulatedMachine, wake: @escaping () -> Void) {
        (self.log, self.machine, self.wake) = (log, machine, wake)
    }

    let isHolding = false

    func open(_ needs: LogContext) throws(LogFailure) -> (log: any SharedLog, board: LoadedBoard) {
        let access = SimulatedLogAccess(log, machine, needs, wake: wake)
        self.access = access
        return (access, try access.open())
    }

    func load(_ needs: LogContext) throws(LogFailure) -> LoadedBoard { try log.board(needs) }

    func create(_ board: LoadedBoard, _ needs: LogContext) throws(LogFailure) {
        throw LogFailure(.refused, "a simulated log is not copied to")
    }
}
