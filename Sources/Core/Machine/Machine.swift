// The deterministic state of the service: the board, answers kept for retries, pending webhooks and event numbers. Turns are
// its inputs, through `apply`. No clock, no randomness, no threads: the same turns give the same outcomes in every copy.

package import Base
package import Board
package import Tween
import Wire

/// The state machine of the service.
package struct Machine {
    package internal(set) var engine: Engine
    package internal(set) var retries: RetryMemory
    package internal(set) var outbox: Outbox
    package internal(set) var tickets = TicketBook()
    /// The event log that event numbers belong to.
    package internal(set) var epoch: String
    /// The number of the newest event.
    package internal(set) var lastEvent: Int64
    /// Earlier event logs, oldest first, each by the id of its last event. A client with an id from one of them resumes from
    /// there.
    package internal(set) var pastEpochs: [EventID] = []
    /// Their maximum number; clients with ids from older logs start again.
    package static let maximumPastEpochs = 100
    /// Whether more was due than one advance executes. The rest waits for the next tick, which spreads a crowd due at one
    /// instant for its subscribers.
    package internal(set) var isCutShort = false
    /// The tick of the last advance.
    var cutShortTick: Int64 = 0
    var completionGroups = CompletionGroups()
    /// The running and waiting changes of all schedules.
    var sweeps = SweepRequests()
    var deliveries: DeliveryNames
    /// Which replicas, this one included, have subscribers to tracks with a time to live.
    var subscribers = SubscribedReplicas()
    /// The version of the time zone rules that it should use, if they aren't available.
    package internal(set) var missingZones: String?
    /// Whether other replicas execute the same turns.
    let sharesTurns: Bool
    private var watchChanges: [ResourceName] = []

    /// The maximum commands of a turn, and its maximum bytes of named events. A tick or other work that is due then comes
    /// next, so that a crowd of clients delays no frame by more than this.
    package static let commandsPerTurn = 64
    package static let bytesPerTurn = 256 << 10
    /// The maximum lines of a batch in one part: as much work as a turn's commands.
    package static let linesPerPart = commandsPerTurn

    /// - Parameters:
    ///   - lastEvent: The number of the newest event that earlier runs published.
    ///   - pastEpochs: The event logs before this epoch, each by the id of its last event.
    ///   - deliveries: The prefix of webhook ids; new in each run.
    ///   - sharesTurns: Whether other replicas execute the same turns.
    package init(
        engine: Engine, retries: RetryMemory, outbox: Outbox, epoch: String, lastEvent: Int64 = 0,
        pastEpochs: [EventID] = [], deliveries: String, sharesTurns: Bool = false
    ) {
        self.sharesTurns = sharesTurns
        self.engine = engine
        self.retries = retries
        self.outbox = outbox
        self.epoch = epoch
        self.lastEvent = lastEvent
        self.pastEpochs = pastEpochs
        self.deliveries = DeliveryNames(prefix: deliveries)
    }

    /// The next instant at which something is due without a request.
    package var nextDue: Instant? { engine.nextDue }

    /// Whether merged events wait for the next tick.
    package var hasCompletionGroups: Bool { !completionGroups.isEmpty }

    /// Whether the next tick has work: merged events wait, or a sampled track moves.
    package var wantsTick: Bool { !completionGroups.isEmpty || !engine.sampled.isEmpty }

    /// The newest event's id.
    package var lastEventID: EventID { EventID(epoch: epoch, number: lastEvent) }

    // MARK: - Turns

    /// Executes a turn.
    package mutating func apply(_ turn: Turn) -> Outcome {
        var outcome = begin(turn, expecting: turn.requests.count)
        for request in turn.requests {
            apply(request, at: turn.instant, &outcome)
            if outcome.counts.commands >= Self.commandsPerTurn || outcome.counts.bytes >= Self.bytesPerTurn { break }
        }
        end(&outcome, with: turn.portions)
        return outcome
    }

    /// Executes what comes before a turn's requests: due work and the tick. `apply` then executes each request, and `end`
    /// completes the outcome.
    /// - Parameter requests: About how many follow.
    package mutating func begin(_ turn: Turn, expecting requests: Int = 0) -> Outcome {
        var outcome = Outcome(at: turn.instant)
        outcome.events.reserveCapacity(requests)
        outcome.answers.reserveCapacity(requests)
        if turn.advances { advance(turn, &outcome) }
        collectEvents(into: &outcome)
        if turn.isTick { passTick(turn, &outcome) }
        return outcome
    }

    /// Executes what comes after requests: portions. Adds to their outcome what has changed since the last one.
    package mutating func end(_ outcome: inout Outcome, with portions: [WorkSlice]) {
        for portion in portions {
            switch portion {
            case .batch(let part): work(on: part, at: outcome.instant, &outcome)
            case .sweep: continueSweep(at: outcome.instant, &outcome)
            }
        }
        finish(&outcome)
    }

    /// Executes a request.
    package mutating func apply(_ request: Request, at now: Instant, _ outcome: inout Outcome) {
        outcome.taken += 1
        switch request {
        case .command(let command): apply(command, at: now, &outcome)
        case .batch(let part): begin(part, at: now, &outcome)
        case .deadLetter(let id, let operation, let waiter):
            let handling =
                switch operation {
                case .retry: outbox.retry(id, at: now)
                case .discard: outbox.discard(id)
                }
            answer(waiter, Self.answer(to: handling), &outcome)
        case .ticketMade(let ticket, let waiter):
            let isMade = tickets.insert(ticket, at: now)
            answer(waiter, isMade ? .noContent : .problem(Self.tooManyTickets), &outcome)
        case .ticketSpent(let key, let waiter): answer(waiter, .spent(tickets.spend(key, at: now)), &outcome)
        case .webhookEnded(let id, let attempt, let result, let jitter):
            endCall(id, attempt: attempt, result, jitter: jitter, at: now, &outcome)
        case .heard(let name, let hasSubscribers, let replica):
            setHasSubscribers(name, hasSubscribers, on: replica, at: now)
        case .left(let replica): for name in subscribers.remove(replica) { endHearing(name, at: now) }
        case .outageEnded: engine.lookAgain(at: now)
        }
    }

    private static let tooManyTickets = Problem(
        503, "Service Unavailable", "too many tickets wait to be spent; try again in a moment", retryAfter: 5)

    private static func answer(to handling: Outbox.Handling) -> Answer {
        switch handling {
        case .done: .noContent
        case .unknown: .problem(.notFound)
        case .noRoom:
            .problem(
                Problem(
                    503, "Service Unavailable", "\(Outbox.noRoom); retry it when some have been delivered",
                    retryAfter: 60))
        }
    }

    private mutating func endCall(
        _ id: String, attempt: Int, _ result: WebhookOutcome, jitter: Double, at now: Instant,
        _ outcome: inout Outcome
    ) {
        let wasDead = outbox.delivery(id)?.isDead ?? true
        if outbox.finish(id, attempt: attempt, result, at: now, jitter: jitter) {
            outcome.counts.delivered += 1
        } else if !wasDead, let delivery = outbox.delivery(id), delivery.isDead {
            outcome.notes.append(.webhookGivenUp(delivery))
        }
    }

    private mutating func advance(_ turn: Turn, _ outcome: inout Outcome) {
        // Without subscribers there may be no turn for the tick itself.
        if turn.tick != cutShortTick { completionGroups.beginTick() }
        // Turns are more frequent than ticks; an advance that was cut short continues only at the next tick.
        guard !isCutShort || turn.tick != cutShortTick else { return engine.renewBudget(at: turn.instant) }
        isCutShort = !engine.advance(to: turn.instant)
        cutShortTick = turn.tick
        if isCutShort { outcome.counts.cutShort += 1 }
    }

    private mutating func passTick(_ turn: Turn, _ outcome: inout Outcome) {
        // If nothing can be stored, they would be published twice.
        let passesMilestones = turn.advances && turn.passesMilestones
        for slot in passesMilestones ? engine.slotsReachingMilestones(at: turn.instant) : [] {
            if let name = engine.passMilestones(slot: slot, at: turn.instant) { outcome.passed.append(name) }
        }
        collectEvents(into: &outcome)
        for (name, group) in completionGroups.drain() { append(.completions(name, group), &outcome) }
    }

    /// Moves unreported changes into an outcome.
    private mutating func finish(_ outcome: inout Outcome) {
        outcome.changed = engine.drainChanges()
        outcome.horizon = retries.horizon
        outcome.counts.lateActions += engine.drainLateActions()
        for id in outbox.drainChanges() { outcome.deliveries.append((id, outbox.delivery(id))) }
        outcome.unstored = outbox.drainUnstored()
        guard completionGroups.assignNumbers(), !sharesTurns else { return }
        var number = lastEvent
        outcome.merged = completionGroups.inOrder.map { name, group in
            number = number.addingSaturated(1)
            return NumberedEvent(number: number, content: .completions(name, group))
        }
    }

    // MARK: - Events

    /// Takes the board's events, in order.
    mutating func collectEvents(into outcome: inout Outcome) {
        let tracks = engine.endedTracks
        for (place, event) in engine.drainEvents().enumerated() {
            outcome.counts.count(event)
            collect(event, leaving: tracks[place], into: &outcome)
        }
    }

    /// - Parameter track: The track as the event left it; nil if it was removed.
    private mutating func collect(_ event: BoardEvent, leaving track: Track?, into outcome: inout Outcome) {
        // Motions that were superseded or took no time: from the 17th of a track in a tick on, no frame can have shown them.
        if case .complete(let name, let ending, let reading) = event, ending.reason == .superseded || ending.isInstant,
            completionGroups.exceeds(name, ending, reading)
        {
            return
        }
        switch event {
        case .webhook(let url, let data, let name):
            let delivery = Delivery(
                id: deliveries.next(), url: url, body: data ?? Self.body(of: name), by: name, created: outcome.instant)
            if let refused = outbox.add(delivery) {
                outcome.counts.refusedDeliveries += 1
                outcome.notes.append(.webhookGivenUp(refused))
            }
        case .failed(let name, let error): outcome.notes.append(.actionRefused(by: name, error))
        case .removed(let name, _):
            // Continuing subscribers are reported again for the next resource of this name.
            subscribers.forget(name)
            publish(event, &outcome)
        default: publish(event, leaving: track, &outcome)
        }
    }

    private mutating func publish(_ event: BoardEvent, leaving track: Track? = nil, _ outcome: inout Outcome) {
        if !completionGroups.isEmpty {
            let name: ResourceName? = if case .resource(let name) = event.audience { name } else { nil }
            for (name, group) in completionGroups.drain(before: name) { append(.completions(name, group), &outcome) }
        }
        append(.one(event), leaving: track, &outcome)
    }

    private mutating func append(
        _ content: NumberedEvent.Content, leaving track: Track? = nil, _ outcome: inout Outcome
    ) {
        lastEvent = lastEvent.addingSaturated(1)
        var event = NumberedEvent(number: lastEvent, content: content)
        if let name = content.shownResource, engine.isWatched(name) { event.track = track ?? engine.track(name) }
        outcome.counts.bytes = outcome.counts.bytes.addingSaturated(content.byteCount)
        outcome.events.append(event)
    }

    /// The body of a webhook without data: the resource that started it.
    private static func body(of name: ResourceName) -> [UInt8] {
        var json = JSONWriter()
        json.object { $0.member("\(name.kind)", name.id) }
        return json.bytes
    }

    // MARK: - Clock and store

    /// Shifts timers when the wall clock was set, since they measure elapsed time.
    @discardableResult
    package mutating func shift(byNanoseconds nanoseconds: Int64, at now: Instant) -> TimelineShift {
        var moved = engine.shiftTimeline(byNanoseconds: nanoseconds, at: now)
        moved.webhooks = outbox.shift(byNanoseconds: nanoseconds)
        tickets.shift(byNanoseconds: nanoseconds)
        retries.shift(byNanoseconds: nanoseconds)
        return moved
    }

    /// The total by which the wall clock was set, in nanoseconds; stored elapsed times exclude it.
    package var shift: Int64 { retries.shift }

    /// The stored state of what could not be stored.
    package struct Kept: Sendable {
        /// Resources as they were last committed; nil for those that did not exist.
        package var resources: [(name: ResourceName, resource: Engine.Resource?)] = []
        package var pause: SchedulePause?
        /// Webhooks, and whether they are stored.
        package var deliveries: [(id: String, isKept: Bool)] = []
        /// Keys of answers that were not stored.
        package var lostAnswers: [String] = []
        /// How the clock was set since all this was stored; nil if it was not.
        package var clockStep: ClockStep?

        package init() {}
    }

    /// Restores the stored state of what could not be stored.
    package mutating func goBack(to kept: Kept, at now: Instant) -> Outcome {
        var outcome = Outcome(at: now)
        if var pause = kept.pause {
            pause.since = pause.since?.advanced(byNanoseconds: kept.clockStep?.nanoseconds ?? 0)
            engine.restore(pause, at: now)
        }
        for (name, resource) in kept.resources
        where engine.restore(name, resource, after: kept.clockStep, at: now) {
            outcome.passed.append(name)
        }
        for (id, isKept) in kept.deliveries { outbox.reconcile(id, isKept: isKept) }
        for key in kept.lostAnswers { retries.forget(key) }
        collectEvents(into: &outcome)
        finish(&outcome)
        outcome.restored = outcome.changed
        // The store already has them in this state, unless the clock was set.
        if kept.clockStep == nil { outcome.changed = [] }
        return outcome
    }

    // MARK: - Subscribers

    /// Records whether a track has subscribers here. With other replicas this has no effect on outcomes except the events'
    /// `track`; subscribers on any replica are reported by a request of their own.
    package mutating func setWatched(_ isWatched: Bool, slot: Int, at now: Instant) {
        engine.setWatched(isWatched, slot: slot)
        guard sharesTurns else { return engine.setHasSubscribers(isWatched, slot: slot, at: now) }
        if let track = engine.tracks[slot], track.timeToLive != nil { watchChanges.append(track.name) }
    }

    /// Takes the tracks with a time to live whose subscribers here appeared or disappeared since the last call.
    package mutating func drainWatchChanges() -> [ResourceName] {
        defer { watchChanges.removeAll() }
        return watchChanges
    }

    /// Samples the moving tracks that are watched.
    package mutating func sample(at now: Instant, into samples: inout [Sample]) {
        engine.sample(at: now, into: &samples)
    }
}

/// Webhook ids, unique forever: receivers recognise a repeated delivery by its id.
struct DeliveryNames: Hashable, Sendable {
    let prefix: String
    var count: UInt64 = 0

    mutating func next() -> String {
        count += 1
        return "\(prefix)-\(count)"
    }
}

extension NumberedEvent.Content {
    /// The track whose final frame precedes the event.
    fileprivate var shownResource: ResourceName? {
        switch self {
        case .one(.complete(let name, let ending, _)): ending.reason == .superseded ? nil : name
        case .completions(let name, let group): group.reason == .superseded ? nil : name
        case .one: nil
        }
    }

    /// The approximate number of bytes to publish it.
    package var byteCount: Int {
        switch self {
        case .one(let event): event.byteCount
        // By the written text, not by the estimate of a reading, which differs after a snapshot.
        case .completions(_, let group): 256 + group.reading.text.count
        }
    }
}

extension Outcome.Counts {
    fileprivate mutating func count(_ event: BoardEvent) {
        switch event {
        case .complete: completions += 1
        case .fired: firings += 1
        case .milestone: milestones += 1
        default: break
        }
    }
}
