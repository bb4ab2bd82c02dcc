// What the tick thread owns: the board, the hub and the way between them. Single-threaded; time is an argument, and
// nothing here waits: answers leave with the commit that holds their change.

import Board
import EventStream
import HTTPTransport
import Labels
import Storage
import Tween
import Webhooks
import Wire

/// Applies messages to the board and turns what happens there into frames, events, records and answers.
final class Conductor {
    /// What it works with.
    struct Parts {
        var configuration: ServiceConfiguration
        var clock: ServiceClock
        var store: any Store
        var rules: any CalendarRules
        var acceptor: any StreamAcceptor
        var post: @Sendable (Message) -> Void
        var counters: @Sendable () -> TransportCounters
        /// Calls a webhook; how that ended comes back as a message.
        var call: @Sendable (WebhookRequest) -> Void
    }

    let parts: Parts
    var engine: Engine
    let hub: Hub
    var topics = TopicTable()
    var countdowns = Countdowns()
    var paceFrames = PaceFrames()
    var extras = FrameExtras()
    var inspections = ClientInspections()
    var selfTests = SelfTests()
    var farewells = Farewells()
    var outbox: Outbox
    let webhookNames = NameSource()
    /// When motions without an end are told on to those who interpolate, by track slot.
    var renewals = Timetable()
    var retries: RetryMemory
    var retryDelays: JitteredRetry
    var crowds = CompletionCrowds()
    var statistics = Statistics()
    /// More was due than one advance takes: the rest waits for the next tick, so that a crowd due at one instant is
    /// spread for those who listen.
    private(set) var isCutShort = false
    /// The tick of the last advance.
    private var cutShortTick: Int64 = 0
    private var storedPause: SchedulePause
    var outage: StoreOutage?
    let ledger = CommitLedger()
    /// Failures of the store after which the board has been set back.
    private var knownFailures = 0
    /// Batches that are being worked off; they take turns.
    var batches: [RunningBatch] = []
    /// Portions of batches and of what concerns all schedules that the store has not answered yet.
    private var portions = PortionsUnderWay()
    /// This turn's changes are such a portion.
    private var isPortion = false
    /// Changes to all schedules that are worked off, one after another.
    var sweeps = SweepRequests()
    /// Lists under way.
    var listCount = 0
    /// Portions of lists that clients wait for; one a list at most.
    var wantedPortions: [WantedPortion] = []
    /// Commands applied in this turn.
    var turnCommands = 0
    /// Bytes of answers made in this turn.
    var turnBytes = 0
    var isDraining = false
    /// Watched resources that may show something else than their last frame, though nothing moves.
    var dueFrames = DueFrames()
    /// Tracks whose motion those who interpolate by themselves are to be told.
    var dueMotions = DueFrames()
    /// Reused for each tick's pass over what moves.
    var pass = FramePass()
    var extendedFrames = ExtendedFrames()
    /// Reused for each frame's text.
    var text: [UInt8] = []
    /// Events were published since the last flush.
    var hasUnsent = false
    private var outgoing: [Outgoing] = []
    private var changes: [StoreChange] = []
    private var followers: [@Sendable (Result<Void, StoreError>) -> Void] = []

    /// The most commands of one turn, and the most bytes of named events and answers, before it is looked whether a tick is
    /// due and what others ask: a crowd of clients that comes at once delays no frame by more than these.
    static let commandsPerTurn = 64
    static let bytesPerTurn = 256 << 10
    /// After so many topics that streams took or left, the turn ends, too.
    static let topicsPerTurn = 2_000
    /// The most lines of a batch that are worked off at a time: what takes a turn's time as requests does so as lines.
    static let linesPerPart = commandsPerTurn
    /// The most bytes of lists of one turn, the last portion aside.
    static let listBytesPerTurn = 64 << 10

    /// An answer on its way out.
    struct Outgoing: Sendable {
        enum Form: Sendable {
            case response(HTTPResponse)
            case stream(StreamOpening)
        }
        var exchange: any Exchange
        var form: Form
    }

    init(parts: Parts, engine: Engine, hub: Hub, retries: RetryMemory, outbox: Outbox) {
        self.parts = parts
        self.engine = engine
        self.hub = hub
        self.retries = retries
        self.outbox = outbox
        storedPause = engine.schedulePause
        retryDelays = JitteredRetry(seed: UInt64.random(in: .min ... .max))
    }

    /// Whether the next tick has something to do: what moves is watched, or something waits to be sent.
    var wantsTick: Bool { !engine.sampled.isEmpty || !dueFrames.isEmpty || hasUnsent }

    /// Whether there is work for another turn at once.
    var isBusy: Bool {
        hasBatchToContinue || hasSweepToContinue || !wantedPortions.isEmpty || hasFramesToContinue
    }

    /// The next instant at which something is due though nothing moves.
    var nextDue: Instant? {
        let board = outage.map { [$0.nextAttempt] } ?? [engine.nextDue, outbox.nextDue]
        let frames = [countdowns.nextDue, paceFrames.nextDue, renewals.first, selfTests.nextDue, farewells.nextDue]
        return (board + frames).compactMap { $0 }.min()
    }

    /// Whether something waits for a date.
    var waitsForDate: Bool { engine.datedScheduleCount > 0 }

    /// The wall clock was set: what runs on elapsed time moves along.
    func shiftTimeline(byNanoseconds nanoseconds: Int64, at now: Instant) {
        Log.write(.clock, "the wall clock was set by \(Double(nanoseconds) / 1e9) s")
        engine.shiftTimeline(byNanoseconds: nanoseconds, at: now)
        // What is left of the last tick is of an instant on the old timeline.
        extendedFrames.leaveOutRest()
        countdowns.followAll(at: now, in: engine)
        renewals.shift(byNanoseconds: nanoseconds)
        paceFrames.shift(byNanoseconds: nanoseconds)
        outbox.shift(byNanoseconds: nanoseconds)
        retries.shift(byNanoseconds: nanoseconds)
        if let known = outage, known.nextAttempt != StoreOutage.underWay { outage?.nextAttempt = now }
    }

    /// Takes in what fell due and what other threads asked, as much of it as makes one turn, then a part of a batch, of a
    /// change to all schedules, of what lists want and of the last tick's frames.
    /// - Returns: How many of the messages were taken.
    func receive(_ messages: ArraySlice<Message>, at now: Instant) -> Int {
        advance(to: now)
        turnCommands = 0
        turnBytes = 0
        let before = hub.publishedBytes
        let links = hub.linkCount
        let (hasBatches, hasSweep) = (!batches.isEmpty, isSweeping)
        var count = 0
        for message in messages.prefix(Self.commandsPerTurn) {
            take(message, at: now)
            count += 1
            let bytes = hub.publishedBytes - before + turnBytes
            if bytes >= Self.bytesPerTurn || turnCommands >= Self.commandsPerTurn { break }
            if abs(hub.linkCount - links) >= Self.topicsPerTurn { break }
        }
        // One that came in this turn has had its part.
        if hasBatches { continueBatch(at: now) }
        if hasSweep { continueSweep(at: now) }
        continueLists(at: now)
        continueFrames(at: now)
        callWebhooks(at: now)
        commit(at: now)
        return count
    }

    private func take(_ message: Message, at now: Instant) {
        switch message {
        case .command(let request): apply(request, at: now)
        case .batch(let request): apply(request, at: now)
        case .query(let query, let exchange): answer(query, to: exchange, at: now)
        case .open(let opening, let key): open(opening, key, at: now)
        case .wantsGreeting(let key): greet(key, at: now)
        case .closed(let key): close(key, at: now)
        case .inspected(let reports, let ticket): take(reports, ticket: ticket, at: now)
        case .wantsPortion(let portion): wantedPortions.append(portion)
        case .listEnded: listCount -= 1
        case .storeFailed(let error): suspend(because: error, at: now)
        case .storeRecovered(let result): goBack(to: result, at: now)
        case .portionStored: portions.endOldest()
        case .storeWorks(let failures): goOn(afterFailures: failures)
        case .webhooksStored(let ids): outbox.noteStored(ids)
        case .webhookEnded(let id, let outcome): finishWebhook(id, outcome, at: now)
        case .deadLetter(let request): apply(request, at: now)
        case .drain: drain(at: now)
        }
    }

    /// The store takes changes again, and the board is what it has.
    private func goOn(afterFailures failures: Int) {
        outage = nil
        knownFailures = failures
    }

    /// Carries out what fell due.
    func advance(to now: Instant) {
        if outage != nil {
            attemptRecovery(at: now)
        } else if ledger.isFull {
            // What falls due would only make the store's work more.
            isCutShort = true
            statistics.cutShort += 1
        } else {
            // Messages come more often than ticks: none of them is an occasion for another advance's worth.
            let tick = parts.clock.tick(of: now)
            if !isCutShort || tick != cutShortTick {
                isCutShort = !engine.advance(to: now)
                cutShortTick = tick
                if isCutShort { statistics.cutShort += 1 }
            }
            publishEvents(at: now)
        }
        while let slot = countdowns.next(by: now) { dueFrames.add(.schedule(slot)) }
        sayFarewell(at: now)
        for piece in selfTests.take(at: now) {
            piece.isLast ? hub.end(piece.key, with: piece.bytes) : hub.tell(piece.key, piece.bytes)
            hasUnsent = true
        }
        while let slot = paceFrames.next(by: now) {
            guard let name = engine.tracks[slot]?.name else { continue }
            dueFrames.add(.track(slot))
            followPace(of: name, slot: slot, at: now)
        }
        while let (slot, _) = renewals.next(dueBy: now) { dueFrames.add(.track(slot)) }
    }

    /// Answers when this turn's changes are committed.
    func answer(_ exchange: (any Exchange)?, _ form: Outgoing.Form) {
        guard let exchange else { return }
        outgoing.append(Outgoing(exchange: exchange, form: form))
    }

    func remember(_ change: StoreChange) { changes.append(change) }

    /// Whether the next portion of a batch or of what concerns all schedules can be worked off.
    var admitsPortion: Bool { refusal == nil && !portions.isFull }

    /// Counts this turn's changes as a portion.
    func notePortion() { isPortion = true }

    /// Has something told what became of this turn's changes, on the store's thread, in the order of the turns.
    func afterCommit(_ follower: @escaping @Sendable (Result<Void, StoreError>) -> Void) { followers.append(follower) }

    /// Why no change can be taken now; nil when it can.
    var refusal: Problem? {
        if let outage { return Problem(outage.error) }
        return ledger.isFull
            ? Problem(StoreError(.busy, "too many changes are waiting to be stored; try again in a moment")) : nil
    }

    /// Takes over whether all schedules are paused, as the store has it.
    func noteStored(_ pause: SchedulePause) { storedPause = pause }

    /// Hands this turn's changes to the store; their answers go out when it has them.
    func commit(at now: Instant) {
        let names = engine.takeChanges()
        for name in names {
            changes.append(change(of: name))
            show(name, at: now)
        }
        if isPortion { beginPortion(names) }
        followWatchers(at: now)
        if engine.schedulePause != storedPause {
            storedPause = engine.schedulePause
            changes.append(.put(Restoration.record(of: storedPause)))
        }
        changes += webhookChanges()
        let webhooks = outbox.takeUnstored()
        if let portion = hub.takeLogPortion() {
            let events = StoredEvents(
                epoch: hub.epoch, first: portion.first, last: portion.last, time: now.nanoseconds, bytes: portion.bytes)
            changes.append(.log(events, expired: hub.oldestKept - 1))
        }
        submit(webhooks)
    }

    private func beginPortion(_ names: [ResourceName]) {
        isPortion = false
        portions.begin(names)
        let post = parts.post
        afterCommit { _ in post(.portionStored) }
    }

    private func submit(_ webhooks: [String]) {
        let waiting = outgoing
        let following = followers
        outgoing.removeAll(keepingCapacity: true)
        followers.removeAll(keepingCapacity: true)
        // An answer that changed nothing still rests on what others changed: it goes out behind that.
        let hasAnswers = !waiting.isEmpty || !following.isEmpty
        guard !changes.isEmpty || (hasAnswers && !ledger.isSettled(afterFailures: knownFailures)) else {
            deliver(waiting, .success(()))
            for follower in following { follower(.success(())) }
            return
        }
        let (acceptor, post, ledger) = (parts.acceptor, parts.post, ledger)
        let size = changes.reduce(0) { $0 + $1.size }
        ledger.begin(size)
        parts.store.submit(changes) { result in
            ledger.end(size, result)
            for follower in following { follower(result) }
            Self.deliver(waiting, result, to: acceptor, post: post)
            if !webhooks.isEmpty, case .success = result { post(.webhooksStored(webhooks)) }
        }
        changes.removeAll(keepingCapacity: true)
    }

    /// Has a changed resource's frame sent at the next tick, though nothing may move.
    func show(_ name: ResourceName, at now: Instant) {
        guard let slot = engine.slot(of: name) else { return }
        attachIfWanted(TopicName(kind: TopicKind(name.kind), id: name.id))
        if name.kind == .schedule { countdowns.follow(slot, at: now, in: engine) }
        if name.kind == .progress { followPace(of: name, slot: slot, at: now) }
        if isWatched(name) { dueFrames.add(DueFrames.Place(name.kind, slot: slot)) }
    }

    /// Has a progress looked at again later where time alone changes what it shows.
    func followPace(of name: ResourceName, slot: Int, at now: Instant) {
        let variants = hub.index(of: TopicName(kind: .progress, id: name.id)).map { hub.variants(watching: $0) }
        paceFrames.follow(
            slot, showsDisplay: variants?.contains(where: \.hasDisplay) ?? false,
            isWatched: variants.map { !$0.isEmpty } ?? false, at: now, in: engine)
    }

    private func deliver(_ answers: [Outgoing], _ result: Result<Void, StoreError>) {
        Self.deliver(answers, result, to: parts.acceptor, post: parts.post)
    }

    private func change(of name: ResourceName) -> StoreChange {
        let record = RecordName(RecordKind(name.kind), name.id)
        if let track = engine.track(name) {
            return .putLater(record, size: track.footprint) { StoredRecord(record, TrackRecord.contents(of: track)) }
        }
        if let schedule = engine.schedule(name) {
            return .putLater(record, size: schedule.footprint) {
                StoredRecord(record, ScheduleRecord.contents(of: schedule))
            }
        }
        return .delete(record.kind, id: record.id)
    }
}

extension RecordKind {
    init(_ kind: ResourceKind) {
        switch kind {
        case .ticker: self = .ticker
        case .progress: self = .progress
        case .schedule: self = .schedule
        }
    }
}
