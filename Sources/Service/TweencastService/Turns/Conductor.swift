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
import Webhooks
import Wire

/// Passes turns to the machine and their outcomes to the stage.publisher, the store and whoever asked.
final class Conductor: Conducting {
    let stage: Stage
    let ledger: Ledger
    /// Requests for streams that came while something is kept back; as many as there are connections for.
    private var waitingStreams: [Message] = []

    /// After so many topics that streams took or left, the turn ends.
    private static let topicsPerTurn = 2_000

    init(_ parts: Stage.Parts, machine: Machine, publisher: Publisher, ledger: Ledger) {
        stage = Stage(parts, machine: machine, publisher: publisher, keeper: ledger)
        self.ledger = ledger
        for delivery in machine.outbox.pending { stage.calls.set(delivery) }
    }

    // MARK: - When

    /// Whether the next tick has something to do: what moves is watched, or something waits to be sent.
    var wantsTick: Bool { stage.publisher.wantsTick || stage.look { $0.wantsTick } }

    /// Whether something that takes several turns is under way.
    var hasPortions: Bool { !stage.batches.isEmpty || isSweeping }

    private var isSweeping: Bool { stage.look { $0.isSweeping } }

    /// Whether there is work for another turn at once.
    var isBusy: Bool {
        hasPortions && ledger.admitsPortion || stage.lists.hasWork || stage.publisher.hasFramesToContinue
    }

    /// More was due than one turn takes: the rest waits for the next tick.
    var isCutShort: Bool { stage.machine.isCutShort || holdsBack }

    /// The store is behind: what falls due would only make its work more.
    private var holdsBack: Bool { !ledger.isOut && ledger.refusal != nil }

    /// The next instant at which something is due though nothing moves.
    var nextDue: Instant? {
        let due = ledger.isOut ? [ledger.nextDue] : [stage.look { $0.nextDue }, stage.calls.nextDue]
        return (due + [stage.publisher.nextDue]).compactMap { $0 }.min()
    }

    /// Whether something waits for a date.
    var waitsForDate: Bool { stage.machine.engine.datedScheduleCount > 0 }

    /// The wall clock was set: what runs on elapsed time moves along.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {
        Log.write(.clock, .warning, "the wall clock was set", stage.machine.shift(byNanoseconds: nanoseconds, at: now))
        stage.publisher.shift(byNanoseconds: nanoseconds, at: now, in: stage.machine.engine)
        stage.calls.shift(byNanoseconds: nanoseconds)
        ledger.shift(to: now)
        noteClock()
    }

    private func noteClock() {
        ledger.note(stage.parts.clock.look(lastEvent: stage.machine.lastEvent, shift: stage.machine.shift))
    }

    // MARK: - Turns

    /// Takes in what fell due and what other threads asked, as much of it as makes one turn, then a part of a batch, of a
    /// change to all schedules, of what lists want and of the last tick's frames.
    /// - Returns: How many of the messages were taken.
    func receive(_ messages: ArraySlice<Message>, at now: Instant) -> Int {
        var round = Round(beginTurn(at: now), links: stage.publisher.linkCount)
        // One that comes in this turn has its first part at once.
        let (hasBatches, hasSweep) = (!stage.batches.isEmpty, isSweeping)
        round.turn.requests.reserveCapacity(min(messages.count, Machine.commandsPerTurn))
        for message in messages.prefix(Machine.commandsPerTurn) {
            add(message, to: &round, at: now)
            if round.isFull || abs(stage.publisher.linkCount - round.links) >= Self.topicsPerTurn { break }
        }
        if ledger.admitsPortion {
            if hasBatches, let part = stage.batches.next() { round.turn.portions.append(.batch(part)) }
            if hasSweep { round.turn.portions.append(.sweep) }
        }
        take(&round, at: now)
        if !ledger.isOut { stage.callWebhooks(at: now) }
        stage.attendToFrames(at: now)
        commit(at: now)
        return round.taken
    }

    /// One tick: what fell due, then a frame of everything that moved and is watched, then one flush of it all.
    /// - Parameter number: The tick's number on the clock's timetable.
    func tick(_ number: Int64, isLate: Bool) {
        let now = stage.parts.clock.instant(tick: number)
        stage.tick(number, isLate: isLate, at: now) {
            var round = Round(beginTurn(at: now), links: stage.publisher.linkCount)
            round.turn.isTick = true
            // One commit at a time: frames would wait for all of them.
            round.turn.passesMilestones = !stage.publisher.isHeld
            take(&round, at: now)
            commit(at: now)
        }
    }

    func sendEvents(at now: Instant) { stage.publisher.sendEvents(at: now) }

    /// Works off what takes several turns, for a server that ends.
    func finish(_ now: () -> Instant) {
        while !ledger.isOut, isSweeping { finishPortion(.sweep, at: now()) }
        while !ledger.isOut, let part = stage.batches.next() { finishPortion(.batch(part), at: now()) }
        let end = now()
        giveUp(because: StoreError(.closed, "the server ends"), at: end)
        noteClock()
        openStreams(at: end)
        commit(at: end)
    }

    private func finishPortion(_ portion: Portion, at now: Instant) {
        var round = Round(Turn(at: now, tick: stage.parts.clock.tick(of: now)), links: 0)
        round.turn.advances = false
        round.turn.portions = [portion]
        take(&round, at: now)
        commit(at: now)
    }

    private func beginTurn(at now: Instant) -> Turn {
        var turn = Turn(at: now, tick: stage.parts.clock.tick(of: now))
        turn.advances = ledger.refusal == nil
        if ledger.isOut { ledger.attemptRecovery(at: now) }
        if holdsBack { stage.statistics.cutShort += 1 }
        stage.look { stage.publisher.advance(to: now, in: $0) }
        return turn
    }

    /// Adds what the machine is asked to the turn; what others are asked is carried out behind that.
    private func add(_ message: Message, to round: inout Round, at now: Instant) {
        if ledger.refusal == nil, let request = request(for: message) {
            round.turn.requests.append(request)
            return
        }
        take(&round, at: now)
        guard !round.isFull else { return }
        round.countMessage()
        carryOut(message, in: &round, at: now)
    }

    /// What the machine is asked by a message, where it can be gathered with others.
    private func request(for message: Message) -> Request? {
        switch message {
        case .asked(.command(var command, let exchange, let stream)):
            command.ticket = exchange.map { stage.answers.ticket($0, for: stream.map { .stream($0) } ?? .answer) }
            return .command(command)
        case .asked(.deadLetter(let id, let operation, let exchange)):
            return .deadLetter(id: id, operation, stage.answers.ticket(exchange))
        case .asked(.makeVoucher(let voucher, let exchange)):
            return .voucherMade(voucher, stage.answers.ticket(exchange))
        case .asked(.spendVoucher(let key, let exchange, let spend)):
            return .voucherSpent(key: key, stage.answers.ticket(exchange, for: .spending(spend)))
        default: return nil
        }
    }

    private func carryOut(_ message: Message, in round: inout Round, at now: Instant) {
        switch message {
        case .asked(.command(_, let exchange, _)): refuse(exchange)
        case .asked(.deadLetter(_, _, let exchange)): refuse(exchange)
        // Nothing that a store would keep.
        case .asked(.makeVoucher), .asked(.spendVoucher):
            if let request = request(for: message) { ask(request, in: &round, at: now) }
        case .asked(.batch(let batch)): begin(batch, in: &round, at: now)
        case .store(let news): take(news, in: &round, at: now)
        case .zones(let rules): follow(rules, in: &round, at: now)
        case .webhookEnded(let id, let outcome):
            if let request = stage.endCall(id, outcome) { ask(request, in: &round, at: now) }
        case .asked(.query(.stream, _)) where stage.publisher.keepsBack(at: now): waitingStreams.append(message)
        // A conductor with a store of its own has no log.
        case .log: break
        case .asked(.query), .open, .wantsGreeting, .closed, .inspected, .wantsPortion, .listEnded, .reviewPermits,
            .drain:
            stage.attend(to: message, at: now)
        }
    }

    /// A stream may replay what was published: it begins when all of that may go out.
    private func openStreams(at now: Instant) {
        let messages = waitingStreams
        waitingStreams = []
        for message in messages { stage.attend(to: message, at: now) }
    }

    /// Dates of the calendar keep their times on the clocks.
    private func follow(_ rules: any CalendarRules, in round: inout Round, at now: Instant) {
        guard rules.edition != stage.machine.engine.configuration.rules?.edition else { return }
        stage.machine.follow(zones: rules.zoneVersion, rules, at: now)
        take(&round, at: now)
    }

    /// The store takes nothing now.
    private func refuse(_ exchange: (any Exchange)?) {
        if let refusal = ledger.refusal { exchange?.send(.problem(Problem(refusal))) }
    }

    private func begin(_ batch: BatchRequest, in round: inout Round, at now: Instant) {
        guard ledger.refusal == nil else { return refuse(batch.exchange) }
        if let part = stage.batches.begin(batch) { ask(.batch(part), in: &round, at: now) }
    }

    /// Has the machine take one request, which is counted as a message already.
    private func ask(_ request: Request, in round: inout Round, at now: Instant) {
        round.turn.requests = [request]
        take(&round, at: now)
        round.taken -= 1
    }

    private func take(_ news: StoreNews, in round: inout Round, at now: Instant) {
        switch ledger.take(news, at: now) {
        case .none:
            switch news {
            case .webhooksStored(let ids): stage.allowCalls(ids)
            case .milestonesStored: stage.publisher.release()
            default: break
            }
        case .abandon(let error):
            giveUp(because: error, at: now)
            ledger.attemptRecovery(at: now)
        case .goBack(let kept):
            pass(stage.machine.goBack(to: kept, at: now))
            ledger.probe(stage.machine.engine.schedulePause)
        }
    }

    /// Nothing can be stored: what takes several turns comes to its end here.
    private func giveUp(because error: StoreError, at now: Instant) {
        stage.batches.abandon(because: error, after: ledger.afterCommit)
        pass(stage.machine.abandonSweeps(because: Problem(error), at: now))
    }

    /// Has the machine take what has been gathered.
    private func take(_ round: inout Round, at now: Instant) {
        let outcome = stage.machine.take(round.turn)
        stage.answers.withdraw(round.turn.requests.dropFirst(outcome.taken))
        round.count(outcome)
        round.turn = Turn(at: now, tick: round.turn.tick)
        round.turn.advances = false
        pass(outcome)
    }

    /// Tells everybody what came of a turn.
    private func pass(_ outcome: Outcome) {
        // Once for each commit that tells some.
        if outcome.counts.milestones > 0, !ledger.tellsMilestones { stage.publisher.hold(at: outcome.instant) }
        stage.tell(outcome)
        stage.look { ledger.note(outcome, of: $0) }
        stage.followWebhooks(outcome)
        for result in outcome.batches { stage.batches.take(result, stage.answers, after: ledger.afterCommit) }
    }

    /// Hands the turn's changes to the store; their answers go out when it has them.
    private func commit(at now: Instant) {
        if !stage.publisher.keepsBack(at: now) { openStreams(at: now) }
        stage.publisher.followWatchers(of: &stage.machine, at: now)
        stage.answers.send(after: ledger.afterCommit)
        let epoch = stage.machine.epoch
        let time = now.nanoseconds.subtractingSaturated(stage.machine.shift)
        let log = stage.publisher.takeLog().map { events, expired in
            StoreChange.logLater(size: events.size, expired: expired) {
                StoredEvents(
                    epoch: epoch, first: events.first, last: events.last, time: time, bytes: events.bytes)
            }
        }
        ledger.commit(stage.machine.engine.schedulePause, log: log)
    }
}
