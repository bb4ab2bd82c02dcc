// Builds the node and the board from a store or a log.

import Base
import Board
import EventStream
import Gateway
import HTTPClient
import Machine
import Persistence
import Publishing
import RecurrenceRules
import Replication
import Storage
import Synchronization
import Tween
import Wire

/// The store or log that holds the changes while the service runs.
enum RunningPersistence {
    case store(any Store)
    case log(any SharedLog)

    /// Commits what waits, or leaves the log, and closes.
    func close() {
        switch self {
        case .store(let store): store.close()
        case .log(let log): log.close()
        }
    }
}

extension PersistenceBackend {
    /// Creates the service's clock: the machine's, or a shared log's.
    func clock(tickRate: Int, machine: MachineClock = .system) -> ServiceClock {
        switch self {
        case .own: ServiceClock(tickRate: tickRate, machine: machine)
        case .shared: ServiceClock(ofLogWithTickRate: tickRate, machine: machine)
        }
    }
}

/// Builds the node of the tick thread.
struct Composition {
    let configuration: ServiceConfiguration
    let planner: LocalePlanner
    let rules: any CalendarRules
    let clock: ServiceClock
    /// For names, epochs and seeds.
    var random = RandomSource.system
    let post: @Sendable (Message) -> Void

    func node(
        _ store: PersistenceBackend, _ parts: ServiceCore.Parts, inboxes: [ShardInbox]
    ) throws(ServiceError) -> (any TickDriven, RunningPersistence) {
        switch store {
        case .own(let store): (try node(of: store, parts, inboxes), .store(store))
        case .shared(let opener): try node(by: opener, parts, inboxes)
        }
    }

    // MARK: - From a store

    /// Reads the board from the store.
    private func restored(from store: any Store) throws(ServiceError) -> Restoration.Result {
        do throws(StoreError) {
            return try Restoration.restore(
                from: store, configuration: Engine.Configuration(planner: planner, rules: rules.now), rules: rules,
                look: { clock.look() }, report: Log.writeOfStore)
        } catch {
            throw ServiceError.store(error)
        }
    }

    /// Logs what the store contained.
    private func logRestored(_ kept: Restoration.Result) {
        let engine = kept.engine
        Log.write(
            .store, .info, "restored",
            [
                "tickers": .whole(engine.count(of: .ticker)), "progress": .whole(engine.count(of: .progress)),
                "schedules": .whole(engine.count(of: .schedule)), "webhooks": .whole(kept.deliveries.count),
                "answers": .whole(kept.contents.answers.count),
            ])
    }

    /// Loads a store's board for a copy, in the form in which replicas load one.
    /// - Throws: If any part can't be read.
    func board(of source: any RecordSource) throws(ServiceError) -> LoadedBoard {
        var kept: Restoration.Result
        do throws(StoreError) {
            kept = try Restoration.read(
                source, configuration: Engine.Configuration(planner: planner), rules: rules,
                look: { clock.look() })
            kept.findings.look(through: kept.contents.events)
            guard kept.findings.isWhole else { throw StoreError(.corrupt, kept.findings.text) }
        } catch {
            throw ServiceError.store(error)
        }
        let now = clock.now()
        let past = PastEvents(kept.contents.events, clock, maximumBytes: configuration.hub.historyBytes)
        let epoch = kept.contents.events.last?.epoch ?? Self.epoch(now)
        let before = past.lastNumbers.filter { $0.key != epoch }.map { EventID(epoch: $0.key, number: $0.value) }
        let machine = machine(
            kept, lastEvent: EventID(epoch: epoch, number: past.lastNumber),
            after: before.sorted { $0.number < $1.number }, at: now, sharesTurns: true)
        let events = kept.contents.events.map {
            KeptEvents(
                epoch: $0.epoch, last: $0.last, instant: Instant(nanoseconds: $0.time), bytes: $0.bytes)
        }
        let position = LogPosition(sequence: 0, instant: now, name: EntryName(rawValue: 0))
        return LoadedBoard(
            machine: machine, follower: Follower(at: position, period: clock.period), events: events)
    }

    /// Builds a node with the board of a store.
    private func node(
        of store: any Store, _ parts: ServiceCore.Parts, _ inboxes: [ShardInbox]
    ) throws(ServiceError) -> StandaloneNode {
        let kept = try restored(from: store)
        logRestored(kept)
        var past = PastEvents(kept.contents.events, clock, maximumBytes: configuration.hub.historyBytes)
        past.copyEnd = kept.copyEnd?.lastEvent
        past.add(run: kept.lastEpoch, after: kept.silentRuns)
        let hub = Hub(
            inboxes: inboxes, configuration: configuration.hub, epoch: Self.epoch(clock.now()), past: past)
        let commits = CommitCoordinator(
            store, reader: RecordReading(planner: planner, rules: rules), pause: kept.engine.schedulePause,
            post: { post(.store($0)) }, report: Log.writeOfStore)
        // The log begins with the first run, so that clients that subscribe before its first event can resume after a restart.
        if kept.contents.events.isEmpty {
            let beginning = StoredEvents(
                epoch: hub.lastEventID.epoch, first: 0, last: 0,
                time: clock.now().nanoseconds
                    .subtractingSaturated(kept.clockStep).subtractingSaturated(kept.clockShift),
                bytes: [])
            commits.commit(kept.engine.schedulePause, log: .log(beginning, expired: -1))
        }
        if let merged = kept.merged {
            commits.record(MergedEvents.deletion)
            commits.commit(kept.engine.schedulePause, log: .log(merged, expired: -1))
        }
        let machine = machine(kept, lastEvent: hub.lastEventID, at: clock.now())
        let node = StandaloneNode(
            parts, machine: machine, publisher: publisher(hub, parts), commits: commits, silentRuns: past.silentRuns)
        node.begin(at: clock.now())
        return node
    }

    private func machine(
        _ kept: Restoration.Result, lastEvent: EventID, after pastEpochs: [EventID] = [], at now: Instant,
        sharesTurns: Bool = false
    ) -> Machine {
        var outbox = Outbox(retries: configuration.machine.webhooks, receiver: TransferURL.receiver)
        outbox.restore(kept.deliveries)
        let retries = RetryMemory(
            kept.contents.answers, capacity: configuration.machine.retryKeys,
            lifetime: configuration.machine.retrySeconds, shift: kept.clockShift,
            at: now.advanced(byNanoseconds: Int64(0).subtractingSaturated(kept.clockStep)))
        var machine = Machine(
            engine: kept.engine, retries: retries, outbox: outbox, epoch: lastEvent.epoch,
            lastEvent: lastEvent.number, pastEpochs: pastEpochs,
            deliveries: NameSource(random).next("wh-\(lastEvent.epoch)"), sharesTurns: sharesTurns)
        machine.set(configuration.machineSettings)
        if kept.clockStep != 0 {
            let moved = machine.shift(byNanoseconds: kept.clockStep, at: now)
            Log.write(.clock, .warning, "the wall clock was set while no server ran", moved)
        }
        return machine
    }

    private func publisher(_ hub: Hub, _ parts: ServiceCore.Parts) -> Publisher {
        Publisher(
            hub, grid: clock.grid, configuration: configuration.publisher, planner: parts.readers,
            seed: random.next())
    }

    /// Returns a name for a log of events, which marks ids of other logs as foreign.
    static func epoch(_ now: Instant) -> String {
        String(UInt64(bitPattern: now.nanoseconds / 1_000_000), radix: 16)
    }

    // MARK: - From a log

    /// Returns what a log needs from this replica.
    func logContext(ofReplica name: String, epoch: String? = nil) -> LogContext {
        let (clock, post, planner, hub) = (clock, post, planner, configuration.hub)
        let now = Instant(nanoseconds: clock.machine.wall())
        return LogContext(
            name: name, period: clock.period, epoch: epoch ?? Self.epoch(now), rules: rules, planner: planner,
            post: { post(.log($0)) }, look: { clock.add($0) }, prepare: { Self.prepare($0, planner) },
            machine: { Self.emptyMachine($0, planner) }, recorder: { HistoryRecorder(hub) })
    }

    /// Opens a shared log and builds its node.
    private func node(
        by opener: any LogOpener, _ parts: ServiceCore.Parts, _ inboxes: [ShardInbox]
    ) throws(ServiceError) -> (any TickDriven, RunningPersistence) {
        let name = String(random.next(), radix: 36)
        let needs = logContext(ofReplica: name)
        let (log, board): (any SharedLog, LoadedBoard)
        do throws(LogFailure) {
            (log, board) = try opener.open(needs)
        } catch {
            throw ServiceError.log(error)
        }
        let hub = Hub(inboxes: inboxes, configuration: configuration.hub, epoch: board.machine.epoch)
        let node = ReplicaNode(
            parts, board: board, publisher: publisher(hub, parts),
            logClient: LogClient(log, name: name, clock: clock, random: random), isHolding: opener.isHolding)
        return (node, .log(log))
    }

    private static func emptyMachine(_ epoch: String, _ planner: LocalePlanner) -> Machine {
        // All replicas start with the same settings, whatever their own are; the log then sets the ones to use.
        let settings = MachineSettings()
        var machine = Machine(
            engine: Engine(configuration: Engine.Configuration(planner: planner)),
            retries: RetryMemory([], capacity: settings.retryKeys, at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: settings.webhooks, receiver: TransferURL.receiver), epoch: epoch,
            deliveries: "wh-\(epoch)", sharesTurns: true)
        machine.set(settings)
        return machine
    }

    /// Compiles an entry's number formats before the tick thread applies it.
    private static func prepare(_ entry: LogEntry, _ planner: LocalePlanner) {
        guard case .turn(let requests) = entry.content else { return }
        for request in requests {
            switch request {
            case .command(let request): FormatUse.prepare(request.command, by: planner)
            case .batch(let part):
                for case .success(let command) in part.lines { FormatUse.prepare(command, by: planner) }
            case .deadLetter, .ticketMade, .ticketSpent, .webhookEnded, .heard, .left, .outageEnded: break
            }
        }
    }
}

extension PastEvents {
    /// Creates the history from the named events of a snapshot.
    init(_ kept: [KeptEvents], _ clock: ServiceClock, maximumBytes: Int) {
        let stored = kept.map {
            StoredEvents(epoch: $0.epoch, first: 0, last: $0.last, time: $0.instant.nanoseconds, bytes: $0.bytes)
        }
        self.init(stored, clock, maximumBytes: maximumBytes)
    }

    /// Creates the history from the named events of earlier runs. Unreadable portions are left out: they leave a gap in the
    /// numbers, and clients that resume inside it or before it receive a reset.
    /// - Parameter maximumBytes: The newest events up to this size are kept, as in the hub.
    init(_ stored: [StoredEvents], _ clock: ServiceClock, maximumBytes: Int) {
        self.init(maximumBytes: maximumBytes)
        var damaged = 0
        for portion in stored {
            do throws(PastEvents.Damage) {
                try append(
                    portion.bytes, last: portion.last, epoch: portion.epoch,
                    at: clock.monotonic(of: Instant(nanoseconds: portion.time)))
            } catch {
                damaged += 1
            }
        }
        if damaged > 0 {
            Log.write(
                .store, .error, "can't read some stored events; clients that resume there or earlier get a reset",
                ["portions": .whole(damaged)])
        }
    }
}
