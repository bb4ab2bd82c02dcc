// The board as a store or a log has it, and the tick thread's rooms around it.

import Board
import Committing
import EventStream
import Gateway
import Machine
import Primitives
import Publishing
import Recurrences
import Replication
import Storage
import Synchronization
import Tween
import Webhooks
import Wire

/// What keeps changes while the service runs.
enum RunningKeeper {
    case store(any Store)
    case log(any SharedLog)

    /// Commits what waits, or takes leave, and lets go.
    func close() {
        switch self {
        case .store(let store): store.close()
        case .log(let log): log.close()
        }
    }
}

extension ChangeStore {
    /// The clock that changes go by.
    func clock(tickRate: Int) -> ServiceClock {
        switch self {
        case .own: ServiceClock(tickRate: tickRate)
        case .shared: ServiceClock(ofLogWithTickRate: tickRate)
        }
    }
}

/// Puts the tick thread's rooms together.
struct Composition {
    let configuration: ServiceConfiguration
    let planner: LocalePlanner
    let rules: any CalendarRules
    let inboxes: [ShardInbox]
    let parts: Stage.Parts

    func conductor(_ store: ChangeStore) throws(ServiceError) -> (any Conducting, RunningKeeper) {
        switch store {
        case .own(let store): (try conductor(of: store), .store(store))
        case .shared(let opener): try conductor(by: opener)
        }
    }

    // MARK: - A store

    /// Restores what the store has.
    private func conductor(of store: any Store) throws(ServiceError) -> Conductor {
        let (clock, post) = (parts.clock, parts.post)
        let kept: Restoration.Result
        do throws(StoreError) {
            kept = try Restoration.restore(
                from: store, configuration: configuration.board(planner), rules: rules, at: { clock.now() },
                report: { Log.write(.store, $0) })
        } catch {
            throw ServiceError.store(error)
        }
        let hub = Hub(
            inboxes: inboxes, configuration: configuration.hub, epoch: Self.epoch(clock.now()),
            past: PastEvents(kept.contents.events, clock))
        let ledger = Ledger(
            store, reader: RecordReading(planner: planner, rules: rules), pause: kept.engine.schedulePause,
            post: { post(.store($0)) }, report: { Log.write(.store, $0) })
        let machine = machine(kept, lastEvent: hub.lastEventID, at: clock.now())
        return Conductor(parts, machine: machine, publisher: publisher(hub), ledger: ledger)
    }

    private func machine(_ kept: Restoration.Result, lastEvent: EventID, at now: Instant) -> Machine {
        var outbox = Outbox(retries: configuration.webhooks.retries, receiver: WebhookURL.receiver)
        outbox.restore(kept.deliveries)
        let retries = RetryMemory(
            kept.contents.answers.map { RetryRecord($0) }, capacity: configuration.retryKeys,
            lifetime: configuration.retrySeconds, at: now)
        return Machine(
            engine: kept.engine, retries: retries, outbox: outbox, epoch: lastEvent.epoch,
            lastEvent: lastEvent.number, deliveries: NameSource().next("wh-\(lastEvent.epoch)"))
    }

    private func publisher(_ hub: Hub) -> Publisher {
        Publisher(
            hub, grid: parts.clock.grid, configuration: configuration.publisher, planner: parts.readers,
            seed: UInt64.random(in: .min ... .max))
    }

    /// A name for a log of events, so that ids of another one are known as foreign.
    private static func epoch(_ now: Instant) -> String {
        String(UInt64(bitPattern: now.nanoseconds / 1_000_000), radix: 16)
    }

    // MARK: - A log

    /// Opens a log that replicas share.
    private func conductor(by opener: any LogOpener) throws(ServiceError) -> (any Conducting, RunningKeeper) {
        let (clock, post) = (parts.clock, parts.post)
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        let needs = LogNeeds(
            name: name, period: clock.period,
            epoch: Self.epoch(Instant(nanoseconds: ServiceClock.systemTime())), rules: rules,
            post: { post(.log($0)) }, look: { clock.add($0) }, prepare: { [planner] in Self.prepare($0, planner) },
            machine: { [self] in emptyMachine($0) }, recorder: { [hub = configuration.hub] in HistoryRecorder(hub) })
        let (log, board): (any SharedLog, LoadedBoard)
        do throws(LogFailure) {
            (log, board) = try opener.open(needs)
        } catch {
            throw ServiceError.log(error)
        }
        let hub = Hub(inboxes: inboxes, configuration: configuration.hub, epoch: board.machine.epoch)
        let conductor = ReplicaConductor(
            parts, board: board, publisher: publisher(hub), gate: LogGate(log, name: name, clock: clock),
            isHolding: opener.isHolding)
        return (conductor, .log(log))
    }

    private func emptyMachine(_ epoch: String) -> Machine {
        Machine(
            engine: Engine(configuration: configuration.board(planner)),
            retries: RetryMemory(
                [], capacity: configuration.retryKeys, lifetime: configuration.retrySeconds,
                at: Instant(nanoseconds: 0)),
            outbox: Outbox(retries: configuration.webhooks.retries, receiver: WebhookURL.receiver), epoch: epoch,
            deliveries: "wh-\(epoch)", sharesTurns: true)
    }

    private static func prepare(_ entry: LogEntry, _ planner: LocalePlanner) {
        guard case .turn(let requests) = entry.content else { return }
        for request in requests {
            switch request {
            case .command(let request): FormatUse.prepare(request.command, by: planner)
            case .batch(let part):
                for case .success(let command) in part.lines { FormatUse.prepare(command, by: planner) }
            case .deadLetter, .webhookEnded, .heard, .left: break
            }
        }
    }
}

extension RetryRecord {
    init(_ stored: StoredAnswer) {
        self.init(
            key: stored.key, fingerprint: stored.fingerprint, status: stored.status, head: stored.head,
            body: stored.body, expires: stored.expires)
    }
}

extension PastEvents {
    /// The named events that a snapshot kept.
    init(_ kept: [KeptEvents], _ clock: ServiceClock) {
        let stored = kept.map {
            StoredEvents(epoch: $0.epoch, first: 0, last: $0.last, time: $0.instant.nanoseconds, bytes: $0.bytes)
        }
        self.init(stored, clock)
    }

    /// The named events of earlier runs. Those that can't be read are left out: their numbers show the gap, and whoever
    /// waits for one of them is told that something is missing.
    init(_ stored: [StoredEvents], _ clock: ServiceClock) {
        self.init()
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
            Log.write(.store, "\(damaged) portions of events can't be read: who waits for them is told of a gap")
        }
    }
}
