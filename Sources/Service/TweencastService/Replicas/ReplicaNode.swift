// The order of things on a replica: what clients ask goes into the log, and what comes back of the log is carried out, here
// as on every other replica. Frames are made between entries. Owned by the tick thread; time is an argument, and nothing
// here waits.

import Base
import Board
import EventStream
import Gateway
import Machine
import Persistence
import Publishing
import Replication
import Storage
import Tween
import Wire

/// Follows a log and answers by it.
final class ReplicaNode: Node {
    let core: ServiceCore
    let gate: LogClient
    private(set) var follower: Follower
    /// Entries that were read and not carried out.
    private(set) var backlog = EntryQueue()
    private var subscribers: SubscriberReports
    private var divergence = DivergenceDetector()
    private var proposal = DueAnnouncer()
    var early = CatchUpWaiters()
    var reads = HeldReads()
    /// What comes next in the backlog is later than a tick that is to be made first.
    private var waitsForTick = false
    /// The last tick that was made.
    private var lastTick: Int64 = 0
    /// Answers wait until the log is as safe as was asked for.
    private let held: DurabilityHold
    /// The version of time zones that this replica asks for, until the board goes by it.
    var wantedZones: String?

    /// The most commands of entries before it is looked whether a tick is due and what others ask.
    private static let commandsPerTurn = Machine.commandsPerTurn
    /// The most commands that are carried out before a tick because they come before it.
    private static let commandsPerTick = 4_096

    init(_ parts: ServiceCore.Parts, board: LoadedBoard, publisher: Publisher, gate: LogClient, isHolding: Bool = false)
    {
        self.gate = gate
        held = DurabilityHold(isHolding: isHolding)
        core = ServiceCore(parts, machine: board.machine, publisher: publisher, keeper: gate)
        follower = board.follower
        subscribers = SubscriberReports(replica: gate.name)
        parts.clock.settle()
        parts.clock.follow(logSetBy: follower.clockShift)
        gate.report(follower.position, follower.digest, divergence)
        if board.machine.settings != parts.configuration.machine { gate.add(.settings(parts.configuration.machine)) }
        publisher.reload(
            PastEvents(board.events, parts.clock), of: &core.machine, at: board.follower.position.instant)
        follow(parts.rules, at: board.follower.position.instant)
    }

    /// How far it has come, and to what.
    var position: LogPosition { follower.position }
    var digest: StateDigest { follower.digest }

    // MARK: - When

    var isBusy: Bool { !backlog.isEmpty && !waitsForTick || core.lists.hasWork || core.publisher.hasFramesToContinue }
    var isCutShort: Bool { false }
    var waitsForDate: Bool { false }

    var nextDue: Instant? {
        let due = [
            proposal.nextDue(wanted, rank: gate.rank), gate.deadline, held.deadline, core.publisher.nextDue,
        ]
        let calls = gate.status == .following ? core.calls.nextDue : nil
        return (due + [calls, early.deadline, reads.deadline]).compactMap { $0 }.min()
    }

    /// From when on an entry is wanted though nobody asks for anything.
    private var wanted: Instant? { core.look { follower.nextDue(of: $0) } }

    /// The machine's time is the log's: that is set by an entry alone.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {}

    // MARK: - Turns

    func receive(_ messages: ArraySlice<Message>, at instant: Instant) -> Int {
        var now = instant
        begin(at: now)
        core.look { core.publisher.advance(to: now, in: $0) }
        let taken = messages.prefix(Machine.commandsPerTurn)
        for message in taken { _ = take(message, at: now) }
        // Nothing later is carried out before a tick that is due, nor before one that others make first.
        execute(upTo: wantsTick ? end(at: now) : nil, most: Self.commandsPerTurn, at: now)
        if setClock(at: now) {
            now = core.parts.clock.now()
            begin(at: now)
        }
        while let part = core.batches.next() { gate.add(part) }
        if gate.isLeader != core.calls.isCalling { takeTurnsCalling() }
        // How a call ended must be told: while nothing is taken, none begins.
        if gate.status == .following { core.callWebhooks(at: now) }
        announceDue(at: now)
        showHeld(at: now)
        settle(at: now)
        core.attendToFrames(at: now)
        return taken.count
    }

    private func begin(at now: Instant) {
        gate.now = now
        held.now = now
        core.publisher.follow(core.parts.clock.grid)
    }

    /// Up to which instant entries are carried out before the next tick.
    private func end(at now: Instant) -> Instant {
        let clock = core.parts.clock
        let due = clock.dueTick(at: now)
        return clock.instant(tick: due > lastTick ? due : due + 1)
    }

    func tick(_ number: Int64, isLate: Bool) {
        let now = core.parts.clock.instant(tick: number)
        lastTick = number
        gate.now = now
        waitsForTick = false
        // Never an instant before what was carried out: the clock may still be behind the log's.
        guard now >= follower.position.instant else { return }
        core.tick(number, isLate: isLate, at: now) {
            execute(upTo: now, most: Self.commandsPerTick, at: now)
            if core.look({ follower.reachesMilestone(of: $0, at: now) }) { proposal.wantNow(now) }
            settle(at: now)
        }
        waitsForTick = false
    }

    /// By the clock of now: it may have been set in this turn.
    func sendEvents(at now: Instant) { core.publisher.sendEvents(at: core.parts.clock.now()) }

    func finish(_ now: () -> Instant) {
        gate.add(own: .left(gate.name))
        gate.send()
        let error = StoreError(.closed, "the server ends")
        for asker in gate.takeAllAskers() { refuse(asker, because: error) }
        core.answers.refuseAll(because: error)
        for read in reads.takeAll() { show(read, at: gate.now) }
        for reader in early.take(at: gate.now, unless: { _ in false }) {
            reader.responder.send(.problem(Problem(error)))
        }
        core.batches.abandon(because: error) { $0(.failure(error)) }
    }

    // MARK: - Messages

    var refusal: StoreError? { gate.refusal }
    /// Tickets are spent on any replica.
    var voucherRefusal: StoreError? { gate.refusal }

    func submit(_ request: Request) { gate.add(request) }
    func submit(_ part: BatchPart) { gate.add(part) }
    func submit(own request: Request) { gate.add(own: request) }

    /// What was submitted is carried out when it comes back of the log.
    func catchUp() -> Bool { true }

    /// There is no store.
    func take(_ news: StoreNotice, at now: Instant) {}

    // MARK: - The log

    func take(_ news: LogNotice, at now: Instant) {
        switch news {
        case .entries(let entries): backlog.append(entries)
        case .safe(let sequence): held.release(upTo: sequence)
        case .head(let sequence, let question): reads.record(sequence, question: question)
        case .loaded(let board): replace(by: board, at: now)
        case .members(let membership):
            // Who is alone when it begins was preceded by nobody.
            if !gate.knowsMembers, membership.isAlone { gate.add(own: .outageEnded) }
            gate.take(membership)
            if membership.hasLostEntries, isUpToDate(membership) { return reload(because: .lost) }
            for name in membership.gone where gate.isLeader { gate.add(own: .left(name)) }
            compareDigests(membership)
            repeatZones()
        case .snapshot(let checkpoint):
            if divergence.differs(from: checkpoint) { reload(because: .differs) }
        case .snapshotFailed(let failure):
            Log.write(.store, .warning, "can't write a snapshot", ["reason": "\(failure)"])
        case .warnings(let warnings): gate.warn(warnings)
        case .refused, .lost, .taken, .unreadable, .loadFailed:
            for (asker, error) in gate.take(news) { refuse(asker, because: error) }
            if case .lost = news { proposal = DueAnnouncer() }
        }
    }

    /// Whether a membership speaks of this board: it may have been loaded anew since.
    private func isUpToDate(_ membership: Membership) -> Bool {
        membership.reported < position.sequence
            || membership.reported == position.sequence && membership.reportedEntry == position.name
    }

    private func refuse(_ asker: PendingEntries.Asker, because error: StoreError) {
        switch asker {
        case .nobody: break
        case .request(let ticket): core.answers.refuse(ticket, because: error)
        case .batch(let ticket): core.batches.fail(ticket, because: error)
        }
    }

    /// Carries out entries of the backlog.
    /// - Parameters:
    ///   - end: Those at later instants wait; nil takes them, too.
    ///   - most: About how many commands.
    private func execute(upTo end: Instant?, most: Int, at now: Instant) {
        var commands = 0
        while commands < most, let entry = backlog.first, entry.clockShift == nil,
            end.map({ entry.position.instant <= $0 }) ?? true
        {
            backlog.removeFirst()
            commands += 1 + execute(entry, at: now)
        }
        waitsForTick = commands < most && !backlog.isEmpty
    }

    /// Carries out an entry that sets the log's clock where that is the next, between a tick and the other: nothing that was
    /// begun at an instant goes on at one that is told otherwise.
    /// - Returns: Whether the clock was set.
    private func setClock(at now: Instant) -> Bool {
        guard let entry = backlog.first, entry.clockShift != nil else { return false }
        guard !wantsTick || entry.arrival <= end(at: now) else { return false }
        backlog.removeFirst()
        _ = execute(entry, at: now)
        waitsForTick = false
        return true
    }

    /// - Returns: How many commands it held.
    private func execute(_ known: LogEntry, at now: Instant) -> Int {
        var entry = known
        let isOwn = gate.claim(&entry)
        var commands = 0
        do throws(LogBreak) {
            try follower.take(entry, by: &core.machine) { consequence, machine in
                if case .turn(let outcome) = consequence { commands += outcome.counts.commands }
                pass(consequence, of: &machine, at: known.position.instant)
            }
        } catch {
            backlog.removeAll()
            reload(because: error == .gap ? .gap : .lost)
            return 0
        }
        if isOwn { held.record(follower.position.sequence) }
        proposal.pass(follower.position.instant)
        switch entry.content {
        case .turn(let requests): answerFarewells(requests)
        case .zones(let version, _): recordZones(version)
        case .clockSet, .settings, .epoch: break
        }
        divergence.record(follower.position.sequence, follower.digest)
        gate.report(follower.position, follower.digest, divergence)
        return commands
    }

    private func pass(_ consequence: Consequence, of machine: inout Machine, at now: Instant) {
        switch consequence {
        case .clockSet(let nanoseconds): follow(clockSetBy: nanoseconds, of: machine, at: now)
        case .epoch(let hasLost): core.publisher.beginEpoch(of: &machine, hasLost: hasLost, at: now)
        case .turn(let outcome): pass(outcome, of: &machine)
        }
    }

    private func pass(_ outcome: Outcome, of machine: inout Machine) {
        core.publisher.publish(outcome, of: &machine)
        core.record(outcome)
        for result in outcome.batches {
            core.batches.take(result, core.answers) { $0(.success(())) }
        }
        for request in subscribers.requests(for: outcome.changed, in: machine.engine) { gate.add(own: request) }
        core.calls.follow(outcome.deliveries.lazy.map(\.id), in: machine.outbox)
    }

    /// Where others took this replica for gone, they hear again who listens here.
    private func answerFarewells(_ requests: [Request]) {
        for case .left(let name) in requests where name == gate.name {
            for request in subscribers.requests(forAllIn: core.machine.engine) { gate.add(own: request) }
        }
    }

    /// The log's clock was set: what is counted by it here moves along, as on the board.
    private func follow(clockSetBy nanoseconds: Int64, of machine: borrowing Machine, at now: Instant) {
        let dates = machine.engine.datedScheduleCount
        Log.write(
            .clock, .warning, "the log's clock was set",
            [
                "seconds": .real(Double(nanoseconds) / 1e9),
                "moved": .whole(machine.engine.trackCount + machine.engine.pendingSchedules - dates),
                "kept": .whole(dates),
            ])
        core.parts.clock.shiftLog(byNanoseconds: nanoseconds)
        core.publisher.shift(byNanoseconds: nanoseconds, at: now, in: machine.engine)
        core.calls.shift(byNanoseconds: nanoseconds)
        gate.shift(byNanoseconds: nanoseconds)
        held.shift(byNanoseconds: nanoseconds)
        early.shift(byNanoseconds: nanoseconds)
        reads.shift(byNanoseconds: nanoseconds)
        proposal = DueAnnouncer()
    }

    // MARK: - Beside the requests

    /// Has the log told that something fell due, when it is this replica's turn to.
    private func announceDue(at now: Instant) {
        if gate.status == .following, let due = proposal.take(wanted, at: now, rank: gate.rank) { gate.propose(due) }
        for (asker, error) in gate.takeLost(at: follower.position) { refuse(asker, because: error) }
        held.expire()
        for asker in gate.takeImpatient(at: now) {
            refuse(asker, because: StoreError(.unknown, "the replication log has not answered"))
        }
    }

    /// Ends a turn: what was asked goes to the log, what was answered to those who asked.
    private func settle(at now: Instant) {
        core.publisher.followSubscribers(of: &core.machine, at: now)
        for request in subscribers.requests(for: core.machine.takeWatchChanges(), in: core.machine.engine) {
            gate.add(own: request)
        }
        // What stores keep of events, snapshots keep here.
        _ = core.publisher.takeLog()
        core.answers.send(after: held.hold)
        gate.send()
        for reader in early.take(at: now, unless: core.publisher.isBehind) {
            answer(.stream(reader.request), to: reader.responder, at: now)
        }
    }

    /// This replica calls webhooks from now on, or no longer.
    private func takeTurnsCalling() {
        if gate.isLeader { core.calls.start(core.machine.outbox) } else { core.calls.stop() }
    }

    private func compareDigests(_ membership: Membership) {
        let isWrong = divergence.findsItselfWrong(membership.replicas, own: gate.name, leader: gate.isLeader)
        if isWrong { reload(because: .differs) }
    }

    func reload(because reason: LogClient.Reload) { gate.reload(because: reason, in: core.machine.epoch) }

    /// The board was loaded anew.
    private func replace(by board: LoadedBoard, at now: Instant) {
        backlog.removeAll()
        follower = board.follower
        core.machine = board.machine
        core.parts.clock.follow(logSetBy: follower.clockShift)
        core.publisher.follow(core.parts.clock.grid)
        divergence.forget()
        held.forget()
        proposal = DueAnnouncer()
        let lost = StoreError(.unknown, "the board was loaded again")
        for asker in gate.takeAllAskers() { refuse(asker, because: lost) }
        core.answers.refuseAll(because: lost)
        gate.report(follower.position, follower.digest, divergence)
        gate.loaded(core.machine)
        core.publisher.reload(PastEvents(board.events, core.parts.clock), of: &core.machine, at: now)
        for request in subscribers.requests(forAllIn: core.machine.engine) { gate.add(own: request) }
        takeTurnsCalling()
    }
}
