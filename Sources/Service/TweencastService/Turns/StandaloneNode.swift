// Runs the turns of a service with its own store: gathers the machine's input and distributes the outcome. Owned by the tick
// thread. Time is an argument, and nothing here blocks: answers leave with the commit of their change.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import Persistence
import Publishing
import RecurrenceRules
import Replication
import Storage
import Tween
import Wire

/// Runs each turn and hands its outcome to the publisher, the store and the waiting clients.
final class StandaloneNode: Node {
    let core: ServiceCore
    let commits: CommitCoordinator
    /// Earlier runs of which no event is stored: readers may come back with their ids.
    private let silentRuns: [EventID]
    /// What this turn's earlier outcomes have used of its budget: `Machine.commandsPerTurn` and `bytesPerTurn`.
    private var spent = (commands: 0, bytes: 0)
    /// Stream requests that arrived while events are held back; the number of connections bounds them.
    private var waitingStreams: [(query: Query, responder: any Responder)] = []

    init(
        _ parts: ServiceCore.Parts, machine: Machine, publisher: Publisher, commits: CommitCoordinator,
        silentRuns: [EventID] = []
    ) {
        core = ServiceCore(parts, machine: machine, publisher: publisher, persistence: commits)
        self.commits = commits
        self.silentRuns = silentRuns
        core.calls.start(machine.outbox)
    }

    /// Stores this run's epoch, so that clients that hear of its events before they are stored can resume after it. What moved
    /// because the clock was set while no server ran is stored with that reading of the clock, or not at all.
    func begin(at now: Instant) {
        var outcome = Outcome(at: now)
        carryOut(&outcome)
        recordClock()
        commit(at: now)
    }

    // MARK: - Scheduling

    /// Whether work that takes several turns is in progress.
    var hasPortions: Bool { !core.batches.isEmpty || isSweeping }

    private var isSweeping: Bool { core.withMachine { $0.isSweeping } }

    /// Whether there is work for another turn right away.
    var isBusy: Bool {
        hasPortions && commits.admitsPortion || core.lists.hasWork || core.publisher.hasFramesToContinue
    }

    /// Whether more was due than one turn handles, or the store is behind; the rest waits for the next tick.
    var isCutShort: Bool { core.machine.isCutShort || holdsBack }

    /// Whether the store is behind, so that due work must not add to its load.
    private var holdsBack: Bool { !commits.isOut && commits.refusal != nil }

    /// The next instant at which something is due even if nothing moves.
    var nextDue: Instant? {
        let due = commits.isOut ? [commits.nextDue] : [core.withMachine { $0.nextDue }, core.calls.nextDue]
        return (due + [core.publisher.nextDue]).compactMap { $0 }.min()
    }

    /// Whether a schedule waits for a date.
    var waitsForDate: Bool { core.machine.engine.datedScheduleCount > 0 }

    /// Shifts what depends on elapsed time after the wall clock was set.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {
        Log.write(.clock, .warning, "the wall clock was set", core.machine.shift(byNanoseconds: nanoseconds, at: now))
        core.publisher.shift(byNanoseconds: nanoseconds, at: now, in: core.machine.engine)
        core.calls.shift(byNanoseconds: nanoseconds)
        commits.shift(to: now)
        recordClock()
    }

    private func recordClock() {
        var look = core.parts.clock.look(of: core.machine)
        look.silentRuns = silentRuns
        commits.record(look)
    }

    // MARK: - Turns

    /// Runs a turn: what fell due and as many messages as fit, then a part each of a batch, of a change to all schedules, of
    /// the awaited lists and of the last tick's frames.
    /// - Returns: The number of messages handled.
    func runTurn(with messages: ArraySlice<Message>, at now: Instant) -> Int {
        let turn = beginTurn(at: now)
        let work = core.publisher.subscriptionWork
        // A batch that arrives in this turn runs its first part at once.
        let (hasBatches, hasSweep) = (!core.batches.isEmpty, isSweeping)

        // What fell due, then requests, with one outcome. Whatever else arrives comes after that outcome: queries see it,
        // new streams begin behind its events. Streams alone leave nothing to carry out between them.
        var outcome = core.withMachine { $0.begin(turn, expecting: min(messages.count, Machine.commandsPerTurn)) }
        var taken = 0
        for message in messages.prefix(Machine.commandsPerTurn) {
            if case .asked(.change(let request, let response)) = message, refusal(of: request) == nil {
                let request = core.answers.withWaiter(request, response)
                core.withMachine { $0.apply(request, at: now, &outcome) }
            } else {
                if taken == 0 || outcome.taken > 0 { carryOut(&outcome) }
                guard hasRoom(beside: outcome) else { break }
                handle(message, at: now)
            }
            taken += 1
            if !hasRoom(beside: outcome) || hasWorkedForTopics(since: work) { break }
        }

        // Parts of what takes several turns, and the outcome: to subscribers, and into this turn's commit.
        var portions: [WorkSlice] = []
        if commits.admitsPortion {
            if hasBatches, let part = core.batches.next() { portions.append(.batch(part)) }
            if hasSweep { portions.append(.sweep) }
        }
        carryOut(&outcome, with: portions)

        if !commits.isOut { core.callWebhooks(at: now) }
        core.continueLists(at: now)
        // To the store, once; answers follow when it has the changes.
        commit(at: now)
        return taken
    }

    /// Runs one tick: what fell due, then a frame of every moving track that has subscribers, then one flush.
    /// - Parameter number: The tick's number on the clock's timetable.
    func tick(_ number: Int64, isLate: Bool) {
        let now = core.parts.clock.instant(tick: number)
        core.tick(number, isLate: isLate, at: now) {
            var turn = beginTurn(at: now)
            turn.isTick = true
            // One commit at a time, as frames would wait for all of them.
            turn.passesMilestones = !core.publisher.isHeld
            var outcome = core.withMachine { $0.begin(turn) }
            carryOut(&outcome)
            commit(at: now)
        }
    }

    func sendEvents(at now: Instant) { core.publisher.sendEvents(at: now) }

    /// Finishes work that takes several turns, for a server that stops.
    func finish(_ now: () -> Instant) {
        while !commits.isOut, isSweeping { finishPortion(.sweep, at: now()) }
        while !commits.isOut, let part = core.batches.next() { finishPortion(.batch(part), at: now()) }
        let end = now()
        giveUp(because: StoreError(.closed, "the server is stopping"), at: end)
        recordClock()
        openStreams(at: end)
        commit(at: end)
    }

    private func finishPortion(_ portion: WorkSlice, at now: Instant) {
        var outcome = Outcome(at: now)
        carryOut(&outcome, with: [portion])
        commit(at: now)
    }

    /// Begins a turn. While nothing can be stored, nothing falls due.
    private func beginTurn(at now: Instant) -> Turn {
        var turn = Turn(at: now, tick: core.parts.clock.tick(of: now))
        turn.advances = commits.refusal == nil
        spent = (0, 0)
        if commits.isOut { commits.attemptRecovery(at: now) }
        if holdsBack { core.statistics.cutShort += 1 }
        core.withMachine { core.publisher.advance(to: now, in: $0) }
        return turn
    }

    /// Whether the turn may hold more.
    private func hasRoom(beside outcome: borrowing Outcome) -> Bool {
        spent.commands + outcome.counts.commands < Machine.commandsPerTurn
            && spent.bytes + outcome.counts.bytes < Machine.bytesPerTurn
    }

    /// Executes portions, publishes and records the outcome, and empties it for what follows in this turn.
    private func carryOut(_ outcome: inout Outcome, with portions: [WorkSlice] = []) {
        core.withMachine { $0.end(&outcome, with: portions) }
        spent.commands += outcome.counts.commands
        spent.bytes += outcome.counts.bytes
        pass(outcome)
        outcome = Outcome(at: outcome.instant)
    }

    // MARK: - Messages

    var refusal: StoreError? { commits.refusal }
    var ticketRefusal: StoreError? { nil }

    /// Executes a request with an outcome of its own.
    func submit(_ request: Request, at now: Instant) {
        var outcome = Outcome(at: now)
        core.withMachine { $0.apply(request, at: now, &outcome) }
        carryOut(&outcome)
    }

    func submit(_ part: BatchPart, at now: Instant) { submit(.batch(part), at: now) }
    func submit(own request: Request, at now: Instant) { submit(request, at: now) }

    /// Delays a stream while events are held back, as it may replay them.
    func defers(_ query: Query, _ responder: any Responder, at now: Instant) -> Bool {
        guard case .stream = query, core.publisher.keepsBack(at: now) else { return false }
        waitingStreams.append((query, responder))
        return true
    }

    func instantShown(at now: Instant) -> Instant { now }

    /// A node with its own store has no log.
    func handle(_ news: LogNotice, at now: Instant) {}

    /// Opens the delayed streams.
    private func openStreams(at now: Instant) {
        let waiting = waitingStreams
        waitingStreams = []
        for (query, responder) in waiting { answer(query, to: responder, at: now) }
    }

    /// Adopts new time zones. Dates keep their local times.
    func adopt(_ rules: any CalendarRules, at now: Instant) {
        guard rules.edition != core.machine.engine.configuration.rules?.edition else { return }
        core.machine.adopt(zones: rules.zoneVersion, rules, at: now)
        var outcome = Outcome(at: now)
        carryOut(&outcome)
    }

    func setUpdateRate(_ rate: Int) {
        var settings = core.machine.settings
        settings.updateRate = rate
        core.machine.set(settings)
    }

    // MARK: - The store

    func handle(_ news: StoreNotice, at now: Instant) {
        switch commits.handle(news, at: now) {
        case .none: break
        case .call(let ids): core.calls.update(ids, in: core.machine.outbox)
        case .release: core.publisher.release(at: now)
        case .abandon(let error):
            giveUp(because: error, at: now)
            commits.attemptRecovery(at: now)
        case .goBack(let kept):
            pass(core.machine.goBack(to: kept, at: now))
            commits.probe(core.machine.engine.schedulePause)
        }
    }

    /// Ends work that takes several turns, as nothing can be stored.
    private func giveUp(because error: StoreError, at now: Instant) {
        core.batches.abandon(because: error, after: commits.afterCommit)
        pass(core.machine.abandonSweeps(because: Problem(error), at: now))
    }

    /// Passes a turn's outcome to the publisher, the store, the webhooks and the batches.
    private func pass(_ outcome: Outcome) {
        // Hold once per commit, even if several of its outcomes have milestones.
        if outcome.counts.milestones > 0, !commits.tellsMilestones { core.publisher.hold(at: outcome.instant) }
        core.publish(outcome)
        core.withMachine { commits.record(outcome, of: $0) }
        if let merged = outcome.merged { commits.record(change(of: merged, at: outcome.instant)) }
        queueWebhooks(outcome)
        for result in outcome.batches { core.batches.record(result, core.answers, after: commits.afterCommit) }
    }

    /// Returns the change that keeps merged events until they are published.
    private func change(of merged: [NumberedEvent], at now: Instant) -> StoreChange {
        guard let first = merged.first?.number, let last = merged.last?.number else { return MergedEvents.deletion }
        let (hub, epoch, time) = (core.parts.configuration.hub, core.machine.epoch, storedTime(now))
        let size = merged.reduce(0) { $0.addingSaturated($1.content.byteCount) }
        return MergedEvents.change(size: size) {
            var recorder = HistoryRecorder(hub)
            recorder.record(merged, epoch: epoch, at: now)
            return StoredEvents(
                epoch: epoch, first: first, last: last, time: time, bytes: recorder.kept.first?.bytes ?? [])
        }
    }

    /// Returns an instant as the store has it: without the steps of the wall clock.
    private func storedTime(_ now: Instant) -> Int64 { now.nanoseconds.subtractingSaturated(core.machine.shift) }

    /// Updates the call queue for webhooks whose state has changed. New ones are queued when the store has them.
    private func queueWebhooks(_ outcome: Outcome) {
        let stored = outcome.deliveries.lazy.map(\.id).filter { [commits] in !commits.unstoredWebhooks.contains($0) }
        core.calls.update(stored, in: core.machine.outbox)
    }

    /// Ends a turn: opens delayed streams, reports watched resources to the board, and submits the changes to the store; their
    /// answers follow once it has them.
    private func commit(at now: Instant) {
        if !core.publisher.keepsBack(at: now) { openStreams(at: now) }
        core.publisher.trackSubscribers(of: &core.machine, at: now)
        core.answers.send(after: commits.afterCommit)
        let epoch = core.machine.epoch
        let time = storedTime(now)
        let log = core.publisher.drainLog().map { events, expired in
            StoreChange.logLater(size: events.size, expired: expired) {
                StoredEvents(
                    epoch: epoch, first: events.first, last: events.last, time: time, bytes: events.bytes)
            }
        }
        commits.commit(core.machine.engine.schedulePause, log: log)
    }
}
