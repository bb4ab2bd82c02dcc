// A replica's turns: requests from clients go into the log, and entries that come back are applied, in the same order on
// every replica. Frames are made between entries. Owned by the tick thread. Time is an argument, and nothing here blocks.

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

/// Follows a log and answers clients from the resulting board.
final class ReplicaNode: Node {
    let core: ServiceCore
    let logClient: LogClient
    private(set) var follower: Follower
    /// Entries that were read but not applied.
    private(set) var backlog = EntryQueue()
    private var subscribers: SubscriberReports
    private var divergence = DivergenceDetector()
    private var proposal = DueAnnouncer()
    /// Reads that wait, and streams whose clients are ahead of this replica.
    var reads = HeldReads()
    var early = HeldReads()
    /// The number of the last question for the log's head.
    var question: UInt64 = 0
    /// Whether the next entry of the backlog is later than a tick that must run first.
    private var waitsForTick = false
    /// The last tick that ran.
    private var lastTick: Int64 = 0
    /// Answers that wait until the log has the requested durability.
    private let held: DurabilityHold

    /// The most commands to apply before the replica checks for a due tick and new messages.
    private static let commandsPerTurn = Machine.commandsPerTurn
    /// The most commands to apply just before a tick because their instants precede it.
    private static let commandsPerTick = 4_096

    init(
        _ parts: ServiceCore.Parts, board: LoadedBoard, publisher: Publisher, logClient: LogClient,
        isHolding: Bool = false
    ) {
        self.logClient = logClient
        held = DurabilityHold(isHolding: isHolding)
        core = ServiceCore(parts, machine: board.machine, publisher: publisher, persistence: logClient)
        follower = board.follower
        subscribers = SubscriberReports(replica: logClient.name)
        parts.clock.settle()
        parts.clock.adjust(logSetBy: follower.clockShift)
        logClient.report(follower.position, follower.digest, divergence)
        if board.machine.settings != parts.configuration.machineSettings {
            logClient.add(.settings(parts.configuration.machineSettings))
        }
        publisher.reload(
            PastEvents(board.events, parts.clock, maximumBytes: publisher.maximumHistoryBytes), of: &core.machine,
            at: board.follower.position.instant)
        adopt(parts.rules, at: board.follower.position.instant)
    }

    /// The last entry that was applied; below, the digest of the board after it.
    var position: LogPosition { follower.position }
    var digest: StateDigest { follower.digest }

    // MARK: - Scheduling

    var isBusy: Bool { !backlog.isEmpty && !waitsForTick || core.lists.hasWork || core.publisher.hasFramesToContinue }
    var isCutShort: Bool { false }
    var waitsForDate: Bool { false }

    var nextDue: Instant? {
        // While the log accepts nothing, nothing is announced and no webhook is called, however long it has been due.
        let isFollowing = logClient.status == .following
        let announced = isFollowing ? proposal.nextDue(wanted, rank: logClient.rank) : nil
        let called = isFollowing ? core.calls.nextDue : nil
        return [
            logClient.deadline, held.deadline, core.publisher.nextDue, early.deadline, reads.deadline, announced,
            called,
        ].lazy.compactMap { $0 }.min()
    }

    /// When an entry is needed even if no client sends a request.
    private var wanted: Instant? { core.withMachine { follower.nextDue(of: $0) } }

    /// Does nothing: the machine's time is the log's, and only an entry sets it.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {}

    // MARK: - Turns

    /// Runs a turn. Requests go into the log. What came back from it is executed after the messages, with what fell due,
    /// and each outcome is passed on at once.
    func runTurn(with messages: ArraySlice<Message>, at instant: Instant) -> Int {
        var now = instant
        begin(at: now)
        core.withMachine { core.publisher.advance(to: now, in: $0) }
        let work = core.publisher.subscriptionWork
        var taken = 0
        for message in messages.prefix(Machine.commandsPerTurn) {
            handle(message, at: now)
            taken += 1
            if hasWorkedForTopics(since: work) { break }
        }
        // Entries later than a due tick, or later than the next one, wait for it: other replicas run that tick first.
        execute(upTo: wantsTick ? end(at: now) : nil, most: Self.commandsPerTurn, at: now)
        if setClock(at: now) {
            now = core.parts.clock.now()
            begin(at: now)
        }
        while let part = core.batches.next() { logClient.add(part) }
        if logClient.isSteward != core.calls.isCalling { startOrStopCalling() }
        // The outcome of a call must go into the log, so no call starts while the log accepts nothing.
        if logClient.status == .following { core.callWebhooks(at: now) }
        announceDue(at: now)
        showHeld(at: now)
        settle(at: now)
        core.continueLists(at: now)
        return taken
    }

    private func begin(at now: Instant) {
        logClient.now = now
        core.publisher.adopt(core.parts.clock.grid)
    }

    /// The instant up to which entries are applied before the next tick.
    private func end(at now: Instant) -> Instant {
        let clock = core.parts.clock
        let due = clock.dueTick(at: now)
        return clock.instant(tick: due > lastTick ? due : due + 1)
    }

    func tick(_ number: Int64, isLate: Bool) {
        let now = core.parts.clock.instant(tick: number)
        lastTick = number
        logClient.now = now
        waitsForTick = false
        // Never run a tick before the last applied entry: this clock may still be behind the log's.
        guard now >= follower.position.instant else { return }
        core.tick(number, isLate: isLate, at: now) {
            execute(upTo: now, most: Self.commandsPerTick, at: now)
            if core.withMachine({ follower.reachesMilestone(of: $0, at: now) }) { proposal.wantNow(now) }
            settle(at: now)
        }
        waitsForTick = false
    }

    /// Takes the time again, as this turn may have set the clock.
    func sendEvents(at now: Instant) { core.publisher.sendEvents(at: core.parts.clock.now()) }

    func finish(_ now: () -> Instant) {
        logClient.add(own: .left(logClient.name))
        logClient.send()
        // What was sent is in the log, or arrives there yet.
        let unknown = StoreError(.unknown, "the server is stopping")
        for asker in logClient.removeAllAskers() { refuse(asker, because: unknown) }
        let error = StoreError(.closed, "the server is stopping")
        core.answers.refuseAll(because: error)
        for read in reads.drain() { answer(read.query, to: read.responder, at: logClient.now) }
        for read in early.drain() { read.responder.send(.problem(Problem(error))) }
        core.batches.abandon(because: error) { $0(.failure(error)) }
        held.forget(because: "the server is stopping")
    }

    // MARK: - Messages

    var refusal: StoreError? { logClient.refusal }
    /// Tickets go through the log: any replica may redeem them.
    var ticketRefusal: StoreError? { logClient.refusal }

    // What is submitted is applied when it comes back from the log.
    func submit(_ request: Request, at now: Instant) { logClient.add(request) }
    func submit(_ part: BatchPart, at now: Instant) { logClient.add(part) }
    func submit(own request: Request, at now: Instant) { logClient.add(own: request) }

    /// A replica has no store.
    func handle(_ news: StoreNotice, at now: Instant) {}

    // MARK: - The log

    func handle(_ news: LogNotice, at now: Instant) {
        switch news {
        case .entries(let entries): backlog.append(entries)
        case .safe(let entry): held.confirm(entry)
        case .head(let sequence, let question):
            reads.record(sequence, question: question)
            early.record(sequence, question: question)
        case .loaded(let board): replace(by: board, at: now)
        case .members(let membership):
            // If this replica is alone at its start, none ran before it, which counts as an outage.
            if !logClient.knowsMembers, membership.isAlone { logClient.add(own: .outageEnded) }
            logClient.update(membership)
            if membership.hasLostEntries, isUpToDate(membership) { return reload(because: .lost) }
            for name in membership.gone where logClient.isSteward { logClient.add(own: .left(name)) }
            compareDigests(membership)
        case .snapshot(let checkpoint):
            if divergence.differs(from: checkpoint) { reload(because: .differs) }
        case .boardWanted: logClient.store(wholeBoard)
        case .snapshotFailed(let failure):
            Log.write(.store, .warning, "can't write a snapshot", ["reason": "\(failure)"])
        case .warnings(let warnings): logClient.warn(warnings)
        case .refused, .lost, .taken, .unreadable, .loadFailed:
            for (asker, error) in logClient.handle(news) { refuse(asker, because: error) }
            if case .lost = news { proposal = DueAnnouncer() }
        }
    }

    /// Whether a membership describes this board, which may have been reloaded since.
    private func isUpToDate(_ membership: Membership) -> Bool {
        membership.reported < position.sequence
            || membership.reported == position.sequence && membership.reportedEntry == position.name
    }

    private func refuse(_ asker: PendingEntries.Asker, because error: StoreError) {
        switch asker {
        case .nobody: break
        case .request(let waiter): core.answers.refuse(waiter, because: error)
        case .batch(let waiter): core.batches.fail(waiter, because: error)
        }
    }

    /// Applies entries of the backlog.
    /// - Parameters:
    ///   - end: Later entries wait; nil applies all.
    ///   - most: About how many commands to apply.
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

    /// Applies the next entry if it sets the log's clock. It does so only between ticks, so that no step mixes instants from
    /// before and after the change.
    /// - Returns: Whether the clock was set.
    private func setClock(at now: Instant) -> Bool {
        guard let entry = backlog.first, entry.clockShift != nil else { return false }
        guard !wantsTick || entry.arrival <= end(at: now) else { return false }
        backlog.removeFirst()
        _ = execute(entry, at: now)
        waitsForTick = false
        return true
    }

    /// - Returns: The number of commands in the entry.
    private func execute(_ known: LogEntry, at now: Instant) -> Int {
        var entry = known
        // Before the answers, which wait for this entry's durability.
        let claimed = logClient.claim(&entry)
        if let claimed { held.record(known.position, sent: claimed.sent) }
        var commands = 0
        let zones: String? = if case .zones = known.content { core.machine.requiredZoneVersion } else { nil }
        do throws(LogBreak) {
            try follower.apply(entry, by: &core.machine) { consequence, machine in
                if case .turn(let outcome) = consequence { commands += outcome.counts.commands }
                pass(consequence, of: &machine, at: known.position.instant)
            }
        } catch {
            backlog.removeAll()
            // The board that will be loaded has carried it out, or lacks it with all others that were lost.
            let unknown = StoreError(.unknown, "the board is loaded again")
            for asker in claimed?.askers ?? [] { refuse(asker, because: unknown) }
            reload(because: error == .gap ? .gap : .lost)
            return 0
        }
        held.release()
        proposal.pass(follower.position.instant)
        switch entry.content {
        case .turn(let requests): answerFarewells(requests)
        case .zones(let version, _): recordZones(version, after: zones)
        case .clockSet, .settings, .epoch: break
        }
        divergence.record(follower.position.sequence, follower.digest)
        logClient.report(follower.position, follower.digest, divergence)
        return commands
    }

    private func pass(_ consequence: Consequence, of machine: inout Machine, at now: Instant) {
        switch consequence {
        case .clockSet(let nanoseconds): adjust(clockSetBy: nanoseconds, of: machine, at: now)
        case .epoch(let hasLost): core.publisher.beginEpoch(of: &machine, hasLost: hasLost, at: now)
        case .turn(let outcome): pass(outcome, of: &machine)
        }
    }

    private func pass(_ outcome: Outcome, of machine: inout Machine) {
        core.publisher.publish(outcome, of: &machine)
        core.record(outcome)
        for result in outcome.batches {
            core.batches.record(result, core.answers, after: held.hold)
        }
        for request in subscribers.requests(for: outcome.changed, in: machine.engine) { logClient.add(own: request) }
        core.calls.update(outcome.deliveries.lazy.map(\.id), in: machine.outbox)
    }

    /// Reports this replica's subscribers again after the others took it for dead.
    private func answerFarewells(_ requests: [Request]) {
        for case .left(let name) in requests where name == logClient.name {
            for request in subscribers.requests(forAllIn: core.machine.engine) { logClient.add(own: request) }
        }
    }

    /// Shifts this replica's times after the log's clock was set, as the board's are.
    private func adjust(clockSetBy nanoseconds: Int64, of machine: borrowing Machine, at now: Instant) {
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
        logClient.shift(byNanoseconds: nanoseconds)
        held.shift(byNanoseconds: nanoseconds)
        early.shift(byNanoseconds: nanoseconds)
        reads.shift(byNanoseconds: nanoseconds)
        proposal = DueAnnouncer()
    }

    // MARK: - Background work

    /// Announces to the log that something fell due, if it is this replica's turn. Fails requests that were lost or that
    /// have waited too long.
    private func announceDue(at now: Instant) {
        if logClient.status == .following, let due = proposal.announce(wanted, at: now, rank: logClient.rank) {
            logClient.propose(due)
        }
        for (asker, error) in logClient.removeLost(at: follower.position) { refuse(asker, because: error) }
        held.expire(at: now)
        for asker in logClient.removeImpatient(at: now) {
            refuse(asker, because: StoreError(.unknown, "the replication log has not answered"))
        }
    }

    /// Ends a turn: sends requests to the log and answers to the clients.
    private func settle(at now: Instant) {
        core.publisher.trackSubscribers(of: &core.machine, at: now)
        let reports = core.withMachine { subscribers.requests(for: $0.drainWatchChanges(), in: $0.engine) }
        for request in reports { logClient.add(own: request) }
        // Discard the events to store: on replicas, snapshots hold them.
        _ = core.publisher.drainLog()
        core.answers.send(after: held.hold)
        logClient.send()
    }

    /// Starts or stops calling webhooks, when this replica becomes the steward or ceases to be.
    private func startOrStopCalling() {
        if logClient.isSteward { core.calls.start(core.machine.outbox) } else { core.calls.stop() }
    }

    /// This replica's board as a snapshot holds it, for a server that has lost it; nil while there is none that is whole.
    private var wholeBoard: LoadedBoard? {
        guard logClient.reported.hasBoard else { return nil }
        let clock = core.parts.clock
        let events = core.publisher.keptEvents.map {
            KeptEvents(epoch: $0.epoch, last: $0.last, instant: clock.instant(monotonic: $0.instant), bytes: $0.bytes)
        }
        return LoadedBoard(machine: core.machine, follower: follower, events: events)
    }

    private func compareDigests(_ membership: Membership) {
        let isWrong = divergence.findsItselfWrong(
            membership.replicas, own: logClient.name, steward: logClient.isSteward)
        if isWrong { reload(because: .differs) }
    }

    func reload(because reason: LogClient.Reload) { logClient.reload(because: reason, in: core.machine.epoch) }

    /// Replaces the board after a reload.
    private func replace(by board: LoadedBoard, at now: Instant) {
        backlog.removeAll()
        follower = board.follower
        core.machine = board.machine
        core.parts.clock.adjust(logSetBy: follower.clockShift)
        core.publisher.adopt(core.parts.clock.grid)
        divergence.forget()
        held.forget(because: "the board was loaded again")
        proposal = DueAnnouncer()
        let lost = StoreError(.unknown, "the board was loaded again")
        for asker in logClient.removeAllAskers() { refuse(asker, because: lost) }
        core.answers.refuseAll(because: lost)
        logClient.report(follower.position, follower.digest, divergence)
        logClient.loaded(core.machine)
        let past = PastEvents(board.events, core.parts.clock, maximumBytes: core.publisher.maximumHistoryBytes)
        core.publisher.reload(past, of: &core.machine, at: now)
        for request in subscribers.requests(forAllIn: core.machine.engine) { logClient.add(own: request) }
        startOrStopCalling()
    }
}
