// The order of a turn: what the machine is given, and who is told of what came of it. Owned by the tick thread; time is an
// argument, and nothing here waits: answers leave with the commit that holds their change.

import Base
import Board
import EventStream
import Gateway
import HTTPTransport
import Machine
import Persistence
import Publishing
import RecurrenceRules
import Storage
import Tween
import Wire

/// Passes turns to the machine and their outcomes to the stage.publisher, the store and whoever asked.
final class StandaloneNode: TickDriven {
    let core: ServiceCore
    let commits: CommitCoordinator
    /// Requests for streams that came while something is kept back; as many as there are connections for.
    private var waitingStreams: [Message] = []

    /// After so many topics that streams took or left, the turn ends.
    private static let topicsPerTurn = 2_000

    init(_ parts: ServiceCore.Parts, machine: Machine, publisher: Publisher, commits: CommitCoordinator) {
        core = ServiceCore(parts, machine: machine, publisher: publisher, keeper: commits)
        self.commits = commits
        core.calls.start(machine.outbox)
    }

    // MARK: - When

    /// Whether the next tick has something to do: what moves is watched, or something waits to be sent.
    var wantsTick: Bool { core.publisher.wantsTick || core.look { $0.wantsTick } }

    /// Whether something that takes several turns is under way.
    var hasPortions: Bool { !core.batches.isEmpty || isSweeping }

    private var isSweeping: Bool { core.look { $0.isSweeping } }

    /// Whether there is work for another turn at once.
    var isBusy: Bool {
        hasPortions && commits.admitsPortion || core.lists.hasWork || core.publisher.hasFramesToContinue
    }

    /// More was due than one turn takes: the rest waits for the next tick.
    var isCutShort: Bool { core.machine.isCutShort || holdsBack }

    /// The store is behind: what falls due would only make its work more.
    private var holdsBack: Bool { !commits.isOut && commits.refusal != nil }

    /// The next instant at which something is due though nothing moves.
    var nextDue: Instant? {
        let due = commits.isOut ? [commits.nextDue] : [core.look { $0.nextDue }, core.calls.nextDue]
        return (due + [core.publisher.nextDue]).compactMap { $0 }.min()
    }

    /// Whether something waits for a date.
    var waitsForDate: Bool { core.machine.engine.datedScheduleCount > 0 }

    /// The wall clock was set: what runs on elapsed time moves along.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {
        Log.write(.clock, .warning, "the wall clock was set", core.machine.shift(byNanoseconds: nanoseconds, at: now))
        core.publisher.shift(byNanoseconds: nanoseconds, at: now, in: core.machine.engine)
        core.calls.shift(byNanoseconds: nanoseconds)
        commits.shift(to: now)
        recordClock()
    }

    private func recordClock() {
        commits.record(core.parts.clock.look(lastEvent: core.machine.lastEvent, shift: core.machine.shift))
    }

    // MARK: - Turns

    /// Takes in what fell due and what other threads asked, as much of it as makes one turn, then a part of a batch, of a
    /// change to all schedules, of what lists want and of the last tick's frames.
    /// - Returns: How many of the messages were taken.
    func receive(_ messages: ArraySlice<Message>, at now: Instant) -> Int {
        var turnBuilder = TurnBuilder(beginTurn(at: now), links: core.publisher.linkCount)
        // One that comes in this turn has its first part at once.
        let (hasBatches, hasSweep) = (!core.batches.isEmpty, isSweeping)
        turnBuilder.turn.requests.reserveCapacity(min(messages.count, Machine.commandsPerTurn))
        for message in messages.prefix(Machine.commandsPerTurn) {
            add(message, to: &turnBuilder, at: now)
            if turnBuilder.isFull || abs(core.publisher.linkCount - turnBuilder.links) >= Self.topicsPerTurn { break }
        }
        if commits.admitsPortion {
            if hasBatches, let part = core.batches.next() { turnBuilder.turn.portions.append(.batch(part)) }
            if hasSweep { turnBuilder.turn.portions.append(.sweep) }
        }
        take(&turnBuilder, at: now)
        if !commits.isOut { core.callWebhooks(at: now) }
        core.attendToFrames(at: now)
        commit(at: now)
        return turnBuilder.taken
    }

    /// One tick: what fell due, then a frame of everything that moved and is watched, then one flush of it all.
    /// - Parameter number: The tick's number on the clock's timetable.
    func tick(_ number: Int64, isLate: Bool) {
        let now = core.parts.clock.instant(tick: number)
        core.tick(number, isLate: isLate, at: now) {
            var turnBuilder = TurnBuilder(beginTurn(at: now), links: core.publisher.linkCount)
            turnBuilder.turn.isTick = true
            // One commit at a time: frames would wait for all of them.
            turnBuilder.turn.passesMilestones = !core.publisher.isHeld
            take(&turnBuilder, at: now)
            commit(at: now)
        }
    }

    func sendEvents(at now: Instant) { core.publisher.sendEvents(at: now) }

    /// Works off what takes several turns, for a server that ends.
    func finish(_ now: () -> Instant) {
        while !commits.isOut, isSweeping { finishPortion(.sweep, at: now()) }
        while !commits.isOut, let part = core.batches.next() { finishPortion(.batch(part), at: now()) }
        let end = now()
        giveUp(because: StoreError(.closed, "the server ends"), at: end)
        recordClock()
        openStreams(at: end)
        commit(at: end)
    }

    private func finishPortion(_ portion: Portion, at now: Instant) {
        var turnBuilder = TurnBuilder(Turn(at: now, tick: core.parts.clock.tick(of: now)), links: 0)
        turnBuilder.turn.advances = false
        turnBuilder.turn.portions = [portion]
        take(&turnBuilder, at: now)
        commit(at: now)
    }

    private func beginTurn(at now: Instant) -> Turn {
        var turn = Turn(at: now, tick: core.parts.clock.tick(of: now))
        turn.advances = commits.refusal == nil
        if commits.isOut { commits.attemptRecovery(at: now) }
        if holdsBack { core.statistics.cutShort += 1 }
        core.look { core.publisher.advance(to: now, in: $0) }
        return turn
    }

    /// Adds what the machine is asked to the turn; what others are asked is carried out behind that.
    private func add(_ message: Message, to turnBuilder: inout TurnBuilder, at now: Instant) {
        if commits.refusal == nil, let request = request(for: message) {
            turnBuilder.turn.requests.append(request)
            return
        }
        take(&turnBuilder, at: now)
        guard !turnBuilder.isFull else { return }
        turnBuilder.countMessage()
        execute(message, in: &turnBuilder, at: now)
    }

    /// What the machine is asked by a message, where it can be gathered with others.
    private func request(for message: Message) -> Request? {
        switch message {
        case .asked(.command(var command, let responder, let stream)):
            command.ticket = responder.map { core.answers.ticket($0, for: stream.map { .stream($0) } ?? .answer) }
            return .command(command)
        case .asked(.deadLetter(let id, let operation, let responder)):
            return .deadLetter(id: id, operation, core.answers.ticket(responder))
        case .asked(.makeVoucher(let voucher, let responder)):
            return .voucherMade(voucher, core.answers.ticket(responder))
        case .asked(.spendVoucher(let key, let responder, let spend)):
            return .voucherSpent(key: key, core.answers.ticket(responder, for: .spending(spend)))
        default: return nil
        }
    }

    private func execute(_ message: Message, in turnBuilder: inout TurnBuilder, at now: Instant) {
        switch message {
        case .asked(.command(_, let responder, _)): refuse(responder)
        case .asked(.deadLetter(_, _, let responder)): refuse(responder)
        // Nothing that a store would keep.
        case .asked(.makeVoucher), .asked(.spendVoucher):
            if let request = request(for: message) { ask(request, in: &turnBuilder, at: now) }
        case .asked(.batch(let batch)): begin(batch, in: &turnBuilder, at: now)
        case .store(let news): take(news, in: &turnBuilder, at: now)
        case .zones(let rules): follow(rules, in: &turnBuilder, at: now)
        case .webhookEnded(let id, let outcome):
            if let request = core.endCall(id, outcome) { ask(request, in: &turnBuilder, at: now) }
        case .asked(.query(.stream, _)) where core.publisher.keepsBack(at: now): waitingStreams.append(message)
        // A conductor with a store of its own has no log.
        case .log: break
        case .asked(.query), .open, .wantsGreeting, .closed, .inspected, .wantsPortion, .listEnded, .reviewPermits,
            .drain:
            core.handle(to: message, at: now)
        }
    }

    /// A stream may replay what was published: it begins when all of that may go out.
    private func openStreams(at now: Instant) {
        let messages = waitingStreams
        waitingStreams = []
        for message in messages { core.handle(to: message, at: now) }
    }

    /// Dates of the calendar keep their times on the clocks.
    private func follow(_ rules: any CalendarRules, in turnBuilder: inout TurnBuilder, at now: Instant) {
        guard rules.edition != core.machine.engine.configuration.rules?.edition else { return }
        core.machine.follow(zones: rules.zoneVersion, rules, at: now)
        take(&turnBuilder, at: now)
    }

    /// The store takes nothing now.
    private func refuse(_ responder: (any Responder)?) {
        if let refusal = commits.refusal { responder?.send(.problem(Problem(refusal))) }
    }

    private func begin(_ batch: BatchRequest, in turnBuilder: inout TurnBuilder, at now: Instant) {
        guard commits.refusal == nil else { return refuse(batch.responder) }
        if let part = core.batches.begin(batch) { ask(.batch(part), in: &turnBuilder, at: now) }
    }

    /// Has the machine take one request, which is counted as a message already.
    private func ask(_ request: Request, in turnBuilder: inout TurnBuilder, at now: Instant) {
        turnBuilder.turn.requests = [request]
        take(&turnBuilder, at: now)
        turnBuilder.taken -= 1
    }

    private func take(_ news: StoreNotice, in turnBuilder: inout TurnBuilder, at now: Instant) {
        switch commits.take(news, at: now) {
        case .none: break
        case .call(let ids): core.calls.follow(ids, in: core.machine.outbox)
        case .release: core.publisher.release()
        case .abandon(let error):
            giveUp(because: error, at: now)
            commits.attemptRecovery(at: now)
        case .goBack(let kept):
            pass(core.machine.goBack(to: kept, at: now))
            commits.probe(core.machine.engine.schedulePause)
        }
    }

    /// Nothing can be stored: what takes several turns comes to its end here.
    private func giveUp(because error: StoreError, at now: Instant) {
        core.batches.abandon(because: error, after: commits.afterCommit)
        pass(core.machine.abandonSweeps(because: Problem(error), at: now))
    }

    /// Has the machine take what has been gathered.
    private func take(_ turnBuilder: inout TurnBuilder, at now: Instant) {
        let outcome = core.machine.take(turnBuilder.turn)
        core.answers.withdraw(turnBuilder.turn.requests.dropFirst(outcome.taken))
        turnBuilder.count(outcome)
        turnBuilder.turn = Turn(at: now, tick: turnBuilder.turn.tick)
        turnBuilder.turn.advances = false
        pass(outcome)
    }

    /// Tells everybody what came of a turn.
    private func pass(_ outcome: Outcome) {
        // Once for each commit that tells some.
        if outcome.counts.milestones > 0, !commits.tellsMilestones { core.publisher.hold(at: outcome.instant) }
        core.tell(outcome)
        core.look { commits.record(outcome, of: $0) }
        followWebhooks(outcome)
        for result in outcome.batches { core.batches.take(result, core.answers, after: commits.afterCommit) }
    }

    /// New webhooks are called once they are kept; of others a turn may have changed when they are due.
    private func followWebhooks(_ outcome: Outcome) {
        guard !outcome.deliveries.isEmpty else { return }
        let unstored = Set(outcome.unstored)
        core.calls.follow(outcome.deliveries.lazy.map(\.id).filter { !unstored.contains($0) }, in: core.machine.outbox)
    }

    /// Hands the turn's changes to the store; their answers go out when it has them.
    private func commit(at now: Instant) {
        if !core.publisher.keepsBack(at: now) { openStreams(at: now) }
        core.publisher.followSubscribers(of: &core.machine, at: now)
        core.answers.send(after: commits.afterCommit)
        let epoch = core.machine.epoch
        let time = now.nanoseconds.subtractingSaturated(core.machine.shift)
        let log = core.publisher.takeLog().map { events, expired in
            StoreChange.logLater(size: events.size, expired: expired) {
                StoredEvents(
                    epoch: epoch, first: events.first, last: events.last, time: time, bytes: events.bytes)
            }
        }
        commits.commit(core.machine.engine.schedulePause, log: log)
    }
}
