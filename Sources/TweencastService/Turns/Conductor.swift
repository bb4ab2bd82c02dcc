// The order of a turn: what the machine is given, and who is told of what came of it. Owned by the tick thread; time is an
// argument, and nothing here waits: answers leave with the commit that holds their change.

import Board
import Committing
import EventStream
import Gateway
import HTTPTransport
import Machine
import Primitives
import Publishing
import Storage
import Tween
import Webhooks
import Wire

/// Passes turns to the machine and their outcomes to the publisher, the store and whoever asked.
final class Conductor {
    /// What it works with.
    struct Parts {
        var configuration: ServiceConfiguration
        var clock: ServiceClock
        var acceptor: any StreamAcceptor
        var post: @Sendable (Message) -> Void
        var counters: @Sendable () -> TransportCounters
        /// Calls a webhook; how that ended comes back as a message.
        var call: @Sendable (Delivery) -> Void
        /// Compiles formats in the locales of readers.
        var readers: any ReaderPlanner
    }

    let parts: Parts
    private(set) var machine: Machine
    let publisher: Publisher
    let ledger: Ledger
    let lists: ListDesk
    private let answers: AnswerDesk
    private var batches = BatchQueue()
    private var calls: CallQueue
    var inspections = ClientInspections()
    var statistics = Statistics()

    /// After so many topics that streams took or left, the turn ends.
    private static let topicsPerTurn = 2_000

    init(parts: Parts, machine: Machine, publisher: Publisher, ledger: Ledger) {
        self.parts = parts
        self.machine = machine
        self.publisher = publisher
        self.ledger = ledger
        lists = ListDesk(post: parts.post)
        answers = AnswerDesk(AnswerSender(acceptor: parts.acceptor, post: parts.post))
        calls = CallQueue(receiver: WebhookURL.receiver)
        for delivery in machine.outbox.pending { calls.set(delivery) }
    }

    // MARK: - When

    /// Whether the next tick has something to do: what moves is watched, or something waits to be sent.
    var wantsTick: Bool { machine.wantsTick || publisher.wantsTick }

    /// Whether something that takes several turns is under way.
    var hasPortions: Bool { !batches.isEmpty || machine.isSweeping }

    /// Whether there is work for another turn at once.
    var isBusy: Bool {
        hasPortions && ledger.admitsPortion || lists.hasWork || publisher.hasFramesToContinue
    }

    /// More was due than one turn takes: the rest waits for the next tick.
    var isCutShort: Bool { machine.isCutShort || holdsBack }

    /// The store is behind: what falls due would only make its work more.
    private var holdsBack: Bool { !ledger.isOut && ledger.refusal != nil }

    /// The next instant at which something is due though nothing moves.
    var nextDue: Instant? {
        let due = ledger.isOut ? [ledger.nextDue] : [machine.nextDue, calls.nextDue]
        return (due + [publisher.nextDue]).compactMap { $0 }.min()
    }

    /// Whether something waits for a date.
    var waitsForDate: Bool { machine.engine.datedScheduleCount > 0 }

    /// The wall clock was set: what runs on elapsed time moves along.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {
        Log.write(.clock, "the wall clock was set by \(Double(nanoseconds) / 1e9) s")
        machine.shift(byNanoseconds: nanoseconds, at: now)
        publisher.shift(byNanoseconds: nanoseconds, at: now, in: machine.engine)
        calls.shift(byNanoseconds: nanoseconds)
        ledger.shift(to: now)
    }

    // MARK: - Turns

    /// Takes in what fell due and what other threads asked, as much of it as makes one turn, then a part of a batch, of a
    /// change to all schedules, of what lists want and of the last tick's frames.
    /// - Returns: How many of the messages were taken.
    func receive(_ messages: ArraySlice<Message>, at now: Instant) -> Int {
        var round = Round(beginTurn(at: now), links: publisher.linkCount)
        // One that comes in this turn has its first part at once.
        let (hasBatches, hasSweep) = (!batches.isEmpty, machine.isSweeping)
        for message in messages.prefix(Machine.commandsPerTurn) {
            add(message, to: &round, at: now)
            if round.isFull || abs(publisher.linkCount - round.links) >= Self.topicsPerTurn { break }
        }
        if ledger.admitsPortion {
            if hasBatches, let part = batches.next() { round.turn.portions.append(.batch(part)) }
            if hasSweep { round.turn.portions.append(.sweep) }
        }
        take(&round, at: now)
        callWebhooks(at: now)
        lists.makePortions { appendItem(of: $0, $1, at: now, to: &$2) }
        publisher.continueFrames(of: machine, at: now)
        commit(at: now)
        return round.taken
    }

    /// One tick: what fell due, then a frame of everything that moved and is watched, then one flush of it all.
    /// - Parameter number: The tick's number on the clock's timetable.
    func tick(_ number: Int64, isLate: Bool) {
        let now = parts.clock.instant(tick: number)
        statistics.ticks += 1
        if isLate { statistics.lateTicks += 1 }
        var round = Round(beginTurn(at: now), links: publisher.linkCount)
        round.turn.isTick = true
        take(&round, at: now)
        commit(at: now)
        publisher.tick(number, of: &machine, at: now)
    }

    /// Works off what takes several turns, for a server that ends.
    func finish(_ now: () -> Instant) {
        while !ledger.isOut, machine.isSweeping { finishPortion(.sweep, at: now()) }
        while !ledger.isOut, let part = batches.next() { finishPortion(.batch(part), at: now()) }
        let end = now()
        giveUp(because: StoreError(.closed, "the server ends"), at: end)
        commit(at: end)
    }

    private func finishPortion(_ portion: Portion, at now: Instant) {
        var round = Round(Turn(at: now, tick: parts.clock.tick(of: now)), links: 0)
        round.turn.advances = false
        round.turn.portions = [portion]
        take(&round, at: now)
        commit(at: now)
    }

    private func beginTurn(at now: Instant) -> Turn {
        var turn = Turn(at: now, tick: parts.clock.tick(of: now))
        turn.advances = ledger.refusal == nil
        if ledger.isOut { ledger.attemptRecovery(at: now) }
        if holdsBack { statistics.cutShort += 1 }
        publisher.advance(to: now, in: machine)
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
            command.ticket = exchange.map { answers.ticket($0, stream: stream) }
            return .command(command)
        case .asked(.deadLetter(let id, let operation, let exchange)):
            return .deadLetter(id: id, operation, answers.ticket(exchange, stream: nil))
        default: return nil
        }
    }

    private func carryOut(_ message: Message, in round: inout Round, at now: Instant) {
        switch message {
        case .asked(.command(_, let exchange, _)): refuse(exchange)
        case .asked(.deadLetter(_, _, let exchange)): refuse(exchange)
        case .asked(.batch(let batch)): begin(batch, in: &round, at: now)
        case .asked(.query(let query, let exchange)): answer(query, to: exchange, at: now)
        case .open(let opening, let key): publisher.open(opening, key, of: &machine, at: now)
        case .wantsGreeting(let key): publisher.greet(key, of: &machine, at: now)
        case .closed(let key): publisher.close(key, of: &machine, at: now)
        case .inspected(let reports, let ticket): take(reports, ticket: ticket)
        case .wantsPortion(let portion): lists.add(portion)
        case .listEnded: lists.end()
        case .store(let news): take(news, in: &round, at: now)
        case .webhookEnded(let id, let outcome): endCall(id, outcome, in: &round, at: now)
        case .drain: publisher.drain({ $0.shuffled() }, at: now)
        }
    }

    /// The store takes nothing now.
    private func refuse(_ exchange: (any Exchange)?) {
        if let refusal = ledger.refusal { exchange?.send(.problem(Problem(refusal))) }
    }

    private func begin(_ batch: BatchRequest, in round: inout Round, at now: Instant) {
        guard ledger.refusal == nil else { return refuse(batch.exchange) }
        if let part = batches.begin(batch) { ask(.batch(part), in: &round, at: now) }
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
            if case .webhooksStored(let ids) = news { allowCalls(ids) }
        case .abandon(let error):
            giveUp(because: error, at: now)
            ledger.attemptRecovery(at: now)
        case .goBack(let kept):
            pass(machine.goBack(to: kept, at: now))
            ledger.probe(machine.engine.schedulePause)
        }
    }

    /// Nothing can be stored: what takes several turns comes to its end here.
    private func giveUp(because error: StoreError, at now: Instant) {
        batches.abandon(because: error, ledger)
        pass(machine.abandonSweeps(because: Problem(error), at: now))
    }

    /// Has the machine take what has been gathered.
    private func take(_ round: inout Round, at now: Instant) {
        let outcome = machine.take(round.turn)
        answers.withdraw(round.turn.requests.dropFirst(outcome.taken))
        round.count(outcome)
        round.turn = Turn(at: now, tick: round.turn.tick)
        round.turn.advances = false
        pass(outcome)
    }

    /// Tells everybody what came of a turn.
    private func pass(_ outcome: Outcome) {
        publisher.publish(outcome, of: &machine)
        ledger.note(outcome, of: machine)
        statistics.count(outcome)
        Log.write(outcome.notes)
        followWebhooks(outcome)
        for given in outcome.answers { answers.add(given, at: outcome.instant) }
        for result in outcome.batches { batches.take(result, answers, ledger) }
    }

    // MARK: - Webhooks

    /// Calls what is due; not while nothing can be stored.
    private func callWebhooks(at now: Instant) {
        guard !ledger.isOut else { return }
        for id in calls.takeDue(at: now) {
            guard let delivery = machine.outbox.delivery(id), !delivery.isDead else {
                calls.end(id)
                continue
            }
            statistics.webhookCalls += 1
            parts.call(delivery)
        }
    }

    private func endCall(_ id: String, _ outcome: WebhookOutcome, in round: inout Round, at now: Instant) {
        calls.end(id)
        guard let delivery = machine.outbox.delivery(id) else { return }
        let call = WebhookCall(id: id, attempt: delivery.attempts + 1)
        ask(.webhookEnded(call, outcome, jitter: .random(in: 0..<1)), in: &round, at: now)
    }

    /// The store has these.
    private func allowCalls(_ ids: [String]) {
        for id in ids {
            if let delivery = machine.outbox.delivery(id), !delivery.isDead { calls.set(delivery) }
        }
    }

    /// New webhooks are called once they are stored; of others a turn may have changed when they are due.
    private func followWebhooks(_ outcome: Outcome) {
        let unstored = Set(outcome.unstored)
        for (id, delivery) in outcome.deliveries where !unstored.contains(id) {
            if let delivery, !delivery.isDead { calls.set(delivery) } else { calls.withdraw(id) }
        }
    }

    /// Hands the turn's changes to the store; their answers go out when it has them.
    private func commit(at now: Instant) {
        publisher.followWatchers(of: &machine, at: now)
        answers.send(after: ledger)
        let log = publisher.takeLog().map { events, expired in
            (
                events: StoredEvents(
                    epoch: machine.epoch, first: events.first, last: events.last, time: now.nanoseconds,
                    bytes: events.bytes), expired: expired
            )
        }
        ledger.commit(machine.engine.schedulePause, log: log)
    }
}
